"""TicketWrites after a restored database, and of a worker that was overtaken."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from tests.servers.sandbox import RunningJira
from tests.unit.triage.effects.ticket_writes import POST, only, posts, writing_of
from triage.domain.effects import EffectState
from triage.domain.errors import (
    LeaseLost,
    WriteUnconfirmed,
)
from triage.domain.tickets import TicketDraft
from triage.toolsets.tickets.effects import TicketWrites
from triage_sandbox.jira import Fault

DRAFT = TicketDraft(summary="Zeppelin export fails", description="At 99 %.", issue_type="Bug", priority="High")


async def test_the_mark_is_the_mail(
    writing: TicketWrites, store: SqlStore, cloud_tracker: JiraTracker, clock: HeldClock
) -> None:
    """Marks come from the mail and the key: the same under any case number, another one for every other mail."""
    second = await writing_of(store, cloud_tracker, clock, 2)
    moved = replace(second, effects=replace(second.effects, fingerprint=writing.effects.fingerprint))
    keyed = replace(writing, effects=replace(writing.effects, secret=b"t" * 32))

    def label(w: TicketWrites, kind: str = "create") -> str:
        return w.effects.effect(kind, "HARB-1" if kind == "comment" else "", "1", "").label

    assert (writing.effects.case, moved.effects.case) == ("case-1", "case-2")
    assert label(writing) == label(moved)
    assert len({label(writing), label(second), label(keyed), label(writing, "comment")}) == 4


async def test_restored_books_adopt(
    writing: TicketWrites, tmp_path: Path, cloud_tracker: JiraTracker, clock: HeldClock, cloud_jira: RunningJira
) -> None:
    """A database that does not know the ticket finds it by its mark, under another case, and makes no second one."""
    made = await writing.create(DRAFT, "HARB", "1")
    async with another(tmp_path, clock) as older:
        await older.inbox.accept(mail(7))
        restored = await writing_of(older, cloud_tracker, clock)
        adopted = await restored.made_before(
            [await cloud_tracker.tickets.get("HARB-3"), await cloud_tracker.tickets.get(made.key)], "HARB"
        )
        again = await restored.create(DRAFT, "HARB", "1")

        assert (restored.effects.case, adopted, again.key) == ("case-2", made, made.key)
        assert (await only(restored)).state is EffectState.DONE
    assert posts(cloud_jira) == 1


@pytest.mark.parametrize("late", [True, False])
async def test_restored_books_find_the_comment(
    writing: TicketWrites,
    tmp_path: Path,
    cloud_tracker: JiraTracker,
    clock: HeldClock,
    cloud_jira: RunningJira,
    *,
    late: bool,
) -> None:
    """A mail that came late is looked for on the ticket before it is commented; one in time costs no look, and no comment is another's."""
    first = await writing.comment("HARB-3", "More to it.", "1")
    async with another(tmp_path, clock) as older:
        await older.inbox.accept(mail(7))
        restored = await writing_of(older, cloud_tracker, clock)
        restored = replace(restored, effects=replace(restored.effects, late=late))
        again = await restored.comment("HARB-3", "More to it, in other words.", "1")
        await restored.comment("HARB-4", "More to it.", "1")

        states = [effect.state for effect in await restored.effects.ledger.effects()]
        assert (again == first, states) == (late, [EffectState.DONE] * 2)
    assert (posts(cloud_jira, "/comment$"), len(cloud_jira.requests("GET", "/comment$"))) == (
        (2, 2) if late else (3, 0)
    )


async def test_a_ticket_that_people_have_moved_is_made(writing: TicketWrites, cloud_jira: RunningJira) -> None:
    """Whether its answer had arrived or not; numbers of the other project are none of ours."""
    cloud_jira.app.site.db.run("UPDATE project SET counter = 4000 WHERE key = 'HELP'")
    cloud_jira.fault(Fault(do="reset_after", **POST))
    with pytest.raises(WriteUnconfirmed):
        await writing.create(DRAFT, "HARB", "1")
    with cloud_jira.client() as client:
        client.post("/__sandbox__/move", json={"issue": "HARB-71", "project": "HELP"}).raise_for_status()
    made = await writing.create(DRAFT, "HARB", "1")
    again = await writing.create(DRAFT, "HARB", "1")
    seen = await writing.effects.ledger.highest("HARB")

    assert (made.key, again.key, posts(cloud_jira), seen) == ("HELP-4001", "HELP-4001", 1, 0)


async def test_nothing_foreign_is_adopted(
    writing: TicketWrites, tmp_path: Path, cloud_tracker: JiraTracker, clock: HeldClock, cloud_jira: RunningJira
) -> None:
    """A mark that somebody has copied onto a ticket of his own makes it nobody else's."""
    label = writing.effects.effect("create", "", "1", "").label
    with cloud_jira.api("2") as api:  # no account but the bot's can log in here, so the label is put on a seeded ticket
        api.put("/issue/HARB-3", json={"fields": {"labels": [label]}}).raise_for_status()
    ticket = await cloud_tracker.tickets.get("HARB-3")

    assert ticket.labels == (label,)
    assert await writing.made_before([ticket], "HARB") is None
    assert await writing.effects.ledger.effects() == ()


async def test_known_tickets_are_not_adopted(writing: TicketWrites, cloud_tracker: JiraTracker) -> None:
    """A replay is free to decide anew: what our books know is no find."""
    made = await writing.create(DRAFT, "HARB", "1")

    assert await writing.made_before([await cloud_tracker.tickets.get(made.key)], "HARB") is None


@asynccontextmanager
async def another(folder: Path, clock: HeldClock) -> AsyncIterator[SqlStore]:
    """A second database."""
    opened = await open_store(f"sqlite:///{migrated(folder / 'restored.db')}", clock)
    try:
        yield opened
    finally:
        await opened.close()


async def test_a_worker_that_was_overtaken_writes_nothing(
    writing: TicketWrites, store: SqlStore, clock: HeldClock, cloud_jira: RunningJira
) -> None:
    """When the lease has gone to somebody else, no request leaves the house."""
    await clock.sleep(2 * 10**6)
    await store.jobs.lease_case("case-1", "another", 60)

    with pytest.raises(LeaseLost):
        await writing.create(DRAFT, "HARB", "1")
    with pytest.raises(LeaseLost):
        await writing.comment("HARB-3", "hi", "1")
    with pytest.raises(LeaseLost):
        await writing.transition("HARB-3", "Done", "1")
    assert cloud_jira.requests("POST", "/(issue|comment|transitions)$") == []
