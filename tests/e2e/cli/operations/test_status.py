"""`triage status` as a person and a supervisor read it."""

import json
from datetime import timedelta

from cli.operations.status import duration_text
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until


def test_a_day(installation: Installation) -> None:
    """An empty installation, a day's work, a pause: one screen each, and 1 only where a person is needed."""
    empty = installation.triage("status")
    installation.triage("process", str(MAILS / "01-barcode-cut-off.eml"))
    worked = installation.triage("status")
    assert installation.json("pause", "a drill")["why"] == "a drill"
    paused = installation.triage("status")
    machine = installation.json("status")
    ends = [installation.json("resume")["ended"] for _ in range(2)]

    assert (empty.returncode, worked.returncode, paused.returncode) == (0, 0, 1)
    assert b"today      0 mails came in; nothing ended" in empty.stdout
    assert b"today      1 mail came in; 1 ticketed" in worked.stdout
    assert b"nothing needs you" in worked.stdout
    assert b"needs you  paused by" in paused.stdout
    assert len(paused.stdout.splitlines()) <= 24
    assert (machine["today"], machine["came_in_today"]) == ({"ticketed": 1}, 1)
    assert machine["backlog"] == {"ready": 0, "working": 0, "retrying": 0, "oldest": None, "leased_until": None}
    assert machine["pause"]["why"] == "a drill"
    assert len(machine["needs"]) == 1
    assert [bool(end) for end in ends] == [True, False]


def test_a_full_disk(installation: Installation) -> None:
    """While mail is refused for want of room, that is the first thing that needs a person."""
    full = installation.triage("status", MIN_FREE_BYTES=str(10**17))

    assert full.returncode == 1
    assert b"needs you  no mail is taken: " in full.stdout


def test_watched(installation: Installation) -> None:
    """It is told again and again, a JSON document a line for machines."""
    with running(installation, "status", "--watch", "--json") as watching:
        until(lambda: watching.said.count("\n") >= 1, watching)
        first = json.loads(watching.said.splitlines()[0])
    assert first["needs"] == []


def test_lengths_of_time() -> None:
    """Told in the largest unit that fits."""
    assert [duration_text(timedelta(seconds=n)) for n in (-5, 59, 60, 7200, 200_000)] == [
        "0 s",
        "59 s",
        "1 min",
        "2 h",
        "2 d",
    ]
