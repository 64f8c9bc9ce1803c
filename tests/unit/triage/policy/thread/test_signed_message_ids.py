"""Our own Message-IDs: always the same one for one effect, and nobody else can write one."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.cases import Case
from triage.domain.mail import OWN_HEADER, Message
from triage.domain.untrusted import Untrusted
from triage.policy.thread.signed_message_ids import SignedId, answered_by, own_id, reported_by, sent_of, written_by_us

SECRET = b"a key of 32 bytes, kept for ever"
CASE = Case(id="case-17", source="file", received_at=datetime(2026, 11, 20, 8, 1, 2, 345, tzinfo=UTC))
ID = own_id(CASE, "reply:1", "support.example.com", SECRET)
SENT = SignedId(case="case-17", since=int(CASE.received_at.timestamp()), effect="reply:1")


def test_one_effect_one_id() -> None:
    """The same effect has the same id after every restart; another effect, case or domain has another."""
    others = (
        own_id(CASE, "reply:2", "support.example.com", SECRET),
        own_id(replace(CASE, id="case-18"), "reply:1", "support.example.com", SECRET),
        own_id(CASE, "reply:1", "example.com", SECRET),
        own_id(CASE, "reply:1", "support.example.com", b"another key"),
    )

    assert own_id(CASE, "reply:1", "Support.Example.com", SECRET) == ID
    assert len({ID, *others}) == 5
    assert ID.endswith("@support.example.com")


def test_what_it_says() -> None:
    """Case and effect can be read from it, with brackets and in capitals, too."""
    assert (sent_of(ID, SECRET), sent_of(f"<{ID}>", SECRET), sent_of(ID.upper(), SECRET)) == (SENT, SENT, SENT)
    approved = sent_of(own_id(CASE, "reply:approval-3", "example.com", SECRET), SECRET)
    assert approved == replace(SENT, effect="reply:approval-3")


def test_of_its_case() -> None:
    """Where a restored database has given the number to another mail, it is not that case's."""
    later = replace(CASE, received_at=CASE.received_at.replace(hour=9))

    assert (SENT.of(CASE), SENT.of(later), SENT.of(replace(CASE, id="case-1"))) == (True, False, False)


@given(place=st.integers(0, len(ID) - 1), letter=st.sampled_from("0123456789abcdefghijklmnopqrstuvwxyz-_.@"))
def test_altered(place: int, letter: str) -> None:
    """No letter of it can be changed."""
    forged = ID[:place] + letter + ID[place + 1 :]

    assert (sent_of(forged, SECRET) == SENT) is (forged == ID)


@pytest.mark.parametrize(
    "forged",
    [
        ID.replace(".reply_1.", ".reply_2."),
        ID.replace("triage.17.", "triage.18."),
        ID.replace("@support.", "@"),
        f"x{ID}",
        f"{ID}.evil.example",
        own_id(CASE, "reply:1", "support.example.com", b"a guess"),
        "triage.17.1.reply.00000000000000000000@example.com",
        "1@example.com",
        "",
    ],
)
def test_forged(forged: str) -> None:
    """What we have not signed is not ours."""
    assert sent_of(forged, SECRET) is None


@pytest.mark.parametrize("effect", ["", "Reply:1", "reply_1", "reply:", "reply 1", "x" * 41])
def test_effects(effect: str) -> None:
    """An effect that its id could not give back is no effect."""
    with pytest.raises(ValueError, match=effect or "^$"):
        own_id(CASE, effect, "example.com", SECRET)


def test_our_own_mail() -> None:
    """A mail is ours by its Message-ID or, where a relay has changed that, by our header; never by a name."""
    header = Message(message_id="1@relay.example", headers=((OWN_HEADER, f"<{ID}>"),))

    assert (written_by_us(Message(message_id=ID), SECRET), written_by_us(header, SECRET)) == (SENT, SENT)
    assert written_by_us(Message(message_id="triage.17@example.com", in_reply_to=(ID,)), SECRET) is None
    assert written_by_us(Message(headers=((OWN_HEADER, "yes"),)), SECRET) is None


def test_answers() -> None:
    """An answer names it in either field; a forged one beside it changes nothing."""
    forged = ID.replace("17", "18", 1)

    assert answered_by(Message(in_reply_to=(ID,)), SECRET) == SENT
    assert answered_by(Message(in_reply_to=("x@y",), references=("a@b", ID, forged)), SECRET) == SENT
    assert answered_by(Message(references=(forged,), text=Untrusted(ID)), SECRET) is None


@pytest.mark.parametrize(
    "report",
    [
        Message(enclosed_ids=("1@relay.example", ID)),
        Message(in_reply_to=(ID,)),
        Message(text=Untrusted(f"Hi.\n--- Below this line is a copy.\n\nMessage-ID: <{ID}>\nSubject: x")),
        Message(text=Untrusted(f"Your message {ID}. was not delivered")),
    ],
    ids=["enclosed", "in-reply-to", "copied", "named"],
)
def test_reports(report: Message) -> None:
    """A report is about the mail that it encloses, answers or copies."""
    assert reported_by(report, SECRET) == SENT


def test_report_about_others() -> None:
    """A report about somebody else's mail, or about a forged id, is about none of ours."""
    forged = ID.replace("17", "18", 1)
    report = Message(enclosed_ids=("1@example.com", forged), text=Untrusted(f"Message-ID: <{forged}>"))

    assert reported_by(report, SECRET) is None
    assert reported_by(Message(references=tuple(f"{n}@x" for n in range(100)), in_reply_to=()), SECRET) is None


def test_long_text() -> None:
    """A text that is made to be searched slowly is searched fast."""
    text = Untrusted("triage.1.1." * 100_000 + "a-" * 100_000)

    assert reported_by(Message(text=text), SECRET) is None
