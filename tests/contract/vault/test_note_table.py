"""What a host keeps of the notes: shared by processes, made again where it is damaged or of another format, and never a second truth."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli.wiring.memory.notes import note_rules
from integrations.vault import files
from integrations.vault.markdown_vault import FRESH, MarkdownVault
from integrations.vault.note_table import NoteRules
from tests.contract.vault.vault_contract import NOTE, OTHER
from triage.domain.memory.errors import VaultDown
from triage.domain.memory.notes import Note, NoteProblem, NoteStatus
from triage.domain.untrusted import Untrusted

SECRET = replace(OTHER, title="Zanzibar", text=Untrusted("The word is xylophone."))


class Reading:
    """The rules, and which notes were read by them."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def rules(self, version: int = 1) -> NoteRules:
        """The rules of the product."""
        rules = note_rules()

        def note_of(note: str, text: str) -> Note | NoteProblem:
            self.read.append(note)
            return rules.note_of(note, text)

        return replace(rules, note_of=note_of, version=version)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The file of the table."""
    return tmp_path / "triage.notes"


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A vault of two notes, written by nobody that keeps a table."""
    vault = MarkdownVault(tmp_path / "memory", note_rules(), create=True)
    for note in (NOTE, OTHER):
        await vault.write(note, before=None)
        old = time.time() - 60
        os.utime(tmp_path / "memory" / f"{note.id}.md", (old, old))
    return tmp_path / "memory"


async def test_a_new_process_reads_what_changed(folder: Path, table: Path) -> None:
    """Not a file more: neither for notes nor for a search; what is gone meanwhile is gone."""
    await asyncio.sleep(1.5 * FRESH / 1e9)
    at = Reading()
    assert await MarkdownVault(folder, at.rules(), table=table).notes() == (NOTE, OTHER)
    assert at.read == [NOTE.id, OTHER.id]
    at.read.clear()
    again = MarkdownVault(folder, at.rules(), table=table)

    assert [hit.note for hit in await again.find(("ship",), 5)] == [OTHER]
    assert await again.notes() == (NOTE, OTHER)
    assert at.read == []
    (folder / f"{OTHER.id}.md").unlink()
    (folder / "insights").mkdir()
    (folder / "insights" / "new.md").write_text("# New\n")
    third = MarkdownVault(folder, at.rules(), table=table)
    assert [one.note for one in await third.links()] == [NOTE.id, "insights/new"]
    assert at.read == ["insights/new"]


async def test_two_processes(folder: Path, table: Path) -> None:
    """Each finds at once what the other one has written, also while files are taken to be as they were seen."""
    one, other = (MarkdownVault(folder, note_rules(), table=table, rest=3600) for _ in range(2))
    assert await one.notes() == await other.notes() == (NOTE, OTHER)
    await one.write(replace(NOTE, title="Zebra", status=NoteStatus.CLOSED), before=NOTE)

    assert [hit.note.title for hit in await other.find(("zebra",), 5)] == ["Zebra"]
    assert [note.title for note in await other.notes()] == ["Zebra", OTHER.title]
    await other.remove(NOTE.id)
    assert await one.notes() == (OTHER,)


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: table.write_bytes(b"no table at all" * 999),
        lambda table: _sql(table, "UPDATE notes SET data = '{'"),
        lambda table: _sql(table, "UPDATE notes SET data = '{\"kind\": 1}'"),
        lambda table: _sql(table, "DROP TABLE words"),
        lambda table: _sql(table, "UPDATE made SET schema = 'of an older version'"),
        lambda table: _sql(table, "UPDATE made SET made_for = '/another/vault'"),
        lambda table: table.unlink(),
    ],
    ids=("bytes", "json", "value", "table", "format", "vault", "gone"),
)
async def test_a_damaged_table(folder: Path, table: Path, damage: Callable[[Path], object]) -> None:
    """It is made again, and answers as before."""
    before = await MarkdownVault(folder, note_rules(), table=table).notes()
    damage(table)
    again = MarkdownVault(folder, note_rules(), table=table)

    assert [hit.note for hit in await again.find(("ship",), 5)] == [OTHER]
    assert await again.notes() == before
    assert _sql(table, "SELECT count(*) FROM words")[0][0] > 0


