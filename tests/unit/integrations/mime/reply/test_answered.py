"""History that is known by what the answer's header says, and programs in languages that few people test with."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest

from integrations.mime.message import message_of
from integrations.mime.reply.answered import Answered, bare_subject
from integrations.mime.reply.split import split
from tests.unit.integrations.mime.reply.reply_languages import ADDRESS, ASKED, ATTRIBUTIONS, DEVICES, LABELS, NAME, WHO

OWN = "The crane is free.\n\nBring your own slings."
OLD = "please confirm that the crane is free.\nPiotr"
QUAY = Answered("quay 7", frozenset({ADDRESS}))
KLINGON = f"ghItlh'pu': {WHO}\npoH: jar 6 DIS 2025 08:41\nHevwI': kran\nqech: NUQ: Quay 7"
"""A block in a language that no list knows."""
FORM = "".join(f"Doch{number}: {number}\n" for number in range(8))


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
@pytest.mark.parametrize("who", [WHO, NAME], ids=["address", "name"])
def test_header_block_of_outlook_in_many_languages(labels: tuple[str, ...], who: str) -> None:
    """Labels of every listed language open the history; where only names stand in the block, our subject proves it."""
    sender, sent, to, subject, moment = labels
    block = f"{sender}: {who}\n{sent}: {moment}\n{to}: Cranes\n{subject}: RE: Quay 7"

    assert split(f"{OWN}\n\n{block}\n\n{OLD}", answered=QUAY).reply == OWN


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
@pytest.mark.parametrize("mark", ["> ", ""], ids=["marked", "unmarked"])
def test_attribution_in_many_languages(attribution: str, mark: str) -> None:
    """Gmail, Apple Mail and Thunderbird in many languages, with Eastern digits and years, too."""
    quote = "\n".join(f"{mark}{line}" for line in OLD.split("\n"))

    assert split(f"{OWN}\n\n{attribution}\n\n{quote}", answered=QUAY).reply == OWN


@pytest.mark.parametrize("line", ASKED.values(), ids=ASKED.keys())
def test_reply_above_this_line(line: str) -> None:
    """What a help desk asks to write above of is history; a first mail that shows such a line keeps it."""
    body = f"{OWN}\n\n{line}\n\nYour request has been updated."

    assert split(body).reply == OWN
    assert split(body, first=True).reply == body


@pytest.mark.parametrize("line", DEVICES)
def test_line_of_a_telephone(line: str) -> None:
    """What telephones and apps add at the end is nobody's words, also with an address below it."""
    assert split(f"{OWN}\n\n{line}\n").reply == OWN


def test_unlisted_language_is_known_by_our_subject() -> None:
    """Our subject and a moment in lines of one shape open the history in whatever language."""
    assert split(f"{OWN}\n\n{KLINGON}\n\n{OLD}", answered=QUAY).reply == OWN


@pytest.mark.parametrize(
    "body",
    [
        f"{OWN}\n\n{KLINGON.replace('Quay 7', 'Quay 9')}\n\n{OLD}",
        f"{OWN}\nI got this:\n\n{KLINGON}\n\n{OLD}",
        f"{OWN}\n\n{FORM}{KLINGON}\n\n{OLD}",
        f"{OWN}\n\n{KLINGON}\n{OLD}",
        f"{OWN}\n\nqech: Quay 7\npoH: 2025 08:41\n\n{OLD}",
    ],
    ids=["other subject", "announced", "a form", "text goes on", "two lines"],
)
def test_doubt_keeps_the_text(body: str) -> None:
    """Another subject, an announcement, more fields, no end or too few lines: such a block stays."""
    assert split(body, answered=QUAY).reply == body


def test_unlisted_attribution_is_known_by_the_addressee() -> None:
    """A moment and the address that the answer goes to, before a colon, open the history, also over two lines."""
    line = f"ghItlh {NAME}\n<{ADDRESS}> jar 6 DIS 2025 08:41 ghItlhta':"

    assert split(f"{OWN}\n\n{line}\n\n{OLD}", answered=QUAY).reply == OWN
    for other in (Answered("quay 7", frozenset({"ole@yard.example"})), Answered("quay 7")):
        assert line in split(f"{OWN}\n\n{line}\n\n{OLD}", answered=other).reply


@pytest.mark.parametrize(
    "line", [f"Tell {WHO}:", f"{'x' * 700} 2025 08:41 {WHO}:", f"{WHO} and {'so on ' * 9}2025 08:41:"]
)
def test_sentence_about_the_addressee_stays(line: str) -> None:
    """No moment, too long a line or a sentence of many words is the author's text."""
    body = f"{OWN}\n\n{line}\nhe has the key."

    assert split(body, answered=QUAY).reply == body


@pytest.mark.parametrize(
    "subject", ["Re: Quay 7", "AW: WG: quay  7", "ODG[2]: Quay 7", "[desk] Re: Quay 7", "回复：Quay 7"]
)
def test_subject_without_prefixes(subject: str) -> None:
    """Prefixes of all languages, counters and the name of a list are no part of the subject."""
    assert bare_subject(subject) == "quay 7"


def test_words_between_rules_above_the_block() -> None:
    """A line drawn with words of an unlisted language belongs to the block below it, and so do fields."""
    block = f"From: {WHO}\nDate: 6 Oct 2025 08:41\nTo: kran\nSubject: Quay 7"
    fields = f'Кому: kran@quay.example;\n06.10.2025, 08:41, "{NAME}" <{ADDRESS}>:'

    assert split(f"{OWN}\n\n---------- chabal ----------\n{block}\n\n{OLD}").reply == OWN
    assert split(f"{OWN}\n\n----------\n{fields}\n\n{OLD}").reply == OWN


