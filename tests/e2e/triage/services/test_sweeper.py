"""Finds tickets made twice for one mail, closes the later one and links it to the first."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TrackerDown
from triage.domain.tickets import Mark, TicketDraft
from triage.services.sweeper import DuplicateTicket, Sweeper
from triage_sandbox.jira import Fault

MARK = Mark(label="triage-0123456789abcdef0123", case="case-7", message_hash="f00d")


DRAFT = TicketDraft(summary="Quetzal export stops", description="At line seven.", issue_type="Bug")


@pytest.fixture
async def tracker(any_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The adapter, on either Jira."""
    made = any_jira.tracker()
    yield made
    await made.close()


@pytest.fixture
def sweeper(tracker: JiraTracker) -> Sweeper:
    """Over that."""
    return Sweeper(tracker=tracker.view())


def links(jira: RunningJira, key: str) -> list[tuple[str, str]]:
    """Whom the ticket is tied to, and how."""
    with jira.api() as api:
        found: Any = api.get(f"/issue/{key}", params={"fields": "issuelinks"}).raise_for_status().json()
    return [(each["type"]["name"], each["outwardIssue"]["key"]) for each in found["fields"]["issuelinks"]]


async def test_doubles_are_closed_and_tied_to_the_first(
    sweeper: Sweeper, tracker: JiraTracker, any_jira: RunningJira
) -> None:
    """The oldest stays as it is; another mail's ticket and everybody else's are none of them."""
    first, second, third = [await tracker.writer.create(DRAFT, MARK) for _ in range(3)]
    other = await tracker.writer.create(
        DRAFT, Mark(label="triage-ffffffffffffffffffff", case="case-8", message_hash="beef")
    )

    assert await sweeper.sweep() == tuple(DuplicateTicket(key=each.key, of=first.key) for each in (second, third))
    assert [(await tracker.tickets.get(each.key)).open for each in (first, second, third, other)] == [
        True,
        False,
        False,
        True,
    ]
    assert links(any_jira, second.key) == links(any_jira, third.key) == [("Duplicate", first.key)]


async def test_two_leaders_at_once(tracker: JiraTracker, any_jira: RunningJira) -> None:
    """Two processes that both believe to lead sweep at the same moment: a double is closed and tied once, without trouble.

    The one that lists late finds all settled.
    """
    first, second = [await tracker.writer.create(DRAFT, MARK) for _ in range(2)]
    other = any_jira.tracker()
    both = [Sweeper(tracker=each.view()) for each in (tracker, other)]
    any_jira.fault(Fault(do="delay", method="GET", path="/transitions", seconds=0.5))

    swept = await asyncio.gather(*(sweeper.sweep() for sweeper in both))
    await other.close()

    settled = (DuplicateTicket(key=second.key, of=first.key),)
    assert settled in swept
    assert set(swept) <= {settled, ()}
    assert links(any_jira, second.key) == [("Duplicate", first.key)]
    assert not (await tracker.tickets.get(second.key)).open


async def test_what_is_settled_stays_as_people_leave_it(sweeper: Sweeper, tracker: JiraTracker) -> None:
    """A double that a person opens again is not closed a second time."""
    _, second = [await tracker.writer.create(DRAFT, MARK) for _ in range(2)]
    await sweeper.sweep()
    await tracker.writer.transition(second.key, "To Do")

    assert await sweeper.sweep() == ()
    assert (await tracker.tickets.get(second.key)).open


async def test_a_ticket_that_slips_to_the_next_page_is_no_double(
    sweeper: Sweeper, tracker: JiraTracker, any_jira: RunningJira
) -> None:
    """New tickets push others to the page that is read next; one that is seen twice was not made twice."""
    made = [await tracker.writer.create(DRAFT, _mark(number)) for number in range(101)]
    any_jira.fault(Fault(do="delay", method="POST", path="/search", nth=2, seconds=0.5))
    sweeping = asyncio.create_task(sweeper.sweep())
    while len(any_jira.requests("POST", "/search")) < 2:
        await asyncio.sleep(0.01)
    await tracker.writer.create(DRAFT, _mark(101))

    assert await sweeping == ()
    assert all([(await tracker.tickets.get(each.key)).open for each in made[:3]])


def _mark(number: int) -> Mark:
    return Mark(label=f"triage-{number:020x}", case=f"case-{number}", message_hash="f00d")


async def test_labels_of_people_make_no_double(sweeper: Sweeper, tracker: JiraTracker, any_jira: RunningJira) -> None:
    """Neither one that begins like ours, nor one of ours that somebody has copied to another ticket, or moved there."""
    made = [await tracker.writer.create(DRAFT, _mark(number)) for number in range(4)]
    changes = (
        [{"add": "triage-needed"}],
        [{"add": "triage-needed"}, {"add": _mark(0).label}],
        [{"set": [_mark(3).label]}],
    )
    with any_jira.api() as api:
        for ticket, change in zip(made, changes, strict=False):
            api.put(f"/issue/{ticket.key}", json={"update": {"labels": change}}).raise_for_status()

    assert await sweeper.sweep() == ()
    assert [(await tracker.tickets.get(each.key)).open for each in made] == [True] * 4


async def test_a_sweep_that_was_cut_short_is_finished_by_the_next(sweeper: Sweeper, tracker: JiraTracker) -> None:
    """Closed and not yet tied: the tie is what tells that all is done."""
    first, second = [await tracker.writer.create(DRAFT, MARK) for _ in range(2)]
    await tracker.writer.transition(second.key, "Done")

    assert await sweeper.sweep() == (DuplicateTicket(key=second.key, of=first.key),)
    assert await sweeper.sweep() == ()


async def test_an_empty_answer_is_no_peace(any_jira: RunningJira) -> None:
    """A Jira that takes us for a stranger has told nothing about doubles."""
    tracker = JiraTracker("http://127.0.0.1:9", "HARB", personal_token="x", timeout=1)

    with pytest.raises(TrackerDown):
        await Sweeper(tracker=tracker.view()).sweep()
    await tracker.close()
