"""The files of the search index: whatever happens to them, mails are answered, and the index is built again."""

import asyncio
import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from loguru import logger

from integrations.search_index import generation
from integrations.search_index.index import BATCH, SMALL, TantivyIndex
from integrations.sql.store import SqlStore, open_store
from tests.conftest import ROOT
from tests.contract.store.store_samples import HeldClock
from tests.contract.store.store_tickets import keys, later, ticket
from tests.database import migrated
from triage.domain.errors import StoreDown
from triage.domain.retrieval import IndexHealth
from triage.domain.tickets import Ticket
from triage.policy.ticket.index_entry import VERSION, entry_of, query_of

WORDS = ("amber", "basalt", "cobalt", "dune", "ember", "fjord", "granite", "harbour")
EVERYTHING = [
    ticket(n, f"{WORDS[n % 8]} fails", " ".join(random.Random(n).choices(WORDS, k=30))) for n in range(1, 400)
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 399 tickets and its index, made once: each test has a copy."""
    folder = tmp_path_factory.mktemp("filled")

    async def fill() -> None:
        store = await open_store(f"sqlite:///{migrated(folder / 'triage.db')}", HeldClock())
        await store.tickets.keep(EVERYTHING)
        await opened(store, folder / "index").update("OPS")
        await store.close()

    asyncio.run(fill())
    return folder


@pytest.fixture
async def store(filled: Path, tmp_path: Path) -> AsyncIterator[SqlStore]:
    """With 399 tickets."""
    shutil.copy(filled / "triage.db", tmp_path)
    opened = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", HeldClock())
    yield opened
    await opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the index is."""
    return tmp_path / "index"


def opened(store: SqlStore, folder: Path, version: int = VERSION) -> TantivyIndex:
    """As another process opens it."""
    return TantivyIndex(store.tickets, entry_of, version, folder)


@pytest.fixture
def built(filled: Path, folder: Path) -> Path:
    """The folder of the generation that counts."""
    shutil.copytree(filled / "index", folder)
    return next(path for path in (folder / "OPS").iterdir() if path.is_dir())


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Messages and troubles that are logged."""
    lines: list[str] = []
    sink = logger.add(
        lambda message: lines.append(
            f"{message.record['level'].name} {message.record['message']} {message.record['extra'].get('trouble', '')}"
        )
    )
    yield lines
    logger.remove(sink)


def largest(folder: Path, pattern: str) -> Path:
    """The largest such file."""
    return max(folder.rglob(pattern), key=lambda path: path.stat().st_size)


def cut(path: Path) -> None:
    """Lose the second half."""
    replaced(path, path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    """Change bytes in the middle."""
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 3, len(data) // 3 + 20):
        data[at] ^= 0xFF
    replaced(path, bytes(data))


def replaced(path: Path, data: bytes) -> None:
    """Put other bytes in a file's place: cut short in its own place, it ends a process that has it mapped (SIGBUS)."""
    other = path.with_name("damaged")
    other.write_bytes(data)
    other.replace(path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no note": lambda path: (path / "note.json").unlink(),
    "a note that is no JSON": lambda path: cut(path / "note.json"),
    "a note of something else": lambda path: (path / "note.json").write_text('{"files": []}'),
    "no words": lambda path: largest(path, "*.idx").unlink(),
    "half of the words": lambda path: cut(largest(path, "*.idx")),
    "half of the terms": lambda path: cut(largest(path, "*.term")),
    "other words": lambda path: flip(largest(path, "*.idx")),
    "other terms": lambda path: flip(largest(path, "*.term")),
    "half of the offsets": lambda path: cut(largest(path, "*.fast")),
    "no meta": lambda path: (path / "words" / "meta.json").unlink(),
    "another meta": lambda path: (path / "words" / "meta.json").write_text("{}"),
    "half of the records": lambda path: cut(path / "records"),
    "other records": lambda path: flip(path / "records"),
    "no records": lambda path: (path / "records").unlink(),
    "another pointer": lambda path: (path.parent / "current").write_text('{"generation": "zzz", "trouble": ""}'),
    "a pointer that is no JSON": lambda path: (path.parent / "current").write_bytes(b"\xff\x00"),
    "no pointer": lambda path: (path.parent / "current").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_index_is_built_again(store: SqlStore, folder: Path, built: Path, damage: str) -> None:
    """Mails are answered meanwhile, from the latest changes at least; afterwards from everything, in the same order."""
    mail = query_of("cobalt fails", "granite dune")
    before = await opened(store, folder).find("OPS", mail, 50)
    DAMAGES[damage](built)
    index = opened(store, folder)
    meanwhile = await index.find("OPS", mail, 50)
    await index.update("OPS")
    after = await index.find("OPS", mail, 50)

    assert meanwhile.hits
    assert after == before
    assert (await index.state("OPS")).health is IndexHealth.READY


async def test_the_trouble_is_told_once(store: SqlStore, folder: Path, built: Path, logged: list[str]) -> None:
    """In the log of the process that finds it, and by the state until it is built again."""
    cut(built / "records")
    index = opened(store, folder)
    for _ in range(3):
        await index.find("OPS", query_of("cobalt", ""), 5)
    state = await index.state("OPS")

    assert [line for line in logged if line.startswith("WARNING")] == [
        "WARNING index.missing records is shorter than it was written"
    ]
    assert (state.health, state.trouble) == (IndexHealth.BUILDING, "records is shorter than it was written")
    assert (await opened(store, folder).state("OPS")).trouble == "records is shorter than it was written"
    await index.update("OPS")
    assert (await index.state("OPS")).trouble == ""


async def test_without_an_index_the_latest_tickets_answer(store: SqlStore, folder: Path) -> None:
    """Ranked by the same formula; the frequencies say that nothing is known of the rest."""
    index = opened(store, folder)
    found = await index.find("OPS", query_of("cobalt fails", "granite"), 500)
    state = await index.state("OPS")

    assert len(found.hits) == 200
    assert min(int(hit.key[4:]) for hit in found.hits) == 200
    assert int(found.hits[0].key[4:]) % 8 == 2
    assert found.frequencies is None
    assert (state.health, state.behind, state.trouble) == (IndexHealth.BUILDING, 399, "there is none yet")


@pytest.mark.parametrize("what", ["entries", "engine"])
async def test_an_index_of_another_version_is_built_again(
    store: SqlStore, folder: Path, built: Path, logged: list[str], what: str
) -> None:
    """Of our entries, or of tantivy's files."""
    version = VERSION + 1
    if what == "engine":
        note = json.loads((built / "note.json").read_text())
        (built / "note.json").write_text(json.dumps(note | {"engine": "tantivy v0.1"}))
        version = VERSION
    index = opened(store, folder, version)
    await index.find("OPS", {"cobalt": 1.0}, 5)
    await index.update("OPS")

    assert "WARNING index.missing it is of another version" in logged
    assert not built.exists()
    assert len((await index.find("OPS", {"cobalt": 1.0}, 500)).hits) > 200


async def test_an_index_of_another_store_is_built_again(
    store: SqlStore, folder: Path, built: Path, tmp_path: Path
) -> None:
    """A database put back from an older copy has fewer changes than the index; one with other tickets as many."""
    for number, tickets in enumerate(
        (
            [EVERYTHING[:10]],
            [EVERYTHING[:-2], [later(EVERYTHING[0], "amber", 5)], [EVERYTHING[7]], [later(EVERYTHING[1], "amber", 5)]],
        )
    ):
        other = await open_store(f"sqlite:///{migrated(tmp_path / f'other{number}.db')}", HeldClock())
        for some in tickets:
            await other.tickets.keep(some)
        index = opened(other, folder)
        await index.update("OPS")

        assert (await index.state("OPS")).tickets == await other.tickets.size("OPS")
        assert not built.exists()
        await other.close()


async def test_a_folder_that_cannot_be_written(store: SqlStore, tmp_path: Path, logged: list[str]) -> None:
    """Mails are answered; the trouble is told once; a person who orders a rebuild hears why not."""
    (tmp_path / "file").write_text("no folder")
    index = opened(store, tmp_path / "file" / "index")
    for _ in range(2):
        assert await index.update("OPS") == 0
        assert (await index.find("OPS", {"cobalt": 1.0}, 5)).hits
    with pytest.raises(StoreDown, match="cannot be built"):
        await index.rebuild("OPS", lambda _done, _of: None)

    assert len([line for line in logged if "cannot be used" in line]) == 1


async def test_one_process_writes_at_a_time(store: SqlStore, folder: Path) -> None:
    """Others return at once, and find what there is."""
    both = opened(store, folder), opened(store, folder)
    taken = await asyncio.gather(*(index.update("OPS") for index in both))

    assert sorted(taken) == [0, 399]
    assert await keys(both[0], "cobalt", limit=3) == await keys(both[1], "cobalt", limit=3)


KILLED = """
import asyncio, sys
from pathlib import Path
from integrations.search_index.index import TantivyIndex
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from triage.policy.ticket.index_entry import VERSION, entry_of

async def main():
    store = await open_store(sys.argv[1], SystemClock())
    count = 0
    def slowly(ticket):
        global seen
        seen += 1
        if seen == 200:
            print("half", flush=True)
            sys.stdin.read()
        return entry_of(ticket)
    await TantivyIndex(store.tickets, slowly, VERSION, Path(sys.argv[2])).update("OPS")

seen = 0
asyncio.run(main())
"""


async def test_a_process_killed_while_it_builds(store: SqlStore, folder: Path, tmp_path: Path) -> None:
    """While it lives nobody else builds; afterwards its half is removed and the next one builds."""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, f"sqlite:///{tmp_path / 'triage.db'}", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout
        assert await asyncio.to_thread(process.stdout.readline) == b"half\n"
        index = opened(store, folder)
        during = await index.update("OPS")
        found = await index.find("OPS", {"cobalt": 1.0}, 5)
        process.send_signal(signal.SIGKILL)
    after = await index.update("OPS")

    assert (during, after) == (0, 399)
    assert found.hits
    assert len([path for path in (folder / "OPS").iterdir() if path.is_dir()]) == 1


async def test_replaced_entries_are_cleared_away(store: SqlStore, folder: Path, built: Path) -> None:
    """Entries that change again and again do not let the files grow for ever."""
    index = opened(store, folder)
    for minute in range(1, SMALL // 100 + 10):
        await store.tickets.keep([later(one, f"{one.summary} {minute}", minute) for one in EVERYTHING[:200]])
        await index.update("OPS")

    assert not built.exists()
    assert (await index.state("OPS")).tickets == 399


async def test_a_mail_of_any_size_is_searched(store: SqlStore, folder: Path, built: Path) -> None:
    """A log of 50,000 lines, other scripts, and nothing at all."""
    asian: list[Ticket] = [
        ticket(900, "ログイン画面でエラーが発生する", "パスワードを入力するとクラッシュします"),
        ticket(901, "请求书无法导出", "点击按钮之后出现错误"),
        ticket(902, "결제 페이지가 열리지 않습니다"),
        ticket(903, "Rechnungsübersicht lädt nicht", "Die Übersicht der Rechnungen bleibt leer."),
        ticket(904, "Stránka s fakturami se nenačte", "Přehled faktur zůstává prázdný."),
    ]
    await store.tickets.keep(asian)
    index = opened(store, folder)
    await index.update("OPS")
    log = "\n".join(f"2026-11-20 12:00:{n % 60:02} INFO worker-{n} cobalt done in {n} ms" for n in range(50_000))

    assert (await index.find("OPS", query_of("", log), 10)).hits
    assert (await index.find("OPS", query_of("", ""), 10)).hits == ()
    assert await keys(index, "ログインするとエラーが出ます") == ["OPS-900"]
    assert await keys(index, "无法导出文件") == ["OPS-901"]
    assert await keys(index, "결제가 안 됩니다") == ["OPS-902"]
    assert (await keys(index, "Übersicht der RECHNUNGEN ist leer"))[0] == "OPS-903"
    assert (await keys(index, "prehled faktur je prazdny"))[0] == "OPS-904"
    assert await keys(index, "chci stránku s fakturou") == ["OPS-904"]


def test_the_batches_are_larger_than_a_page() -> None:
    """What a sync stores at once is taken in at once."""
    assert BATCH >= 500
    assert generation.MOST_TERMS == 60