def test_shown_mail_stays_above_the_history() -> None:
    """A mail that the author announces and shows is no history where the program's history stands below it."""
    shown = "The vendor answers:\n\nFrom: v@rotors.example\nTo: me\nSubject: offer\nDate: 3 Feb 2026 09:00\n\n12 euros.\n\nShall we?"
    below = f"On Mon, 6 Oct 2025 at 08:41, {WHO} wrote:\n> old"

    assert split(f"{shown}\n\n{below}", answered=QUAY).reply == shown
    assert split(f"{shown}\n\n{below}", answered=Answered("offer")).reply == "The vendor answers:"
    assert split(shown, answered=QUAY).reply == "The vendor answers:"


@pytest.mark.parametrize("attribution", ["", f"On Mon, 6 Oct 2025 at 08:41, {WHO} wrote:\n"])
def test_shown_mail_stays_beside_quoted_history(attribution: str) -> None:
    """The program's history may stand above the shown mail, and an attribution may be quoted."""
    shown = "From cron:\n\nSubject: Cron <root@kx> /run\nFrom: root@kx.example\nTo: me\n\nrun: not found"
    quoted = f"> On 6 Oct 2025 at 08:41, {WHO} wrote:\n>\n> old"

    assert split(f"{shown}\n\n{attribution}{quoted}", answered=QUAY).reply == shown
    assert split(f"{attribution}{quoted}\n\n{shown}", answered=QUAY).reply == shown


def test_shown_quote_stays_above_the_history() -> None:
    """A line with a quote mark above the program's attribution is the author's."""
    own = "The plate says\n> 3000 rpm at most"

    assert split(f"{own}\n\nOn Mon, 6 Oct 2025 at 08:41, {WHO} wrote:\n> old").reply == own


def test_header_block_as_a_table() -> None:
    """NetEase writes the older mail's header as cells."""
    cells = f"| From | {WHO} |\n| Date | 02/02/2026 14:05 |\n| To | desk |\n| Subject | Quay 7 |"

    for block in (cells, cells.replace(" |\n| ", "\n")[2:]):
        assert split(f"{OWN}\n\n---- Replied Message ----\n{block}\n{OLD}").reply == OWN


@pytest.mark.parametrize(
    "own",
    [
        "Our rule is:\n\nfrom: a@us.example\nto: b@us.example\nsubject: c\n\nIt fails.",
        "Name: Ada\nFrom: Berlin\nTo: Hamburg\nDate: 12 March 2026\nSubject: move\n\nPlease.",
    ],
    ids=["rule", "form"],
)
def test_shown_fields_without_a_moment(own: str) -> None:
    """Where the answer's header is not known, fields without a moment are no header of a mail."""
    assert split(f"{own}\n\nOn Mon, 6 Oct 2025 at 08:41, {WHO} wrote:\n> old").reply == own


def test_fields_on_top_are_shown() -> None:
    """A reply that begins with fields which are not those of our mail keeps them above the program's history."""
    own = "from: a\nto: b\nsubject: c\ndate: 2026-03-03 16:20\n\nis the file that fails."

    assert split(f"{own}\n\nOn Mon, 6 Oct 2025 at 08:41, {WHO} wrote:\n> old", answered=QUAY).reply == own


@pytest.mark.parametrize(
    "below",
    [
        "On 3 Mar 2026, Dr. Mei Østby (Clinic 3) wrote:\n\nWhen do the labels come?",
        "On 3 Mar 2026, Mei Østby wrote:\n\nMØ> When do the labels come?\nMØ> M.",
    ],
    ids=["department", "initials"],
)
def test_name_with_department_and_initials(below: str) -> None:
    """A department in brackets stands behind the name, and initials of every alphabet before quoted lines."""
    assert split(f"{OWN}\n\n{below}").reply == OWN


FIRST = {
    "transport": "Please book it.\n\nFrom: Kiel, quay 7\nTo: Aarhus\nDate: 6.10.2025\nSubject: keel parts\n\nThank you",
    "form": f"Name: Una\nFrom: {ADDRESS}\nSubject: crane\nDate: 6.10.2025 08:41\nMessage: it stops.",
    "form, fields below": f"From: {ADDRESS}\nTo: us\nSubject: crane\nDate: 6.10.2025 08:41\nMessage: it stops.",
    "footer shown": "Printed twice:\n\n---\nThis e-mail is confidential.\nThis e-mail is confidential.\n\nPlease repair it.",
    "dashes in a row": "Label printer\n-- \ndoes not print\nsince Monday",
    "dashes above a sentence": "Label printer:\n\n-- \ndoes not print\nsince Monday",
    "unlisted block": f"Look.\n\n{KLINGON}\n\n{OLD}",
}


@pytest.mark.parametrize("body", FIRST.values(), ids=FIRST.keys())
def test_first_mail_keeps_forms_and_samples(body: str) -> None:
    """In a first mail fields beside those of mails make a form, and text behind legal words is the author's."""
    assert split(body, first=True, answered=QUAY).reply == body


def test_outlook_and_zimbra_draw_a_rule() -> None:
    """The border of Outlook's header block and the rule of Zimbra open the history where no label is known."""
    block = "<b>qa:</b> Piotr<br><b>qb:</b> kran<br>"
    border = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"
    for page in (
        f'<div style="{border}"><p>{block}</p></div><p>old</p>',
        f'<hr id="zwchr"><div>{block}</div><p>old</p>',
    ):
        raw = (
            "From: una@quay.example\r\nTo: p@yard.example\r\nSubject: Re: x\r\nIn-Reply-To: <1@x>\r\n"
            f"Content-Type: text/html\r\n\r\n<p>Come at nine.</p>{page}"
        )
        assert message_of(raw.encode()).reply == "Come at nine."
