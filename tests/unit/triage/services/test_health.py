"""What health says of the store and of mailboxes, and that a check of a large store delays nothing."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from triage.domain.approvals import Pause
from triage.domain.errors import StoreDown
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.ports import Clock, KillSwitch, Mailboxes, StoreHealth
from triage.services.health import HealthService

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
PAUSE = Pause(by="grace", why="the wrong project", since=NOW)


@dataclass
class Store:
    """A store that does badly where a test says so."""

    unclean: bool = True
    down: bool = False
    full: bool = False
    damaged: bool = False
    hangs: bool = False
    log: list[str] = field(default_factory=list)

    async def probe(self) -> None:
        """As the port says."""
        if self.down:
            raise StoreDown("away")

    async def look_for_room(self) -> None:
        """As the port says."""
        if self.full:
            raise StoreDown("full")

    async def missing_indexes(self) -> tuple[str, ...]:
        """As the port says."""
        return ("CREATE INDEX x",)

    async def newer_tables(self) -> str:
        """As the port says."""
        return "9999"

    async def check(self) -> None:
        """As the port says."""
        self.log.append("check")
        if self.damaged:
            raise StoreDown("damaged")
        try:
            await asyncio.sleep(3600 if self.hangs else 0)
        finally:
            self.log.append("checked")


@dataclass
class Cursors:
    """Mailboxes that were watched."""

    known: tuple[SyncCursor, ...] = ()

    async def cursors(self) -> tuple[SyncCursor, ...]:
        """As the port says."""
        return self.known


class Switch:
    """The kill switch, which a person has thrown or not."""

    def __init__(self, pause: Pause | None = None) -> None:
        self._pause = pause

    async def paused(self) -> Pause | None:
        """The pause that stands."""
        return self._pause


class Morning:
    """A clock that stands still."""

    def now(self) -> datetime:
        """Nine o'clock."""
        return NOW


def service(store: Store, *cursors: SyncCursor) -> HealthService:
    """The service over both."""
    return HealthService(
        store=cast("StoreHealth", store),
        cursors=cast("Mailboxes", Cursors(cursors)),
        kill_switch=cast("KillSwitch", Switch(PAUSE)),
        clock=cast("Clock", Morning()),
        poll_seconds=120,
        redact=lambda name: f"redacted {name}",
    )


@pytest.mark.parametrize(
    ("store", "parts"),
    [
        (Store(), {"database": True, "room": True}),
        (Store(down=True), {"database": False, "room": True}),
        (Store(full=True), {"database": True, "room": False}),
    ],
    ids=["well", "down", "full"],
)
async def test_parts(store: Store, parts: dict[str, bool]) -> None:
    """Each part is told by its name, and one that fails hides no other."""
    assert await service(store).parts() == parts


async def test_a_conflict_of_settings_is_a_broken_part() -> None:
    """Where another process on the database writes to another Jira project, this one is not ready."""
    conflicting = replace(service(Store()), settings_conflict=lambda: "another process")

    assert await conflicting.parts() == {"database": True, "room": True, "jira_settings": False}


async def test_missing_indexes_are_told() -> None:
    """What an administrator of the database has to make, as the store says it."""
    assert await service(Store()).missing_indexes() == ("CREATE INDEX x",)


async def test_newer_tables_are_told() -> None:
    """The revision that a newer version has made, as the store says it."""
    assert await service(Store()).newer_tables() == "9999"


async def test_a_pause_is_told() -> None:
    """Who has stopped all writing, and since when."""
    assert await service(Store()).pause() == PAUSE


async def test_mailboxes() -> None:
    """Trouble, missing mails and a mailbox that nobody watches are told; names may be shown to anybody."""
    well = SyncCursor(name="a", account="a@b", phase=Phase.IDLE, complete_at=NOW, changed_at=NOW, floor=NOW)
    late = SyncCursor(
        name="b", account="a@b", phase=Phase.IDLE, complete_at=NOW - timedelta(hours=1), changed_at=NOW, floor=NOW
    )
    found = await service(Store(), well, late).mailboxes()

    assert [one.public_name for one in found] == ["redacted a", "redacted b"]
    assert [bool(one.trouble) for one in found] == [False, True]


@pytest.mark.parametrize("unclean", [True, False])
async def test_only_an_unclean_store_is_checked_beside_the_work(*, unclean: bool) -> None:
    """A store that was closed is not read through at each start; the work is done either way."""
    store = Store(unclean=unclean)

    async def work() -> None:
        await asyncio.sleep(0)
        store.log.append("work")

    await service(store).beside_check(work())

    assert ("check" in store.log, "work" in store.log) == (unclean, True)


async def test_a_check_is_broken_off_with_the_work() -> None:
    """The end of a service waits for no check of a large store."""
    store = Store(hangs=True)

    async def work() -> None:
        await asyncio.sleep(0)
        store.log.append("work")

    await service(store).beside_check(work())

    assert store.log == ["check", "work", "checked"]


async def test_a_damaged_store_ends_the_work() -> None:
    """Nobody writes into a store that turns out to be damaged."""
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("work")

    with pytest.raises(StoreDown, match="damaged"):
        await service(Store(damaged=True)).beside_check(work())

    assert ended == ["work"]
