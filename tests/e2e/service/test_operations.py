"""docs/operations.md is carried out: backup and restore, the signed delivery, the unit for systemd."""

import base64
import json
import os
import re
import shutil
import sqlite3
import subprocess
import threading
from pathlib import Path

from tests.conftest import PATIENCE, ROOT
from tests.e2e.household import MAILS, Household
from tests.e2e.running import running
from tests.servers import find_server

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
LETTERS = [str(path) for path in sorted(MAILS.glob("*.eml"))[:8]]


def block(heading: str, kind: str) -> str:
    """The first block of this kind below a heading."""
    below = PAGE.partition(f"\n## {heading}\n")[2]
    found = re.search(rf"^```{kind}\n(.+?)^```", below, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def restored(household: Household, copy: Path) -> None:
    """As the page says: the copy takes the file's place, and the log beside it goes."""
    for suffix in ("-wal", "-shm"):
        (household.folder / f"triage.db{suffix}").unlink(missing_ok=True)
    shutil.copy(copy, household.folder / "triage.db")


# --- backup ---------------------------------------------------------------------------------------


def test_a_backup_under_load_is_whole(household: Household) -> None:
    """While mails are taken and worked on, each backup is a whole store whose cases, mails and jobs agree."""
    copies = [household.folder / f"copy-{number}.db" for number in range(4)]
    working = threading.Thread(target=lambda: household.triage("process", *LETTERS))
    household.triage("cases")
    working.start()
    done = [household.triage("backup", str(copy), "--json") for copy in copies]
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
    assert sorted(path.name for path in household.folder.glob("copy*")) == [copy.name for copy in copies]


def test_a_restore_makes_nothing_twice(household: Household) -> None:
    """After a restore the mails of the backup are known, by whatever way they come again, and so are their tickets."""
    household.triage("process", *LETTERS)
    made, copy = household.created(), household.folder / "backup.db"
    household.triage("backup", str(copy))
    told = household.json("cases")["cases"]
    household.triage("process", str(MAILS / "12-card-payment-html-only.eml"))
    later = set(household.created()) - set(made)
    restored(household, copy)
    again = household.json("process", *LETTERS)
    other = [household.folder / Path(letter).name for letter in LETTERS]
    for letter, path in zip(LETTERS, other, strict=True):
        path.write_bytes(
            b"Received: by another.example; Thu, 1 Jan 2026 00:00:00 +0000\r\n" + Path(letter).read_bytes()
        )
    household.triage("process", *map(str, other))
    household.triage("work", "--until-idle")

    assert household.json("cases")["cases"][-len(told) :] == told
    assert [line["case"] for line in again] == [f"case-{number + 1}" for number in range(len(LETTERS))]
    assert set(household.created()) - later == set(made)


def test_a_backup_replaces_nothing(household: Household) -> None:
    """A file that is there is left alone; a folder that is not there, or no SQLite, is told with the cure."""
    household.triage("cases")
    kept = household.folder / "kept.db"
    kept.write_text("mine", encoding="utf-8")
    there = household.triage("backup", str(kept))
    no_failpoint = household.triage("backup", str(household.folder / "no" / "copy.db"))
    postgres = household.triage("backup", "copy.dump", DATABASE_URL="postgresql://u:canary@h/d")

    assert (there.returncode, kept.read_text(encoding="utf-8")) == (2, "mine")
    assert (no_failpoint.returncode, b"no backup of" in no_failpoint.stderr) == (3, True)
    assert (postgres.returncode, b"pg_dump --format=custom" in postgres.stderr) == (2, True)
    assert b"canary" not in postgres.stderr
    assert (household.folder / "kept.db.part").exists() is False


# --- the page -------------------------------------------------------------------------------------


def test_the_signed_delivery_is_taken(household: Household) -> None:
    """The lines of the page, pasted into a shell, bring a mail in; with another key they fail and bring nothing."""
    for tool in ("openssl", "curl"):
        find_server(tool, tool)
    secret = "whsec_" + base64.b64encode(os.urandom(24)).decode()
    (household.folder / "mail.eml").write_bytes(Path(LETTERS[0]).read_bytes())
    household.extra = {"WEBHOOK_SECRET": secret, "PORT": "0"}
    with running(household, "serve", "--no-work") as served:
        given = {"PATH": os.environ["PATH"], "TRIAGE_URL": served.url, "WEBHOOK_SECRET": secret}
        done, wrong = (
            subprocess.run(
                ["sh", "-eu", "-c", block("A signed delivery", "sh")],
                check=False,
                capture_output=True,
                cwd=household.folder,
                env=given | {"WEBHOOK_SECRET": key},
                timeout=PATIENCE,
            )
            for key in (secret, "whsec_" + base64.b64encode(bytes(24)).decode())
        )
        code = served.ended()

    assert (done.returncode, wrong.returncode != 0, code) == (0, True, 0), done.stderr
    assert len(household.json("cases")["cases"]) == 1


def test_the_unit_says_what_triage_understands() -> None:
    """The unit for systemd starts a command that exists, stops it patiently, and does not repeat wrong settings."""
    unit = dict(line.split("=", 1) for line in block("systemd", "ini").splitlines() if "=" in line and line[0] != "#")

    assert unit["ExecStart"].endswith("/.venv/bin/triage serve")
    assert (unit["RestartPreventExitStatus"], int(unit["TimeoutStopSec"]) > 20) == ("2", True)
    assert unit["WorkingDirectory"].rpartition("/")[2] == unit["StateDirectory"]
