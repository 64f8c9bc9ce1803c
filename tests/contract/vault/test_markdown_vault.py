"""The port `Vault` by a folder of Markdown files, which people and other programs use at the same time."""

import asyncio
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from cli.wiring.memory.notes import note_rules
from integrations.vault import files
from integrations.vault.markdown_vault import MarkdownVault
from tests.conftest import ROOT
from tests.contract.vault.note_index_contract import NoteIndexContract
from tests.contract.vault.vault_contract import NOTE, OTHER, VaultContract
from triage.domain.memory.errors import NoteChanged, VaultDown, VaultReadOnly
from triage.domain.memory.notes import NoteProblem, NoteStatus
from triage.domain.untrusted import Untrusted


@pytest.fixture
def vault(tmp_path: Path) -> MarkdownVault:
    """An empty vault."""
    return MarkdownVault(tmp_path / "memory", note_rules(), create=True)


@pytest.fixture
def folder(tmp_path: Path, vault: MarkdownVault) -> Path:
    """Its folder."""
    del vault
    return tmp_path / "memory"


@pytest.fixture
def index(vault: MarkdownVault) -> MarkdownVault:
    """It keeps what stands in its notes."""
    return vault


class TestMarkdownVault(VaultContract, NoteIndexContract):
    """All of both contracts."""


async def test_people_edit_beside_us(vault: MarkdownVault, folder: Path) -> None:
    """What an editor saves is read at the next look, once it is no note it is a problem, and it is never written over."""
    await vault.write(NOTE, before=None)
    file = folder / f"{NOTE.id}.md"
    notes = await vault.notes()
    file.write_text(file.read_text() + "\nAnn: it is done.\n")
    mine = replace(NOTE, status=NoteStatus.CLOSED)

    with pytest.raises(NoteChanged):
        await vault.write(mine, before=NOTE)
    with pytest.raises(NoteChanged):
        await vault.undo(NOTE.id)
    assert [note.text for note in await vault.notes()] == [NOTE.text + "\n\nAnn: it is done."]
    assert await vault.notes() is not notes
    broken = file.read_text().replace("status: active", "status: done")
    file.write_text(broken)
    assert await vault.problems() == (
        NoteProblem(path=f"{NOTE.id}.md", line=5, what="status: 'done' is none of active, closed, expired, dismissed"),
    )
    with pytest.raises(NoteChanged):
        await vault.write(mine, before=None)
    assert (await vault.notes(), await vault.note(NOTE.id), file.read_text()) == ((), None, broken)


async def test_what_did_not_change_is_the_same(vault: MarkdownVault, folder: Path) -> None:
    """An index can tell by identity: neither a look nor a write without a change makes a new note or touches a file."""
    await vault.write(NOTE, before=None)
    first = await vault.notes()
    times = (folder / f"{NOTE.id}.md").stat()

    assert await vault.notes() is first
    assert await vault.write(NOTE, before=NOTE) == NOTE
    assert (folder / f"{NOTE.id}.md").stat() == times
    await vault.write(OTHER, before=None)
    assert (await vault.notes())[0] is first[0]


