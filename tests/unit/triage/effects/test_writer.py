"""TicketWrites at most once, against a real database and a sandbox Jira in trouble, with a clock moved by hand."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore
from tests.conftest import PATIENCE
from tests.contract.store.store_samples import HeldClock
from tests.servers.sandbox import RunningJira
from tests.unit.triage.effects.ticket_writes import COMMENT, POST, SETTLE, no_pause, only, posts, tracker_of, writing_of
from triage.domain.effects import EffectState
from triage.domain.errors import (
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    TriageError,
    WriteUnconfirmed,
)
from triage.domain.ports import TrackerView
from triage.domain.tickets import TicketDraft
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult, by_name
from triage.effects.writer import MAX_SENDS, SEARCHES_PER_PAUSE, WriteLost
from triage.toolsets.tickets.effects import TicketWrites
from triage_sandbox.jira import Fault

DRAFT = TicketDraft(summary="Zeppelin export fails", description="At 99 %.", issue_type="Bug", priority="High")


async def until(holds: Callable[[], bool]) -> None:
    """Wait for it."""
    while not holds():
        await asyncio.sleep(0.02)


# --- our own faults -------------------------------------------------------------------------------


async def test_what_fails_before_the_first_byte_is_never_unknown(
    writing: TicketWrites, cloud_jira: RunningJira
) -> None:
    """A value that our own code cannot write down fails the write, not its answer: the next try sends at once."""
    broken = replace(DRAFT, due_date="2026-12-01")  # type: ignore[arg-type] # as a text it stands for any such fault
    with pytest.raises(AttributeError):
        await writing.create(broken, "HARB", "1")
    refused = await only(writing)
    made = await writing.create(replace(DRAFT, due_date=date(2026, 12, 1)), "HARB", "1")

    assert (refused.state, "nothing was sent: AttributeError" in refused.note) == (EffectState.REFUSED, True)
    assert ((await only(writing)).state, posts(cloud_jira), made.key) == (EffectState.DONE, 1, "HARB-71")


async def test_a_fault_of_ours_after_the_first_byte_stays_unknown(
    writing: TicketWrites, cloud_tracker: JiraTracker, cloud_jira: RunningJira
) -> None:
    """Where the POST has left and then our code fails, the ticket is looked for and adopted, not made twice."""

    async def breaks(to: TrackerView, intent: WriteIntent[str]) -> WriteResult:
        await to.comments.comment("HARB-1", intent.body, intent.mark)
        raise ZeroDivisionError

    effects = replace(writing.effects, kinds=by_name(EffectKind(name="comment", send=breaks)))
    with pytest.raises(ZeroDivisionError):
        await effects.once("comment", cloud_tracker.view(), "x", target="HARB-1")

    assert ((await only(writing)).state, posts(cloud_jira, "/comment$")) == (EffectState.UNKNOWN, 1)


# --- tickets --------------------------------------------------------------------------------------


async def test_a_ticket_is_made_once(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """The same effect again gives the same ticket without asking Jira to make one, whatever the draft says now."""
    first = await writing.create(DRAFT, "HARB", "1")
    again = await writing.create(replace(DRAFT, summary="In other words"), "HARB", "1")

    assert (first, posts(cloud_jira)) == (again, 1)
    effect = await only(writing)
    assert (effect.state, effect.result, effect.posts, effect.above) == (EffectState.DONE, first.key, 1, 70)


async def test_two_effects_are_two_tickets(writing: TicketWrites) -> None:
    """The ordinal tells them apart."""
    first, second = await writing.create(DRAFT, "HARB", "1"), await writing.create(DRAFT, "HARB", "2")

    assert first.key != second.key


@pytest.mark.parametrize("fault", [Fault(do="answer", status=503, **POST), Fault(do="reset_after", **POST)])
async def test_a_lost_answer_is_unknown_and_settles(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock, fault: Fault
) -> None:
    """Nothing is sent while the lost one may still show; then it is adopted, or sent once more."""
    cloud_jira.fault(fault)
    with pytest.raises(WriteUnconfirmed):
        await writing.create(DRAFT, "HARB", "1")
    unknown = await only(writing)
    lost = fault.do == "answer"
    if lost:
        with pytest.raises(WriteUnconfirmed, match="looking for") as told:
            await writing.create(DRAFT, "HARB", "1")
        assert told.value.retry_after == SETTLE / SEARCHES_PER_PAUSE
        await clock.sleep(SETTLE - 1)
        with pytest.raises(WriteUnconfirmed, match="looking for") as told:
            await writing.create(DRAFT, "HARB", "1")
        assert told.value.retry_after == 1
        assert posts(cloud_jira) == 1
        await clock.sleep(1)
    made = await writing.create(DRAFT, "HARB", "1")
    effect = await only(writing)

    assert unknown.state is EffectState.UNKNOWN
    assert (effect.state, effect.result, effect.posts) == (EffectState.DONE, made.key, 2 if lost else 1)
    assert (posts(cloud_jira), await writing.tracker.tickets.newest()) == (2 if lost else 1, 71)


async def test_a_clock_that_is_set_back_begins_the_pause_anew(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock
) -> None:
    """A write that was lost while the clock was a day ahead is sent once more after its pause, not after a day."""
    cloud_jira.fault(Fault(do="answer", status=500, count=1, **POST))
    with pytest.raises(WriteUnconfirmed):
        await writing.create(DRAFT, "HARB", "1")
    await clock.sleep(-86_400)
    with pytest.raises(WriteUnconfirmed, match="looking for"):
        await writing.create(DRAFT, "HARB", "1")
    early = posts(cloud_jira)
    await clock.sleep(SETTLE)
    made = await writing.create(DRAFT, "HARB", "1")

    assert (early, posts(cloud_jira), made.key) == (1, 2, "HARB-71")


async def test_a_killed_worker_leaves_an_intent(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock
) -> None:
    """An intent without an answer is treated as one whose answer was lost: looked for, waited for, sent once more."""
    await writing.effects.ledger.intend(replace(writing.effects.effect("create", "", "1", ""), above=70))
    with pytest.raises(WriteUnconfirmed, match="looking for"):
        await writing.create(DRAFT, "HARB", "1")
    sent_early = posts(cloud_jira)
    await clock.sleep(SETTLE)
    made = await writing.create(DRAFT, "HARB", "1")

    assert (sent_early, posts(cloud_jira), made.key) == (0, 1, "HARB-71")


async def test_a_bad_hour_of_jira_is_waited_out(store: SqlStore, cloud_jira: RunningJira, clock: HeldClock) -> None:
    """As long as answers get lost it is sent again after ever longer pauses, and not once before; then it is made."""
    tracker = tracker_of(cloud_jira, now=lambda: clock.now().timestamp())
    writing = await writing_of(store, tracker, clock)
    cloud_jira.fault(Fault(do="answer", status=502, count=5, **POST))
    sent: dict[int, float] = {}
    while not sent or (await only(writing)).state is not EffectState.DONE:
        with suppress(WriteUnconfirmed):
            await writing.create(DRAFT, "HARB", "1")
        sent.setdefault(posts(cloud_jira), clock.now().timestamp())
        await clock.sleep(SETTLE / 3)
    await tracker.close()
    pauses = [round((later - earlier) / SETTLE) for earlier, later in pairwise(sent.values())]

    assert pauses == [1, 3, 10, 10, 10]
    assert (len(sent), (await only(writing)).posts, (await only(writing)).result) == (6, 6, "HARB-71")


async def test_after_an_hour_a_person_looks(writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock) -> None:
    """What is still lost then is lost: it is never sent again, however long one waits."""
    cloud_jira.fault(Fault(do="answer", status=500, count=0, **POST))
    for _ in range(MAX_SENDS):
        with pytest.raises(WriteUnconfirmed):
            await writing.create(DRAFT, "HARB", "1")
        await clock.sleep(10 * SETTLE)
    for _ in range(3):
        with pytest.raises(WriteLost, match="look in Jira"):
            await writing.create(DRAFT, "HARB", "1")
        await clock.sleep(100 * SETTLE)

    assert (posts(cloud_jira), (await only(writing)).posts) == (MAX_SENDS, MAX_SENDS)


async def test_a_killed_second_post_settles_as_long(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock
) -> None:
    """The time before a third one runs from when its answer was found to be lost: it may still show, too."""
    cloud_jira.fault(Fault(do="answer", status=500, **POST))
    with pytest.raises(WriteUnconfirmed):
        await writing.create(DRAFT, "HARB", "1")
    await clock.sleep(SETTLE)
    await writing.effects.intend(await writing.effects._next_send(await only(writing)))
    await clock.sleep(100 * SETTLE)
    with pytest.raises(WriteUnconfirmed, match="looking for"):
        await writing.create(DRAFT, "HARB", "1")
    await clock.sleep(3 * SETTLE)
    made = await writing.create(DRAFT, "HARB", "1")

    assert (made.key, posts(cloud_jira), (await only(writing)).posts) == ("HARB-71", 2, 3)


NOT_SENT: list[tuple[Fault, type[TriageError]]] = [
    (Fault(do="answer", status=429, headers={"Retry-After": "1"}, **POST), TrackerBusy),
    (Fault(do="answer", status=401, **POST), TrackerDenied),
    (Fault(do="answer", status=400, body={"errors": {"summary": "No."}}, **POST), TrackerRejected),
]


@pytest.mark.parametrize(("fault", "refusal"), NOT_SENT, ids=["429", "401", "400"])
async def test_a_refused_second_post_says_nothing_of_the_first(
    store: SqlStore, cloud_jira: RunningJira, clock: HeldClock, fault: Fault, refusal: type[TriageError]
) -> None:
    """A first POST that Jira commits late, a second one that it refuses: the first is looked for all the same."""
    hasty, patient = tracker_of(cloud_jira, timeout=2), tracker_of(cloud_jira)
    writing = await writing_of(store, hasty, clock)
    cloud_jira.fault(Fault(do="delay", seconds=5, **POST))
    cloud_jira.fault(fault)
    with pytest.raises(WriteUnconfirmed):
        await writing.create(DRAFT, "HARB", "1")
    await hasty.close()
    again = replace(writing, tracker=patient.view())
    await clock.sleep(SETTLE)
    with pytest.raises(refusal):
        await again.create(DRAFT, "HARB", "1")
    doubtful = await only(writing)
    await until(lambda: cloud_jira.app.site.db.value("SELECT max(number) FROM issue") == 71)
    made = await again.create(DRAFT, "HARB", "1")
    await patient.close()

    assert (doubtful.state, doubtful.posts, made.key) == (EffectState.UNKNOWN, 1, "HARB-71")
    assert posts(cloud_jira) == 2


async def test_a_refused_second_comment_says_nothing_of_the_first(
    writing: TicketWrites, cloud_jira: RunningJira, clock: HeldClock
) -> None:
    """Comments likewise."""
    cloud_jira.fault(Fault(do="reset", **COMMENT))
    cloud_jira.fault(Fault(do="answer", status=429, headers={"Retry-After": "0"}, **COMMENT))
    with pytest.raises(WriteUnconfirmed):
        await writing.comment("HARB-3", "Hi.", "1")
    await clock.sleep(SETTLE)
    with pytest.raises(TrackerBusy):
        await writing.comment("HARB-3", "Hi.", "1")
    doubtful = await only(writing)
    await writing.comment("HARB-3", "Hi.", "1")
    done = await only(writing)

    assert (doubtful.state, doubtful.posts) == (EffectState.UNKNOWN, 1)
    assert (done.state, done.posts, done.note) == (EffectState.DONE, 2, "")


async def test_a_refusal_is_definite(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """What Jira refused was not written: it is noted with the reason, and may be tried again at once."""
    refusal = {"errors": {"summary": "No."}}
    cloud_jira.fault(Fault(do="answer", status=400, body=refusal, count=0, **POST))
    with pytest.raises(TrackerRejected):
        await writing.create(DRAFT, "HARB", "1")
    refused = await only(writing)
    cloud_jira.app.faults.clear()
    made = await writing.create(DRAFT, "HARB", "1")
    effect = await only(writing)

    assert (refused.state, "No." in refused.note) == (EffectState.REFUSED, True)
    assert (effect.state, effect.result, effect.note) == (EffectState.DONE, made.key, "")


async def test_dropped_fields_are_told(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """What Jira would not take stands beside the effect."""
    cloud_jira.fault(Fault(do="answer", status=400, body={"errors": {"priority": "No."}}, **POST))
    await writing.create(DRAFT, "HARB", "1")

    assert (await only(writing)).note == "without priority"


async def test_when_jira_is_away_nothing_was_written(tmp_path: Path, store: SqlStore, clock: HeldClock) -> None:
    """A connection that was never made leaves no doubt behind."""
    nobody = JiraTracker("http://127.0.0.1:9", "HARB", email="a@b.example", token="x", timeout=PATIENCE, sleep=no_pause)
    writing = await writing_of(store, nobody, clock)
    await writing.effects.ledger.saw("HARB", 70)
    with pytest.raises(TrackerDown):
        await writing.create(DRAFT, "HARB", "1")
    await nobody.close()

    assert (await only(writing)).state is EffectState.REFUSED
