"""Dry runs: they look at the real store, say what would happen, and leave everything as it was."""

import json
import signal
import sqlite3
import subprocess
import sys
import time

from tests.conftest import PATIENCE
from tests.e2e.installation import MAILS, Installation
from triage_sandbox.jira import Fault

FIRST = str(MAILS / "04-signature-upload.eml")
ANSWER = str(MAILS / "05-signature-upload-detail.eml")


def rows(installation: Installation) -> list[str]:
    """Everything in the database's file."""
    with sqlite3.connect(installation.folder / "triage.db") as connection:
        return list(connection.iterdump())


def test_a_dry_run_knows_what_was_done(installation: Installation) -> None:
    """An answer in a known thread would comment on that ticket; a mail taken before would do nothing; no row changes."""
    installation.triage("process", FIRST)
    made, before = installation.created(), rows(installation)
    done = installation.triage("process", "--dry-run", "--json", ANSWER, FIRST)
    answer, again = json.loads(done.stdout)

    assert (answer["action"], answer["ticket"], answer["dry_run"]) == ("commented", made[0], True)
    assert answer["why"].startswith(f"Would change {made[0]}: comment")
    assert (again["case"], again["why"].partition(":")[0]) == ("case-1", "was taken before, nothing would be done now")
    assert (installation.created(), installation.comments(made[0]), rows(installation)) == (made, [], before)


def test_a_dry_run_makes_no_store(installation: Installation) -> None:
    """On a machine that has none there is none afterwards, and a real run then begins with the first case."""
    (installation.folder / "triage.db").unlink()
    dry = installation.triage("process", "--dry-run", FIRST)
    files = [path.name for path in installation.folder.iterdir()]
    (real,) = installation.json("process", FIRST)

    assert (dry.returncode, b"Would" in dry.stdout, [name for name in files if name.startswith("triage")]) == (
        0,
        True,
        [],
    )
    assert (real["case"], real["dry_run"]) == ("case-1", False)


def test_a_dry_replay_decides_again(installation: Installation) -> None:
    """It says what the case would come to now, for machines, too; nothing is written, in Jira nor here."""
    installation.triage("process", FIRST)
    made, before = installation.created(), rows(installation)
    told = json.loads(installation.triage("replay", "1", "--dry-run", "--json").stdout)

    assert (told["case"], told["dry_run"]) == ("case-1", True)
    assert told["why"].startswith("Would ")
    assert (installation.created(), installation.comments(made[0]), rows(installation)) == (made, [], before)


def test_a_stopped_dry_run_leaves_no_mails_behind(installation: Installation) -> None:
    """SIGTERM ends a dry run as Ctrl-C does: its copy of the database, with the mails in it, is removed."""
    installation.triage("process", FIRST)
    installation.jira.fault(Fault(do="delay", path="/search", seconds=2.0, count=0))
    copies = installation.folder / "copies"
    copies.mkdir()
    words = (sys.executable, "-m", "cli", "process", "--dry-run", ANSWER)
    environment = installation.environment(TMPDIR=str(copies))
    with subprocess.Popen(words, cwd=installation.folder, env=environment, stderr=subprocess.PIPE) as process:
        while not list(copies.glob("*/*.db")) and process.poll() is None:
            time.sleep(0.02)
        process.terminate()
        printed = process.communicate(timeout=PATIENCE)[1]

    assert (process.returncode, printed, list(copies.iterdir())) == (-signal.SIGTERM, b"", [])
