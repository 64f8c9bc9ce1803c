"""The days on which somebody wants to meet are those of his question, and lie ahead."""

from datetime import UTC, date, datetime

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.wished_days import wished_days

THURSDAY = datetime(2026, 11, 26, 15, tzinfo=UTC)
TUESDAY, WEDNESDAY, FRIDAY = date(2026, 12, 1), date(2026, 12, 2), date(2026, 11, 27)


def days(text: str, *asked: str, language: str = "en") -> tuple[date, ...]:
    """What a mail of Thursday wishes."""
    return wished_days(Message(text=Untrusted(text), date=THURSDAY), asked, language, THURSDAY)


@pytest.mark.parametrize(
    ("text", "asked", "language", "wished"),
    [
        ("Could we meet next Tuesday or Wednesday?", ("could we meet",), "en", (TUESDAY, WEDNESDAY)),
        ("Können wir uns am Mittwoch treffen?", ("können wir uns",), "de", (WEDNESDAY,)),
        ("Since Friday it fails. Could we meet on Tuesday?", ("could we meet",), "en", (TUESDAY,)),
        ("Tuesday suits me. Shall we meet?", ("shall we meet",), "en", (TUESDAY,)),
        ("Could we meet tomorrow?", (), "en", (FRIDAY,)),
        ("Could we meet on 24 November, or in July? The contract ends on 1 June 2027.", ("could we meet",), "en", ()),
        ("Could we meet?", ("could we meet",), "en", ()),
    ],
    ids=["two days", "another language", "told before", "named before", "tomorrow", "past and far", "no day"],
)
def test_wished_days(text: str, asked: tuple[str, ...], language: str, wished: tuple[date, ...]) -> None:
    """A day that is told before the question counts only where the question names none; what is past or far ahead never."""
    assert days(text, *asked, language=language) == wished


def test_a_mail_without_a_date() -> None:
    """Its days count from the moment at which it is read."""
    mail = Message(text=Untrusted("Could we meet tomorrow?"))

    assert wished_days(mail, (), "en", THURSDAY) == (FRIDAY,)
