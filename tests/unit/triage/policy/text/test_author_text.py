"""A mail without its signature, closing and small print."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.author_text import (
    LIMIT,
    author_text,
    body_of,
    letter_end,
    matter_of,
    small_print,
    without_courtesies,
    without_greeting,
)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("It fails.\n-- \nAda\nHarbourline", "It fails."),
        ("It fails.\nKind regards\nAda", "It fails."),
        ("It fails.\nBest regards, Ada", "It fails."),
        ("Kind regards are all I send.\nIt fails.", "Kind regards are all I send.\nIt fails."),
        ("It fails.\nThanks\nAda", "It fails."),
        ("止まりました。\n\n――――――――\n株式会社北\n坂井\n――――――――", "止まりました。\n"),
        ("It fails.\n\nI remain, with kind regards\nAda", "It fails.\n"),
        ("Il ne marche pas.\nAvec mes meilleures salutations\nAda", "Il ne marche pas."),
        ("Geht nicht.\n\nMit sportlichen Grüßen\nAda", "Geht nicht.\n"),
        ("以下のとおりです。\nよろしくお願いいたします。\n坂井", "以下のとおりです。"),
        ("Our letters end with\nall my best kind regards\nwhich is odd.", None),
        ("It fails.\nThanks\n" + "One more matter that takes a line of its own, and is no name.\n" * 9, None),
    ],
)
def test_the_text_ends_at_its_closing(text: str, own: str | None) -> None:
    """A closing ends the text; the first line never does, and neither does a thank-you before more text."""
    assert author_text(text) == (text.rstrip("\n") if own is None else own)


def test_small_print_is_dropped() -> None:
    """A paragraph of a lawyer goes, wherever it stands, and the lines around it stay."""
    paragraph = "This mail is confidential. If you are not the intended recipient, delete it. " + "x" * 90

    assert small_print(["It fails.", "", paragraph]) == {2}


def test_a_report_with_a_lawyers_word_stays() -> None:
    """`confidential` and `unsubscribe` are words of reports, too; only where a mail speaks of itself they are small print."""
    leak = (
        "Confidential documents of another tenant are visible in our portal since this morning, for all users "
        + "of ours. " * 6
    )
    notice = "This e-mail is confidential, whoever reads it; delete it if it has reached you by mistake. " * 2

    assert small_print(["It fails.", "", leak]) == frozenset()
    assert small_print(["It fails.", "", notice]) == {2}


def test_a_greeting_is_no_matter() -> None:
    """A greeting on its own line goes; a sentence that begins with one stays."""
    assert without_greeting("Hi Marek,\nIt fails.") == "It fails."
    assert without_greeting("Hi Marek, the export of all invoices of last year fails since Monday.").startswith("Hi")


def test_no_text_is_endless() -> None:
    """Logs below a mail are not read; a text without a closing is read to its end."""
    assert len(author_text("word\n" * LIMIT)) <= LIMIT
    assert letter_end(["a", "b"]) == 2


NOTE = "Can somebody look into this?\n\nBest regards\nKim"
INNER = "Hello,\n\nevery invoice shows the wrong VAT number.\n\nKind regards\nAnna"
HEADER = "---------- Forwarded message ---------\nFrom: Anna <anna@a.example>\nSubject: URGENT\n\n"


def forwarded(quoted: str, *, note: str = NOTE, flags: tuple[str, ...] = ("forward",)) -> Message:
    """A mail that somebody forwards with a note."""
    whole = Untrusted(f"{note}\n\n{quoted}")
    return Message(text=whole, reply=Untrusted(note), quoted=Untrusted(quoted), flags=flags)


@pytest.mark.parametrize("header", [HEADER, "> From: Anna\n> Sent: Friday\n>\n", ""])
def test_a_forwarded_mail_is_about_what_is_forwarded(header: str) -> None:
    """The note and the mail within it, each without its closing, and without the header that a program wrote."""
    told = matter_of(forwarded(f"{header}{INNER}"))

    assert told.startswith("Can somebody look into this?")
    assert "every invoice shows the wrong VAT number." in told
    assert not [word for word in ("URGENT", "regards", "Sent:") if word in told]


def test_what_a_forwarded_mail_quotes_is_history() -> None:
    """The forwarded mail's own words are the matter, not those that it answers."""
    told = matter_of(forwarded(f"{HEADER}It is still wrong.\n\n> On Monday Kim wrote:\n> Could you try again?"))

    assert "It is still wrong." in told
    assert "try again" not in told


def test_what_is_no_forward_is_the_authors_own() -> None:
    """What an answer quotes is not its matter, nor is there anything beside a forwarded header alone or a mail that is forwarded without a word."""
    answer = forwarded(INNER, flags=())
    bare = Message(text=Untrusted(INNER), flags=("forward",))

    assert (body_of(answer), matter_of(answer)) == (NOTE, "Can somebody look into this?\n")
    assert body_of(bare) == INNER
    assert body_of(forwarded("From: Anna\nSubject: x")) == NOTE


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        (
            "Hello team,\n\nI hope you are well. The shop is down.\n\nThanks a lot and best regards\nAda",
            "The shop is down.",
        ),
        ("Hello Dr. Smith, the shop is down", "the shop is down"),
        ("Hi all\nThe shop is down. Thanks!", "The shop is down."),
        (
            "Guten Tag,\nich hoffe, es geht Ihnen gut. Der Laden steht.\n\nVielen Dank und freundliche Grüße\nAda",
            "Der Laden steht.",
        ),
        (
            "お世話になっております。株式会社さくらの田村です。\n止まりました。\nお手数をおかけしますが、よろしくお願いいたします。",
            "止まりました。",
        ),
        ("您好\uff0c我是上海分公司的王伟。\n坏了。\n谢谢\uff0c祝好\uff01", "坏了。"),
        ("Hi the app crashes, please help", "Hi the app crashes, please help"),
        ("The shop is down. Thanks, asap please", "The shop is down. Thanks, asap please"),
        ("I hope you repair it by noon.", "I hope you repair it by noon."),
        ("Hi,\nThanks!", "Hi,\nThanks!"),
        ("", ""),
    ],
)
def test_courtesies_frame_a_matter(text: str, matter: str) -> None:
    """Greeting, good wishes, who writes, thanks and regards go, with or without lines of their own; a wish for help stays."""
    assert without_courtesies(text) == matter
