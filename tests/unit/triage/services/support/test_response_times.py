"""Response times: a reminder, a breach, and their end."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from triage.domain.channels.notices import NoticeKind
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Dialogue
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.services.support.response_times import ResponseTimes

SINCE = datetime(2026, 11, 20, 12, tzinfo=UTC)
WAITING = Dialogue(
    key="k",
    id=7,
    status=SupportStatus.ESCALATED,
    priority="P2",
    ticket="HARB-9",
    escalated_at=SINCE,
    respond_by=SINCE + timedelta(hours=2),
)
TICKET = Ticket(key="HARB-9", summary=Untrusted("Refund"), status="To Do", category="new", issue_type="Task")


@dataclass
class World:
    """A clock, conversations and tickets in memory."""

    moment: datetime
    waits: tuple[Dialogue, ...] = (WAITING,)
    ticket: Ticket = TICKET
    ended: list[int] = field(default_factory=list)

    def now(self) -> datetime:
        """The time."""
        return self.moment

    async def waiting(self) -> tuple[Dialogue, ...]:
        """Those that wait."""
        return self.waits

    async def answered(self, number: int) -> None:
        """Remember."""
        self.ended.append(number)

    async def tickets(self, keys: list[str]) -> tuple[Ticket, ...]:
        """The ticket."""
        return (self.ticket,) if self.ticket.key in keys else ()


async def told(world: World) -> list[NoticeKind]:
    """Kinds of what is told."""
    parts: Any = world
    return [one.kind for one in await ResponseTimes(dialogues=parts, tickets=parts, clock=parts).notices()]


async def test_a_reminder_then_a_breach() -> None:
    """Nothing at first, a reminder after three quarters of the time, a breach when it is over; each has its own key."""
    moments = [SINCE + timedelta(minutes=minutes) for minutes in (60, 90, 120)]

    assert [await told(World(one)) for one in moments] == [[], [NoticeKind.RESPONSE_DUE], [NoticeKind.RESPONSE_LATE]]


async def test_who_begins_the_ticket_ends_the_time() -> None:
    """A moved ticket ends it; a conversation without ticket waits on."""
    late = SINCE + timedelta(hours=3)
    moved = World(late, ticket=replace(TICKET, category="indeterminate"))
    bare = World(late, waits=(replace(WAITING, ticket=""), replace(WAITING, respond_by=None, ticket="")))

    assert (await told(moved), moved.ended) == ([], [7])
    assert await told(bare) == [NoticeKind.RESPONSE_LATE]
