"""Is it the same mail, and whose thread?"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.thread.content_hash import content_hash, fingerprint, same_but_for_a_footer, thread_key_of

MAIL = Message(
    message_id="1@a.example",
    subject=Untrusted("Export fails"),
    sender=Address(address="ada@a.example"),
    date=datetime(2026, 11, 20, 8, tzinfo=UTC),
    text=Untrusted("It fails\n every time"),
    attachments=(Attachment(name=Untrusted("x"), content_type="text/plain", size=1, inline=False, sha256="00"),),
)


def test_the_way_does_not_matter() -> None:
    """White space and headers added on the way leave the content hash alone."""
    again = replace(MAIL, text=Untrusted("It fails every  time"), headers=(("received", "by x"),))

    assert content_hash(again) == content_hash(MAIL)


def test_another_text_is_another_mail() -> None:
    """A reused Message-ID shadows nothing: other words, other hash, other marks."""
    forged = replace(MAIL, text=Untrusted("Something else"))

    assert content_hash(forged) != content_hash(MAIL)
    assert fingerprint(forged) != fingerprint(MAIL)


def test_bare_mails_have_an_identity() -> None:
    """A mail without sender, date and id still has hash, fingerprint and lane."""
    bare = Message()

    assert (len(content_hash(bare)), len(fingerprint(bare)), thread_key_of(bare)) == (64, 64, content_hash(bare))


def test_the_lane_is_the_root() -> None:
    """The oldest reference names the thread, then In-Reply-To, then the mail itself."""
    deep = replace(MAIL, references=("root@a.example", "mid@a.example"), in_reply_to=("mid@a.example",))
    flat = replace(MAIL, in_reply_to=("mid@a.example",))

    assert (thread_key_of(deep), thread_key_of(flat), thread_key_of(MAIL)) == (
        "root@a.example",
        "mid@a.example",
        "1@a.example",
    )


def test_alerts_of_one_object_share_a_lane() -> None:
    """Firing and end of an alert are handled in order, though they name no thread; another sender's have a lane of their own."""

    def lane(subject: str, sender: str) -> str:
        found = Message(message_id=subject, subject=Untrusted(subject), sender=Address(address=sender))
        return thread_key_of(found)

    firing = lane("[Triggered] Queue is long", "alert@datadoghq.com")

    assert firing.startswith("alert:")
    assert firing == lane("[Recovered] Queue is long", "alert@datadoghq.com")
    assert firing != lane("[Recovered] Queue is long", "alert@datadoghq.eu")
    assert firing != lane("[Triggered] Queue is empty", "alert@datadoghq.com")


# --- list footers ---------------------------------------------------------------------------------

PLAIN = Message(
    message_id="1@a.example",
    subject=Untrusted("Disk is full"),
    sender=Address(address="ada@a.example"),
    date=datetime(2026, 11, 20, tzinfo=UTC),
    text=Untrusted("The disk is full.\n\n-- \nAda"),
)
FOOT = "\n_______________________________________________\nops mailing list\nhttps://lists.example/ops"
RULES = [
    FOOT,
    "\n-- \nYou get this because you are on ops.",
    "\n---\nops",
    "\n=====\nLeave: x",
    "\n--~--~---~--\nGroup ops",
]


def over_list(footer: str = FOOT, subject: str = "[ops] Disk is full") -> Message:
    """The copy that came over a list."""
    return replace(PLAIN, subject=Untrusted(subject), text=Untrusted(PLAIN.text + footer))


@pytest.mark.parametrize("footer", RULES)
@pytest.mark.parametrize("subject", ["Disk is full", "[ops] Disk is full", "[Ops-Team] Re: Disk is full"])
def test_a_list_footer(footer: str, subject: str) -> None:
    """A copy with a list's footer and tag is the same mail, whichever comes first."""
    listed = over_list(footer, subject)

    assert same_but_for_a_footer(PLAIN, listed)
    assert same_but_for_a_footer(listed, PLAIN)


SPEC = Attachment(name=Untrusted("a.pdf"), content_type="application/pdf", size=9, inline=False, sha256="1")
NOTE = replace(SPEC, name=Untrusted(""), content_type="text/plain", size=200, inline=True, sha256="2")


def test_a_footer_of_its_own() -> None:
    """Some lists add their footer as a part; files that the sender sent must be the same."""
    assert same_but_for_a_footer(replace(PLAIN, attachments=(SPEC,)), replace(over_list(), attachments=(SPEC, NOTE)))
    assert not same_but_for_a_footer(PLAIN, replace(over_list(), attachments=(SPEC,)))
    assert not same_but_for_a_footer(replace(PLAIN, attachments=(NOTE,)), over_list())


@pytest.mark.parametrize(
    "other",
    [
        over_list("\nAnd the printer burns."),
        over_list(FOOT + "\nline" * 30),
        replace(over_list(), sender=Address(address="eve@evil.example")),
        replace(over_list(), sender=None),
        replace(over_list(), date=None),
        replace(over_list(), message_id="2@a.example"),
        replace(over_list(), in_reply_to=("0@a.example",)),
        over_list(subject="[ops] Memory is full"),
        replace(PLAIN, text=Untrusted("The disk is empty." + FOOT)),
    ],
)
def test_another_mail(other: Message) -> None:
    """Other words than a footer, another sender, date, id, thread or subject: no copy."""
    assert not same_but_for_a_footer(PLAIN, other)
    assert not same_but_for_a_footer(other, PLAIN)


def test_mails_without_a_name() -> None:
    """Mails without an id or a sender are told by their content alone."""
    assert not same_but_for_a_footer(replace(PLAIN, message_id=None), replace(PLAIN, message_id=None))
    assert not same_but_for_a_footer(replace(PLAIN, sender=None), replace(PLAIN, sender=None))
