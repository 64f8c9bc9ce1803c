"""`triage backup`: whole copies of a database in use, and what a restore means."""

import json
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from tests.e2e.installation import MAILS, Installation
from tests.servers.disks import on_read_only_disk

LETTERS = [str(path) for path in sorted(MAILS.glob("*.eml"))[:8]]


def restored(installation: Installation, copy: Path) -> None:
    """As the page says: the copy takes the file's place, and the log beside it goes."""
    for suffix in ("-wal", "-shm"):
        (installation.folder / f"triage.db{suffix}").unlink(missing_ok=True)
    shutil.copy(copy, installation.folder / "triage.db")


def test_a_backup_under_load_is_whole(installation: Installation) -> None:
    """While mails are taken and worked on, each backup is a whole store whose cases, mails and jobs agree."""
    copies = [installation.folder / f"copy-{number}.db" for number in range(4)]
    working = threading.Thread(target=lambda: installation.triage("process", *LETTERS))
    installation.triage("cases")
    working.start()
    done = [installation.triage("backup", str(copy), "--json") for copy in copies]
    working.join()
    for copy, told in zip(copies, done, strict=True):
        with sqlite3.connect(copy) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
            counts = {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our tables
                for table in ("cases", "mails", "jobs", "raw_mails")
            }

        assert (told.returncode, whole, len(set(counts.values()))) == (0, "ok", 1)
        assert json.loads(told.stdout)["cases"] == counts["cases"]
        assert copy.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in installation.folder.glob("copy*")) == [copy.name for copy in copies]


def test_a_restore_makes_nothing_twice(installation: Installation) -> None:
    """After a restore the mails of the backup are known, by whatever way they come again, and so are their tickets."""
    installation.triage("process", *LETTERS)
    made, copy = installation.created(), installation.folder / "backup.db"
    installation.triage("backup", str(copy))
    told = installation.json("cases")["cases"]
    installation.triage("process", str(MAILS / "12-card-payment-html-only.eml"))
    later = set(installation.created()) - set(made)
    restored(installation, copy)
    again = installation.json("process", *LETTERS)
    other = [installation.folder / Path(letter).name for letter in LETTERS]
    for letter, path in zip(LETTERS, other, strict=True):
        path.write_bytes(
            b"Received: by another.example; Thu, 1 Jan 2026 00:00:00 +0000\r\n" + Path(letter).read_bytes()
        )
    installation.triage("process", *map(str, other))
    installation.triage("work", "--until-idle")

    assert installation.json("cases")["cases"][-len(told) :] == told
    assert [line["case"] for line in again] == [f"case-{number + 1}" for number in range(len(LETTERS))]
    assert set(installation.created()) - later == set(made)


def test_a_restore_comments_nothing_twice(installation: Installation) -> None:
    """A mail that became a comment after the backup comes again after the restore: its comment is found by its mark."""
    installation.triage("process", str(MAILS / "04-signature-upload.eml"))
    [ticket], copy = installation.created(), installation.folder / "backup.db"
    installation.triage("backup", str(copy))
    answer = next(str(path) for path in MAILS.glob("05-signature-upload*.eml"))
    installation.triage("process", answer)
    first = installation.comments(ticket)
    restored(installation, copy)
    [again] = installation.json("process", answer)

    assert (len(first), installation.comments(ticket)) == (1, first)
    assert again["ticket"] == ticket


def test_a_backup_replaces_nothing(installation: Installation) -> None:
    """A file that is there is left alone; a folder that is not there, or no SQLite, is told with the cure."""
    installation.triage("cases")
    kept = installation.folder / "kept.db"
    kept.write_text("mine", encoding="utf-8")
    there = installation.triage("backup", str(kept))
    no_folder = installation.triage("backup", str(installation.folder / "no" / "copy.db"))
    postgres = installation.triage("backup", "copy.dump", DATABASE_URL="postgresql://u:canary@h/d")

    assert (there.returncode, kept.read_text(encoding="utf-8")) == (2, "mine")
    assert (no_folder.returncode, b"make its folder" in no_folder.stderr) == (3, True)
    assert b"DATABASE_URL" not in no_folder.stderr
    assert (postgres.returncode, b"pg_dump --format=custom" in postgres.stderr) == (2, True)
    assert b"canary" not in postgres.stderr
    assert (installation.folder / "kept.db.part").exists() is False


def test_a_disk_that_takes_no_writes(installation: Installation) -> None:
    """The doctor calls it a fault by name, a listing too, and a backup onto it ends with its own message."""
    installation.triage("cases")

    def run(*words: str) -> tuple[int, str]:
        command = on_read_only_disk(installation.folder, (sys.executable, "-m", "cli", *words))
        given = installation.environment()
        done = subprocess.run(
            command, cwd=installation.folder, env=given, capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, done.stdout + done.stderr

    code, found = run("doctor")
    backup, listing = run("backup", str(installation.folder / "copy.db")), run("cases")

    assert (code, "✗ database:" in found, "is on a disk that is mounted read-only" in found) == (1, True, True)
    assert (backup[0], "Read-only file system" in backup[1], "Traceback" in backup[1]) == (3, True, False)
    assert (listing[0], "is on a disk that is mounted read-only" in listing[1]) == (3, True)
