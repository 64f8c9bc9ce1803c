"""The calendar tool shows busy periods without titles, and free slots in working hours."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.unit.triage.toolsets.letters.desk import at_desk
from triage.domain.calendar.periods import Period, WorkingHours
from triage.domain.errors import SourceDown, ToolRefused
from triage.domain.letters import LetterKind, LetterState
from triage.toolsets.context import Rules
from triage.toolsets.meetings.tools import check_calendar, propose_meeting

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
LUNCH = Period(MONDAY + timedelta(hours=11), MONDAY + timedelta(hours=12))


@dataclass
class Time:
    """A clock that stands still."""

    moment: datetime = MONDAY + timedelta(hours=6, minutes=40)

    def now(self) -> datetime:
        """The moment."""
        return self.moment

    async def sleep(self, seconds: float) -> None:
        """Nobody waits here."""


@dataclass
class Busy:
    """A calendar with these periods, or one that cannot be read."""

    periods: tuple[Period, ...] = (LUNCH,)
    down: bool = False

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """The periods, whatever is asked."""
        if self.down:
            raise SourceDown("calendar work", "answers 503")
        return self.periods


@dataclass
class At:
    """What the tool reads."""

    clock: Time
    calendar: Busy | None
    rules: Rules


def _at(calendar: Busy | None) -> At:
    return At(Time(), calendar, Rules(hours=WorkingHours(zone="Europe/Prague")))


async def test_busy_and_free() -> None:
    """Times are local; a slot begins two hours from now at the earliest, and none overlaps a busy period."""
    asked = {"start": datetime(2026, 11, 23, 8), "end": datetime(2026, 11, 24, 18), "minutes": 60}  # noqa: DTZ001 - a model writes no zone

    told = await check_calendar.function(_at(Busy()), **asked)

    assert told == {
        "zone": "Europe/Prague",
        "busy": ["Mon 2026-11-23 12:00-13:00"],
        "free": [
            "Mon 2026-11-23 10:00-11:00",
            "Mon 2026-11-23 13:00-14:00",
            "Tue 2026-11-24 09:00-10:00",
            "Tue 2026-11-24 11:00-12:00",
        ],
    }


async def test_what_is_past_is_not_free() -> None:
    """Of a period that is over nothing is free, and a busy one over midnight names both days."""
    night = Period(MONDAY - timedelta(hours=3), MONDAY + timedelta(hours=1))

    told = await check_calendar.function(_at(Busy((night,))), start=MONDAY - timedelta(days=1), end=MONDAY)

    assert told["free"] == []
    assert told["busy"] == ["Sun 2026-11-22 22:00-2026-11-23 02:00"]


async def test_a_calendar_that_is_down_frees_nothing() -> None:
    """The model is told that the time is unknown."""
    told = await check_calendar.function(_at(Busy(down=True)), start=MONDAY, end=MONDAY + timedelta(days=1))

    assert set(told) == {"error"}
    assert "503" in told["error"]


@pytest.mark.parametrize(
    ("calendar", "days", "told"),
    [(None, 1, "no calendar"), (Busy(), 0, "after start"), (Busy(), 32, "at most 31 days")],
)
async def test_what_cannot_be_asked(calendar: Busy | None, days: int, told: str) -> None:
    """Without a calendar, and for a period that is none or endless, the refusal says so."""
    with pytest.raises(ToolRefused, match=told):
        await check_calendar.function(_at(calendar), start=MONDAY, end=MONDAY + timedelta(days=days))


ASKED = {"start": datetime(2026, 11, 23, 9, tzinfo=UTC), "title": "Barcodes", "body": "Shall we talk?", "minutes": 45}


async def test_an_invitation_lies_before_a_person() -> None:
    """The draft goes to the sender with a calendar file, is the same when made again, and nothing is sent."""
    async with at_desk() as at:
        told = await propose_meeting.function(at.context, **ASKED)
        again = await propose_meeting.function(at.context, **ASKED)
        [letter] = await at.letters()

    assert {**told, "letter": 0} == {**again, "letter": 0}
    assert (told["status"], told["to"]) == ("drafted", ["ada@acme.example", "bob@acme.example"])
    assert told["when"] == "Mon 2026-11-23 09:00-09:45"
    assert (letter.kind, letter.state, letter.draft) == (LetterKind.MEETING, LetterState.WAITING, True)
    assert b"mailto:ada@acme.example" in letter.files[0].content.replace(b"\r\n ", b"")


@pytest.mark.parametrize(
    ("calendar", "told"),
    [(Busy((Period(MONDAY, MONDAY + timedelta(hours=12)),)), "busy then"), (Busy(down=True), "without it")],
)
async def test_no_invitation_for_a_time_that_is_not_free(calendar: Busy, told: str) -> None:
    """A busy time and one that nobody can look up are refused."""
    async with at_desk() as at:
        with pytest.raises(ToolRefused, match=told):
            await propose_meeting.function(replace(at.context, calendar=calendar), **ASKED)


async def test_no_invitation_without_a_guest_or_a_future() -> None:
    """A past time, a mail without a sender and an installation without letters have none."""
    async with at_desk(sender=None) as at:
        with pytest.raises(ToolRefused, match="no sender"):
            await propose_meeting.function(at.context, **ASKED)
    async with at_desk() as at:
        with pytest.raises(ToolRefused, match="past"):
            await propose_meeting.function(at.context, **{**ASKED, "start": datetime(2020, 1, 1, tzinfo=UTC)})
        with pytest.raises(ToolRefused, match="SMTP_HOST"):
            await propose_meeting.function(replace(at.context, letters=None), **ASKED)
