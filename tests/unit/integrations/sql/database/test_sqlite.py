"""What the file system refuses, in words that name the file and the cure."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from integrations.sql.database.engine import our_words
from integrations.sql.database.sqlite import obstacle_behind, obstacle_to
from tests.conftest import ROOT
from tests.servers.disks import on_read_only_disk, on_small_disk
from triage.domain.errors import StoreDown

UNPRIVILEGED = 65534
ASK = """
import os, sys
from pathlib import Path
from integrations.sql.database.sqlite import obstacle_to
os.geteuid() or os.seteuid(int(sys.argv[2]))
print(obstacle_to(Path(sys.argv[1])))
"""


def asked(file: Path, *, user: int = UNPRIVILEGED) -> list[str]:
    """The command of a process of this user that says what stands between it and the file."""
    return [sys.executable, "-c", ASK, str(file), str(user)]


def answer(command: list[str]) -> str:
    """What a process prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may write."""
    made = Path(tempfile.mkdtemp(prefix="triage-test-"))
    made.chmod(0o777)
    yield made
    made.chmod(0o777)
    shutil.rmtree(made)


def test_nothing_stands_in_the_way(folder: Path) -> None:
    """A file that is there and ours, and one that can be made, have no obstacle."""
    (folder / "ours.db").touch(0o600)

    assert (obstacle_to(folder / "ours.db"), obstacle_to(folder / "new.db")) == ("", "")


def test_wrong_place(folder: Path) -> None:
    """A folder that is not there, and a folder in place of a file, are named with what to write instead."""
    assert obstacle_to(folder / "no" / "x.db") == (
        f"there is no folder {folder}/no: make it, or name another file in DATABASE_URL"
    )
    assert obstacle_to(folder) == f"{folder} is a folder: name a file in it in DATABASE_URL"


@pytest.mark.parametrize("refused", ["x.db", "x.db-wal", "x.db-shm", ""], ids=["file", "wal", "index", "folder"])
def test_no_right(folder: Path, refused: str) -> None:
    """Whatever SQLite has to write and this user may not is named, with the user, and with the owner where it is another."""
    for name in ("x.db", "x.db-wal"):
        (folder / name).touch()
        (folder / name).chmod(0o666)
    if refused:
        (folder / refused).touch()
    (folder / refused).chmod(0o555)
    found = answer(asked(folder / "x.db"))

    assert f" may not write {(folder / refused)}: give it the right" in found
    assert (", or run as " in found) == (os.geteuid() == 0)


def test_a_folder_that_is_not_needed(folder: Path) -> None:
    """Where all three files are there and ours, nothing has to be made in the folder."""
    for name in ("x.db", "x.db-wal", "x.db-shm"):
        (folder / name).touch()
        (folder / name).chmod(0o666)
    folder.chmod(0o555)

    assert answer(asked(folder / "x.db")) == ""


def test_disks(folder: Path) -> None:
    """A disk that takes no writes is told from one that is full."""
    read_only = answer(on_read_only_disk(folder, asked(folder / "x.db", user=0)))
    full = answer(on_small_disk(folder, "40k", asked(folder / "x.db", user=0)))

    assert read_only == f"{folder} is on a disk that is mounted read-only: mount it for writing"
    assert f"the disk of {folder}/x.db is full, " in full


def test_only_the_file_systems_errors_are_explained(folder: Path) -> None:
    """A broken rule of a table has nothing to do with the disk; a text in place of a database has."""
    (folder / "letter.txt").write_text("Dear Ada, " * 100)
    with sqlite3.connect(":memory:") as rules, sqlite3.connect(folder / "letter.txt") as text:
        rules.execute("CREATE TABLE t (n INTEGER NOT NULL)")
        with pytest.raises(sqlite3.IntegrityError) as broken:
            rules.execute("INSERT INTO t VALUES (NULL)")
        with pytest.raises(sqlite3.DatabaseError) as strange:
            text.execute("SELECT 1 FROM t")
    rules.close()
    text.close()

    assert obstacle_behind(broken.value, folder / "no" / "x.db") == ""
    assert "put the last good copy in its place" in obstacle_behind(strange.value, folder / "letter.txt")
    assert "there is no folder" in obstacle_behind(FileNotFoundError(), folder / "no" / "x.db")


def test_a_file_that_somebody_holds(folder: Path) -> None:
    """Where another process has the lock for too long, the message names the file and how to find that process."""
    file = folder / "held.db"
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as holder,
        closing(sqlite3.connect(file, timeout=0)) as other,
    ):
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreDown) as caught, our_words(file):
            other.execute("CREATE TABLE t (n)")

    assert caught.value.detail == (
        f"database is locked: another process holds {file}: wait for its end, or look with `fuser {file}` which one it is"
    )
