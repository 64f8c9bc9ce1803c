"""Raw mails move out of the database: whatever is interrupted, each is in one place at least, and goes from all."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from integrations.objects.folder import FolderObjects
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.operations.forget_store import ended
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from triage.domain.operations.errors import ArchivedMailLost, ArchiveDown, MailGone
from triage.domain.ports import ObjectStore
from triage.services.archiving import GRACE, MailArchiving
from triage.services.operations.repeating import Repeated

MOMENTS = [(number, after) for number in range(4) for after in (False, True)]
"""Before and after each of the four awaits of a move: begin, put, get, keep."""


class Died(Exception):  # noqa: N818 - it is no error of ours
    """The process is gone."""


class Interrupted:
    """Does what the inner one does, and something else before or after one of the calls that all such count together."""

    def __init__(
        self, inner: Any, calls: Iterator[int], at: tuple[int, bool], what: Callable[[], Awaitable[None]]
    ) -> None:
        self._inner, self._calls, self._at, self._what = inner, calls, at, what

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        if name not in {"begin", "put", "get", "keep"}:
            return method

        async def called(*given: Any) -> Any:
            number = next(self._calls)
            if self._at == (number, False):
                await self._what()
            result = await method(*given)
            if self._at == (number, True):
                await self._what()
            return result

        return called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where mails go."""
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


@pytest.fixture
def objects(folder: Path) -> ObjectStore:
    """The archive."""
    return FolderObjects(folder)


@pytest.fixture
async def store(tmp_path: Path, clock: HeldClock, objects: ObjectStore) -> AsyncIterator[SqlStore]:
    """A store over that archive, with an ended case, some days ago."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock, objects=objects)
    await ended(store, 1)
    clock.time += timedelta(days=31)
    yield store
    await store.close()


@pytest.fixture
def archiving(store: SqlStore, objects: ObjectStore, clock: HeldClock) -> MailArchiving:
    """The service."""
    return MailArchiving(store=store.mail_archive, objects=objects, clock=clock, days=30)


def files(folder: Path) -> list[bytes]:
    """What is in the archive, unfinished files included."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def interrupted(archiving: MailArchiving, at: tuple[int, bool], what: Callable[[], Awaitable[None]]) -> MailArchiving:
    """The service, to which something happens at one of its awaits."""
    calls = iter(range(99))
    return MailArchiving(
        store=Interrupted(archiving.store, calls, at, what),
        objects=Interrupted(archiving.objects, calls, at, what),
        clock=archiving.clock,
        days=archiving.days,
    )


async def die() -> None:
    """End here."""
    raise Died


async def test_a_mail_moves_when_its_days_are_over(
    store: SqlStore, archiving: MailArchiving, clock: HeldClock, folder: Path
) -> None:
    """Not before; then it is read from the archive as from the database, by people and by a worker that decides again."""
    clock.time -= timedelta(days=2)
    early = await archiving.move()
    clock.time += timedelta(days=2)
    moved = [await archiving.move(), await archiving.move()]
    lease = await store.jobs.claim("case-1", "w", 60)
    again = await store.jobs.open(lease).cases.raw()

    assert (early, moved, files(folder)) == (0, [1, 0], [mail("1").raw])
    assert await store.archive.raw("case-1") == again == mail("1").raw
    assert await archiving.kept() == 1


@pytest.mark.parametrize("at", MOMENTS)
async def test_killed(store: SqlStore, archiving: MailArchiving, folder: Path, at: tuple[int, bool]) -> None:
    """At any point of a move the mail is still read, and the next one ends with one copy and no bytes in the database."""
    with pytest.raises(Died):
        await interrupted(archiving, at, die).move()
    meanwhile = await store.archive.raw("case-1")
    await archiving.move()

    assert meanwhile == await store.archive.raw("case-1") == mail("1").raw
    assert (files(folder), await archiving.kept()) == ([mail("1").raw], 1)


@pytest.mark.parametrize("dies", [True, False])
@pytest.mark.parametrize("at", MOMENTS)
async def test_forgotten_while_it_moves(
    store: SqlStore, archiving: MailArchiving, clock: HeldClock, folder: Path, at: tuple[int, bool], *, dies: bool
) -> None:
    """At any point, and even if the mover is killed right after it wrote the copy: in the end nothing of it is left anywhere."""

    async def forget() -> None:
        assert await store.forgetting.forget("case-1", "p", under_way=False) == ""
        await archiving.remove_unwanted()

    mover = interrupted(archiving, at, forget)
    if dies:
        mover = interrupted(mover, (1, True), die)
        await asyncio.gather(mover.move(), return_exceptions=True)
        if at > (1, True):
            await forget()
    else:
        await mover.move()
        assert files(folder) == []
    clock.time += GRACE
    await archiving.remove_unwanted()

    assert (files(folder), await archiving.store.unwanted(), await archiving.kept()) == ([], (), 0)
    with pytest.raises(MailGone):
        await store.archive.raw("case-1")


