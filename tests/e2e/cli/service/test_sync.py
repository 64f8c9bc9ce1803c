"""`triage sync`: reads the project's tickets, says what is known, and builds the search index again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.installation import SEEDED, Installation


def synced(installation: Installation, *words: str) -> Any:
    """What `triage sync --json` says."""
    return installation.json("sync", *words)


def doctor(installation: Installation) -> dict[str, Any]:
    """The findings of `triage doctor` by name."""
    return {one["what"]: one for one in json.loads(installation.triage("doctor", "--json").stdout)}


def test_everything_is_read_and_indexed(installation: Installation) -> None:
    """At first the whole project, then what has changed, with `--full` the whole history again."""
    first, again, full = synced(installation), synced(installation), synced(installation, "--full")

    assert (first["read"], first["stored"], first["complete"]) == (SEEDED, SEEDED, True)
    assert (first["index"]["health"], first["index"]["tickets"], first["index"]["behind"]) == ("ready", SEEDED, 0)
    assert again["read"] < SEEDED <= full["read"]
    assert Path(first["index"]["folder"]).parent == installation.folder / "triage.index"


def test_what_is_gone_in_jira_is_forgotten(installation: Installation) -> None:
    """With `--full`, though nobody has announced it."""
    synced(installation)
    installation.jira.app.site.db.run("DELETE FROM issue WHERE number = 4")
    after = synced(installation, "--full")

    assert (after["stored"], after["index"]["tickets"]) == (SEEDED - 1, SEEDED - 1)


def test_the_index_is_built_again_without_jira(installation: Installation) -> None:
    """From the store alone; the doctor says what is missing before, and nothing after."""
    before = doctor(installation)
    synced(installation)
    folder = installation.folder / "triage.index"
    shutil.rmtree(folder)
    missing = doctor(installation)
    asked = len(installation.jira.requests())
    done = installation.triage("sync", "--rebuild")
    asked_meanwhile = len(installation.jira.requests()) - asked
    after = doctor(installation)

    assert (before["tickets"]["state"], "is read yet" in before["tickets"]["text"]) == ("ok", True)
    assert (missing["search index"]["state"], "there is none yet" in missing["search index"]["text"]) == ("warn", True)
    assert done.returncode == 0
    assert b"search index: ready, 70 tickets" in done.stdout
    assert f"{SEEDED} tickets" in after["search index"]["text"]
    assert "tickets" not in after
    assert asked_meanwhile == 0


def test_a_folder_that_cannot_be_used_is_told(installation: Installation) -> None:
    """By exit codes, and by the doctor with a cure; mails are worked all the same."""
    (installation.folder / "file").write_text("no folder")
    installation.extra["TICKET_INDEX_DIR"] = str(installation.folder / "file" / "index")
    read = installation.triage("sync")
    built = installation.triage("sync", "--rebuild")

    assert read.returncode == 1
    assert b"search index: unusable" in read.stdout
    assert built.returncode == 3
    assert b"cannot be built" in built.stderr
    assert doctor(installation)["search index"]["state"] == "fail"


@pytest.mark.parametrize("words", [("--full", "--rebuild")])
def test_one_thing_at_a_time(installation: Installation, words: tuple[str, ...]) -> None:
    """Both options together are a wrong use."""
    assert installation.triage("sync", *words).returncode == 2