@pytest.mark.parametrize("damage", ["", "UPDATE listing SET files = x'00'", "DELETE FROM listing"])
async def test_of_a_changed_vault_only_what_changed_is_read(folder: Path, table: Path, damage: str) -> None:
    """Whether the listing of the files is there, damaged or lost."""
    await asyncio.sleep(1.5 * FRESH / 1e9)
    at = Reading()
    await MarkdownVault(folder, at.rules(), table=table).notes()
    at.read.clear()
    assert _sql(table, "SELECT count(*) FROM listing") == [(1,)]
    if damage:
        _sql(table, damage)
    with (folder / f"{OTHER.id}.md").open("a") as file:
        file.write("more of zucchini\n")
    again = MarkdownVault(folder, at.rules(), table=table)

    assert [hit.note.id for hit in await again.find(("zucchini",), 5)] == [OTHER.id]
    assert at.read == [OTHER.id]


def _sql(table: Path, statement: str) -> list[tuple[int]]:
    connection = sqlite3.connect(table)
    with connection:
        found = connection.execute(statement).fetchall()
    connection.close()
    return found


async def test_other_rules(folder: Path, table: Path) -> None:
    """A newer version that reads notes in another way reads all of them again."""
    at = Reading()
    for version in (1, 2):
        await MarkdownVault(folder, at.rules(version), table=table).notes()

    assert at.read == [NOTE.id, OTHER.id] * 2


async def test_nowhere_to_keep_it(folder: Path, tmp_path: Path) -> None:
    """Where the file cannot stand the process keeps what it has read."""
    (tmp_path / "file").write_text("x")
    vault = MarkdownVault(folder, note_rules(), table=tmp_path / "file" / "triage.notes")

    assert await vault.notes() == (NOTE, OTHER)
    assert await vault.rebuild() == 2
    await vault.write(replace(NOTE, title="Zebra"), before=NOTE)
    assert [hit.note.id for hit in await vault.find(("zebra",), 5)] == [NOTE.id]


async def test_another_process_writes_for_too_long(folder: Path, table: Path) -> None:
    """Who asks is told; who writes a note has written it, and it is found as soon as the table can be written."""
    vault = MarkdownVault(folder, note_rules(), table=table, patience=0.01)
    await vault.notes()
    holder = sqlite3.connect(table, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    written = await vault.write(replace(NOTE, title="Zebra"), before=NOTE)

    with pytest.raises(VaultDown, match="too long"):
        await vault.notes()
    holder.execute("ROLLBACK")
    holder.close()
    assert await vault.notes() == (written, OTHER)


async def test_what_is_shredded_is_not_in_the_file(folder: Path, table: Path) -> None:
    """Neither as text nor as a word of the index."""
    vault = MarkdownVault(folder, note_rules(), table=table)
    secret = await vault.write(SECRET, before=OTHER)
    assert [hit.note for hit in await vault.find(("xylophon",), 5)] == [secret]
    await vault.remove(secret.id)
    await vault.shred(secret.id)
    kept = b"".join(file.read_bytes() for file in table.parent.glob("triage.notes*"))

    assert await vault.notes() == (NOTE,)
    assert NOTE.title.encode() in kept
    assert all(word not in kept.lower() for word in (b"zanzibar", b"xylophon"))
    assert table.stat().st_mode & 0o777 == 0o600


async def test_a_file_of_a_moment_ago_is_read_again(folder: Path, table: Path) -> None:
    """It may have changed since without a sign: times of change come in ticks."""
    at = Reading()
    file = folder / f"{OTHER.id}.md"
    ahead = time.time() + 3600
    os.utime(file, (ahead, ahead))
    vault = MarkdownVault(folder, at.rules(), table=table)
    await vault.notes()
    at.read.clear()
    first = await vault.notes()

    assert at.read.count(OTHER.id) == 1
    assert files.signature_of(file)
    assert await vault.notes() is first