@pytest.mark.parametrize("at", MOMENTS)
async def test_worked_on_while_it_moves(store: SqlStore, archiving: MailArchiving, at: tuple[int, bool]) -> None:
    """A case that somebody decides again meanwhile has its mail at any time; what was not moved is moved later."""
    seen: list[bytes] = []

    async def again() -> None:
        lease = await store.jobs.claim("case-1", "w", 60)
        seen.append(await store.jobs.open(lease).cases.raw())

    first = await interrupted(archiving, at, again).move()
    lease = await store.jobs.lease("w", 60)

    assert (seen, lease, first) == ([mail("1").raw], None, int(at == (3, True)))
    assert await store.archive.raw("case-1") == mail("1").raw


async def test_two_leaders(store: SqlStore, archiving: MailArchiving, folder: Path) -> None:
    """Two that move at the same time do no harm."""
    await asyncio.gather(archiving.move(), archiving.move())

    assert (files(folder), await archiving.kept()) == ([mail("1").raw], 1)
    assert await store.archive.raw("case-1") == mail("1").raw


async def test_a_copy_that_differs(store: SqlStore, archiving: MailArchiving, folder: Path) -> None:
    """Bytes that the archive changes, or loses at once, stay in the database."""

    async def spoil() -> None:
        for path in folder.rglob("*.eml"):
            path.write_bytes(b"changed")

    async def lose() -> None:
        for path in folder.rglob("*.eml"):
            path.unlink()

    moved = [
        await interrupted(archiving, (1, True), spoil).move(),
        await interrupted(archiving, (1, True), lose).move(),
    ]

    assert (moved, await store.archive.raw("case-1")) == ([0, 0], mail("1").raw)


async def test_a_lost_copy(store: SqlStore, archiving: MailArchiving, folder: Path) -> None:
    """A file that is changed or gone is told by its name, and is never taken for the mail."""
    await archiving.move()
    [file] = folder.rglob("*.eml")
    file.write_bytes(b"changed")
    with pytest.raises(ArchivedMailLost, match=file.name):
        await store.archive.raw("case-1")
    file.unlink()
    with pytest.raises(ArchivedMailLost, match=file.name):
        await store.archive.raw("case-1")


async def test_forgotten_while_it_is_read(
    store: SqlStore, archiving: MailArchiving, objects: ObjectStore, folder: Path
) -> None:
    """Who asked just before hears that the mail is gone, not that the archive lost it."""
    await archiving.move()
    get = objects.get

    async def slow(key: str) -> bytes:
        await store.forgetting.forget("case-1", "p", under_way=False)
        await archiving.remove_unwanted()
        return await get(key)

    objects.get = slow  # type: ignore[method-assign]
    with pytest.raises(MailGone):
        await store.archive.raw("case-1")

    assert files(folder) == []


async def test_an_archive_that_is_down_is_tried_again(store: SqlStore, archiving: MailArchiving, folder: Path) -> None:
    """The hour after; mails stay where they are, and an archived one can be read when it is back."""
    folder.rmdir()
    turning = asyncio.create_task(Repeated(archiving.run_once, 3600.0, "archive.failed").run(archiving.clock))
    while archiving.clock.now() < HeldClock().now() + timedelta(days=31, hours=1):
        await asyncio.sleep(0)
    before = await store.archive.raw("case-1")
    folder.mkdir()
    while not await archiving.kept():
        await asyncio.sleep(0)
    turning.cancel()
    await asyncio.gather(turning, return_exceptions=True)
    folder.rename(folder.with_name("away"))
    with pytest.raises(ArchiveDown):
        await store.archive.raw("case-1")
    folder.with_name("away").rename(folder)

    assert before == await store.archive.raw("case-1") == mail("1").raw


async def test_the_doctor_leaves_nothing(archiving: MailArchiving, folder: Path) -> None:
    """Its test is stored, read and removed; an archive that gives something else fails it."""
    await archiving.test()

    async def spoil() -> None:
        for path in folder.iterdir():
            path.write_bytes(b"changed")

    with pytest.raises(ArchivedMailLost):
        await interrupted(archiving, (0, True), spoil).test()
    assert files(folder) == []
