"""Response times: a reminder, a breach, and their end."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from triage.domain.channels.notices import NoticeKind
from triage.domain.errors import TrackerDown
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Dialogue
from triage.domain.support.service_timers import ServiceTimer
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
TIMER = ServiceTimer(name="Time to first response", running=True, breaches_at=SINCE + timedelta(hours=8))
TICKET = Ticket(key="HARB-9", summary=Untrusted("Refund"), status="To Do", category="new", issue_type="Task")


@dataclass
class World:
    """A clock, conversations and tickets in memory."""

    moment: datetime
    waits: tuple[Dialogue, ...] = (WAITING,)
    ticket: Ticket = TICKET
    jira: tuple[ServiceTimer, ...] | None = ()
    """None: Jira is down."""
    moved: list[tuple[int, datetime | None]] = field(default_factory=list)
    asked: list[datetime] = field(default_factory=list)

    def now(self) -> datetime:
        """The time."""
        return self.moment

    async def waiting(self) -> tuple[Dialogue, ...]:
        """Those that wait."""
        return self.waits

    async def respond_by(self, number: int, due: datetime | None) -> None:
        """Remember."""
        self.moved.append((number, due))
        self.waits = tuple(replace(one, respond_by=due) for one in self.waits)

    async def timers(self, key: str) -> tuple[ServiceTimer, ...]:
        """What Jira counts of the ticket."""
        self.asked.append(self.moment)
        if self.jira is None:
            raise TrackerDown(detail=key)
        return self.jira

    async def tickets(self, keys: list[str]) -> tuple[Ticket, ...]:
        """The ticket."""
        return (self.ticket,) if self.ticket.key in keys else ()


def watch(world: World) -> ResponseTimes:
    """The watch over this world."""
    parts: Any = world
    return ResponseTimes(dialogues=parts, tickets=parts, reader=parts, clock=parts, sla=lambda: TIMER.name)


async def told(world: World) -> list[NoticeKind]:
    """Kinds of what is told."""
    return [one.kind for one in await watch(world).notices()]


async def test_a_reminder_then_a_breach() -> None:
    """Nothing at first, a reminder after three quarters of the time, a breach when it is over; each has its own key."""
    moments = [SINCE + timedelta(minutes=minutes) for minutes in (60, 90, 120)]

    assert [await told(World(one)) for one in moments] == [[], [NoticeKind.RESPONSE_DUE], [NoticeKind.RESPONSE_LATE]]


async def test_who_begins_the_ticket_ends_the_time() -> None:
    """A moved ticket ends it; a conversation without ticket waits on."""
    late = SINCE + timedelta(hours=3)
    moved = World(late, ticket=replace(TICKET, category="indeterminate"))
    bare = World(late, waits=(replace(WAITING, ticket=""), replace(WAITING, respond_by=None, ticket="")))

    assert (await told(moved), moved.moved) == ([], [(7, None)])
    assert await told(bare) == [NoticeKind.RESPONSE_LATE]


async def test_jira_s_timer_decides_where_there_is_one() -> None:
    """Its moment replaces ours; while it pauses nothing is told; a status moved by hand is no answer, but an end of the timer is."""
    late, paused = SINCE + timedelta(hours=3), replace(TIMER, paused=True)
    begun = replace(TICKET, category="indeterminate")
    counts, waits = World(late, ticket=begun, jira=(TIMER,)), World(SINCE + timedelta(hours=9), jira=(paused,))
    met = World(late, jira=(replace(TIMER, running=False, breaches_at=None),))

    assert (await told(counts), counts.moved) == ([], [(7, TIMER.breaches_at)])
    assert (await told(waits), waits.moved) == ([], [])
    assert (await told(met), met.moved) == ([], [(7, None)])
    assert await told(World(SINCE + timedelta(hours=8), jira=(TIMER,))) == [NoticeKind.RESPONSE_LATE]


async def test_jira_is_asked_every_five_minutes_and_before_a_notice() -> None:
    """Between them the last reading is believed, also that there is none; whoever answers just before the end is not accused."""
    world = World(SINCE, jira=(TIMER,))
    looks = watch(world)
    hours = SINCE + timedelta(hours=6)
    moments = [SINCE, SINCE + timedelta(minutes=4), SINCE + timedelta(minutes=5), hours - timedelta(seconds=10), hours]
    for moment in moments:
        world.moment = moment
        kinds = [one.kind for one in await looks.notices()]
    world.jira, world.moment = (replace(TIMER, running=False),), SINCE + timedelta(hours=8)

    assert (world.asked, kinds) == ([moments[0], *moments[2:]], [NoticeKind.RESPONSE_DUE])
    assert await looks.notices() == ()
    assert world.moved[-1] == (7, None)


async def test_what_jira_said_last_counts_while_it_is_down() -> None:
    """Nobody is told too early because a request failed; and without any reading our own time counts. Who has left is forgotten."""
    world = World(SINCE, jira=(TIMER,))
    looks = watch(world)
    await looks.notices()
    world.jira, world.moment = None, SINCE + timedelta(hours=3)

    assert await looks.notices() == ()
    assert await told(World(SINCE + timedelta(hours=3), jira=None)) == [NoticeKind.RESPONSE_LATE]
    world.waits = ()
    assert await looks.notices() == ()
    world.waits = (WAITING,)
    assert [one.kind for one in await looks.notices()] == [NoticeKind.RESPONSE_LATE]