async def test_files_that_are_no_notes(vault: MarkdownVault, folder: Path, tmp_path: Path) -> None:
    """Pictures and hidden files are overlooked; binary, huge, linked and piped notes are problems; nothing is changed."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    decisions = folder / "decisions"
    deep = decisions.joinpath(*"abcdefghi")
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("x")
    (decisions / "picture.png").write_bytes(b"\x89PNG")
    (decisions / ".hidden.md").write_text("x")
    (decisions / "binary.md").write_bytes(b"a\0b")
    (decisions / "latin.md").write_bytes(b"ok\nJ\xf6rg")
    (decisions / "huge.md").write_bytes(b"x" * (files.LARGEST + 1))
    (decisions / "link.md").symlink_to(outside / "secret.md")
    (decisions / "folder").symlink_to(outside)
    (decisions / "a\u202eb.md").write_text("x")
    os.mkfifo(decisions / "pipe.md")
    (folder / "people").symlink_to(outside)

    assert [(problem.path, problem.what.partition(":")[0]) for problem in await vault.problems()] == [
        ("decisions/a/b/c/d/e/f/g/h/i", "folders stand at most 8 deep"),
        ("decisions/a\\u202eb.md", "its name has characters that nobody can see"),
        ("decisions/binary.md", "is no text"),
        ("decisions/folder", "is not a folder of its own"),
        ("decisions/huge.md", "is larger than 1024 KB"),
        ("decisions/latin.md", "is no UTF-8"),
        ("decisions/link.md", "is not a file of its own"),
        ("decisions/pipe.md", "is not a file of its own"),
        ("people", "is not a folder of its own"),
    ]
    assert await vault.notes() == ()
    for note in ("people/secret", "decisions/link", "decisions/folder/secret", "decisions/huge", "decisions/pipe"):
        assert await vault.note(note) is None
    with pytest.raises(NoteChanged):
        await vault.write(replace(OTHER, id="decisions/link"), before=None)
    assert (outside / "secret.md").read_text() == "secret"


async def test_a_vault_that_is_gone(vault: MarkdownVault, folder: Path, tmp_path: Path) -> None:
    """It is told, and never taken for an empty one; it comes back with what is in it."""
    await vault.write(NOTE, before=None)
    folder.rename(tmp_path / "unmounted")

    for work in (vault.notes(), vault.problems(), vault.note(NOTE.id), vault.write(OTHER, before=None)):
        with pytest.raises(VaultDown, match="is no folder"):
            await work
    (tmp_path / "unmounted").rename(folder)
    assert await vault.notes() == (NOTE,)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can look into, whoever runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="triage-test-"))
    folder.chmod(0o755)
    was = os.geteuid()
    yield folder
    os.seteuid(was)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


async def test_a_vault_that_is_read_only(open_folder: Path) -> None:
    """Notes are read; a write says which right is missing."""
    vault = MarkdownVault(open_folder, note_rules())
    await vault.write(NOTE, before=None)
    for path in (open_folder, *open_folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() == 0:
        os.seteuid(65534)  # root may write everywhere

    assert await vault.notes() == (NOTE,)
    for work in (vault.write(OTHER, before=None), vault.ready()):
        with pytest.raises(VaultReadOnly, match="give Triage the right to write"):
            await work


async def test_another_process_writes(vault: MarkdownVault, folder: Path) -> None:
    """We wait for it; what a killed one left is swept away and was never a note."""
    await vault.write(NOTE, before=None)
    left = folder / ".triage" / "1-1.tmp"
    left.write_text("half a no")
    with (folder / ".triage" / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write = asyncio.ensure_future(vault.write(OTHER, before=None))
        await asyncio.sleep(0.05)

        assert not write.done()
        assert left.exists()
    assert await write == OTHER
    assert not left.exists()
    assert await vault.notes() == (NOTE, OTHER)


def test_a_writer_is_killed_anywhere(folder: Path) -> None:
    """A process that writes one note over and over is killed: the note is whole, and the next process can write."""
    script = (
        "import asyncio, sys\nfrom dataclasses import replace\nfrom pathlib import Path\n"
        "from integrations.vault.markdown_vault import MarkdownVault\n"
        "from tests.contract.vault.vault_contract import NOTE\n"
        "from cli.wiring.memory.notes import note_rules\n"
        "async def work():\n"
        "    vault, note = MarkdownVault(Path(sys.argv[1]), note_rules()), None\n"
        "    for n in range(10**6):\n"
        "        note = await vault.write(replace(NOTE, title=f'{n}', text='x' * 9999), before=note)\n"
        "        print(n, flush=True)\n"
        "asyncio.run(work())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as told:
        assert told.stdout
        written = [int(told.stdout.readline()) for _ in range(40)]
        told.kill()
    fresh = MarkdownVault(folder, note_rules())

    (note,) = asyncio.run(fresh.notes())
    assert int(note.title) >= written[-1]
    assert len(note.text) == 9999
    assert asyncio.run(fresh.write(replace(note, title="after"), before=note)).title == "after"


async def test_files_are_as_git_likes_them(vault: MarkdownVault, folder: Path) -> None:
    """Nothing but notes is to be committed; a file keeps its rights; the same note gives the same bytes."""
    await vault.write(NOTE, before=None)
    file = folder / f"{NOTE.id}.md"
    file.chmod(0o640)
    once = file.read_bytes()
    closed = await vault.write(replace(NOTE, status=NoteStatus.CLOSED), before=NOTE)
    await vault.write(NOTE, before=closed)

    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (once, 0o640)
    assert (folder / ".triage" / ".gitignore").read_text() == "*\n"
    assert {path.name for path in folder.iterdir()} == {".triage", "commitments"}


async def test_two_notes_of_one_name_in_the_trash(vault: MarkdownVault, folder: Path) -> None:
    """Each stays until both are shredded; their neighbour stays."""
    for _ in range(2):
        await vault.write(NOTE, before=None)
        await vault.remove(NOTE.id)
    neighbour = replace(NOTE, id=f"{NOTE.id}-2")
    await vault.write(neighbour, before=None)
    await vault.remove(neighbour.id)

    assert len([*(folder / ".trash").rglob("*.md")]) == 3
    await vault.shred(NOTE.id)
    assert [path.stem for path in (folder / ".trash").rglob("*.md")] == [neighbour.id.rpartition("/")[2]]


async def test_a_torn_memory_of_what_was(vault: MarkdownVault, folder: Path) -> None:
    """What is kept for undo may be lost, but then nothing is undone."""
    await vault.write(NOTE, before=None)
    (folder / ".triage" / "before" / f"{NOTE.id}.json").write_text('{"before":')

    with pytest.raises(Exception, match="nothing of it to undo"):
        await vault.undo(NOTE.id)
    assert await vault.notes() == (NOTE,)


async def test_an_editor_saves_while_our_note_goes_to_the_disk(vault: MarkdownVault, folder: Path) -> None:
    """What it saved stays, and our write is refused."""
    note = await vault.write(replace(NOTE, text=Untrusted("x" * 900_000)), before=None)
    file = folder / f"{NOTE.id}.md"
    saved = file.read_text() + "Ann: it is done.\n"
    write = asyncio.ensure_future(vault.write(replace(note, status=NoteStatus.CLOSED), before=note))
    while not [*(folder / ".triage").glob("*.tmp")] and not write.done():
        await asyncio.sleep(0)
    file.write_text(saved)

    with suppress(NoteChanged):  # it may have come just after our write
        await write
    assert file.read_text() == saved


def test_an_editor_moves_notes_while_we_look(vault: MarkdownVault, folder: Path) -> None:
    """Notes that go between a look at their folder and at themselves are no trouble; the others are found each time."""
    asyncio.run(vault.write(NOTE, before=None))
    year = folder / "commitments" / "2026"
    year.mkdir()
    for n in range(200):
        (year / f"{n}.md").touch()
    moves = f"import os\nwhile True:\n    os.rename({str(year)!r}, {f'{year}-2'!r})\n    os.rename({f'{year}-2'!r}, {str(year)!r})"
    with subprocess.Popen([sys.executable, "-c", moves]) as editor:
        try:
            assert all(NOTE.id in files.listing_of(folder).files for _ in range(200))
        finally:
            editor.kill()
