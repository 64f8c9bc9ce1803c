"""Free slots lie in working hours, never in a busy period, and leave a choice of days."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.free_slots import free_periods, free_slots, merged, wished_days
from triage.policy.calendar.working_hours import working_periods

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
WEEK = Period(MONDAY, MONDAY + timedelta(days=7))
HOURS = WorkingHours()
HALF = timedelta(minutes=30)


def _at(day: int, hour: float, length: float = 1) -> Period:
    start = MONDAY + timedelta(days=day, hours=hour)
    return Period(start, start + timedelta(hours=length))


def test_periods_merge() -> None:
    """Periods that overlap or touch become one, empty ones vanish, others stay apart."""
    assert merged([_at(0, 12), _at(0, 9), _at(0, 10), _at(1, 9, 0), _at(0, 9.5)]) == (_at(0, 9, 2), _at(0, 12))


def test_what_is_left_of_a_day() -> None:
    """Busy periods outside the hours take nothing; one over the whole day leaves nothing of it."""
    busy = [_at(0, 7), _at(0, 8, 2), _at(0, 12), _at(0, 20), _at(1, 0, 24)]

    assert list(free_periods(busy, HOURS, Period(MONDAY, MONDAY + timedelta(days=2)))) == [_at(0, 10, 2), _at(0, 13, 4)]


def test_two_slots_a_day() -> None:
    """The first slots begin at full and half hours, two a day and two hours apart, and no more than asked for."""
    busy = [Period(MONDAY + timedelta(hours=9), MONDAY + timedelta(hours=9, minutes=10)), _at(1, 9, 8)]

    assert free_slots(busy, HOURS, WEEK, timedelta(hours=1), 3) == (_at(0, 9.5), _at(0, 11.5), _at(2, 9))
    assert free_slots([], HOURS, WEEK, timedelta(hours=9), 3) == ()


@given(st.lists(st.tuples(st.integers(-600, 10_000), st.integers(0, 700)), max_size=30))
def test_no_slot_is_taken(busy: list[tuple[int, int]]) -> None:
    """Whatever is busy, each slot lies in working hours and touches no busy period."""
    taken = [Period(MONDAY + timedelta(minutes=at), MONDAY + timedelta(minutes=at + long)) for at, long in busy]

    for slot in free_slots(taken, HOURS, WEEK, HALF, 10):
        assert any(open_.start <= slot.start and slot.end <= open_.end for open_ in working_periods(HOURS, WEEK))
        assert all(one.end <= slot.start or slot.end <= one.start for one in taken if one.start < one.end)


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
