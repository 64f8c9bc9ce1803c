"""The letter of a case: whom it goes to, what it answers, how it is named, when it is due."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.unit.triage.policy.letters.letters import ADA, NOW, RULES, SECRET, case_of
from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.findings import Identity
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Message, Stub, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.letters.compose import LONGEST_SUBJECT, LetterRules, Wording, letter_of
from triage.policy.thread.signed_message_ids import sent_of

ANSWER = Wording(kind=LetterKind.ANSWER, body=" We look into it.\n", language="de")


def made(case: Case | None = None, wording: Wording = ANSWER, **more: object) -> Letter:
    """The first reply of a case."""
    given = {"secret": SECRET, "now": NOW} | more
    return letter_of(case or case_of(), "reply:1", wording, RULES, **given)  # type: ignore[arg-type]  # tests name them


def test_an_automatic_letter() -> None:
    """It goes to the sender alone, after its window, in the thread, under an id that only we can make."""
    letter = made()
    signed = sent_of(letter.message_id, SECRET)

    assert (letter.key, letter.to, letter.cc) == ("case-17:reply:1", (ADA,), ())
    assert letter.automatic
    assert letter.due_at == NOW + timedelta(seconds=60)
    assert (letter.subject, letter.body) == ("Re: Export broken", "We look into it.")
    assert (letter.in_reply_to, letter.references) == ("1@acme.example", ("1@acme.example",))
    assert signed is not None
    assert (signed.case, signed.effect) == ("case-17", "reply:1")
    assert letter.message_id.endswith("@harbour.example")
    assert (letter.original.sender, letter.original.text) == ("Ada Byron <ada@acme.example>", "It is broken.")


def test_an_accepted_letter() -> None:
    """People in copy get what a person has accepted; who gets none is noted."""
    letter = made(automatic=False, by="grace")

    assert [one.address for one in letter.cc] == ["bob@acme.example"]
    assert letter.by == "grace"
    assert letter.note == "no copy to eve@evil.example: neither of the sender's organisation nor of ours"


def test_a_draft() -> None:
    """It is due at once, with people in copy."""
    letter = made(draft=True)

    assert letter.draft
    assert letter.due_at == NOW
    assert letter.cc


def test_nobody() -> None:
    """For a sender who is not proven there is no letter."""
    with pytest.raises(ToolRefused, match="not proven"):
        made(replace(case_of(), identity=Identity(trust=Trust.WEAK)))


@pytest.mark.parametrize(
    ("subject", "wanted", "told"),
    [
        ("Export", "", "Re: Export"),
        ("RE: AW: Re: Export", "", "Re: Export"),
        ("", "", "Re:"),
        ("x" * 500, "", "Re: " + "x" * LONGEST_SUBJECT),
        ("Export", " Another\r\nmatter ", "Another matter"),
    ],
)
def test_subject(subject: str, wanted: str, told: str) -> None:
    """`Re:` stands once, whatever stood there; a subject of one's own is one line."""
    letter = made(case_of(subject=Untrusted(subject)), replace(ANSWER, subject=wanted))

    assert letter.subject == told


def test_thread() -> None:
    """References hold the thread in order, the mail last; without them what the mail answers."""
    assert made(case_of(references=("a", "b"), in_reply_to=("b",))).references == ("a", "b", "1@acme.example")
    assert made(case_of(in_reply_to=("b",))).references == ("b", "1@acme.example")
    assert made(case_of(message_id=None)).references == ()
    assert len(made(case_of(references=tuple(map(str, range(99))))).references) == 20


def test_the_whole_text_where_no_reply_is() -> None:
    """A mail whose own words are not known is quoted whole, with the time at which it came."""
    case = case_of(reply=Untrusted(""), date=None)

    assert made(case).original.text == "It is broken.\n\n> history"
    assert made(case).original.at == NOW


@pytest.mark.parametrize("stub", Stub)
def test_a_stub_is_not_quoted(stub: Stub) -> None:
    """What stands for a mail is our own text, and no sender wrote it."""
    assert made(replace(case_of(), stub=stub)).original.text == ""


def test_our_domain() -> None:
    """Our Message-IDs carry the domain of MAIL_FROM."""
    assert RULES.domain == "harbour.example"
    assert LetterRules(sender=replace(ADA, address="bot")).domain == "localhost"
    assert isinstance(case_of().mail, Message)
