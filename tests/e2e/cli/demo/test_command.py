"""`triage demo` with its options; as a newcomer starts it, it is in `test_service.py`."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.cli.demo.demo_figures import hold_what_is_promised, memory_of
from tests.e2e.launcher import run
from triage_sandbox.company import mails


@dataclass(frozen=True)
class Shown:
    """What a run of the demo came to."""

    code: int
    out: str
    err: str
    memory: int
    """The highest that was seen."""


def shown(folder: Path, *words: str) -> Shown:
    """The demo from its start to its end, its memory watched."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    command = [sys.executable, "-m", "cli", "demo", *words]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=folder, env=environment)
        highest = 0
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            highest = max(highest, memory_of(process.pid))
            time.sleep(0.2)
        process.kill()
    return Shown(process.wait(), (folder / "out").read_text(), (folder / "err").read_text(), highest)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param((), id="playbook", marks=pytest.mark.heavy),
        pytest.param(("--model", "openai"), id="openai", marks=pytest.mark.heavy),
        pytest.param(("--assignment",), id="assignment", marks=pytest.mark.heavy),
        pytest.param(("--deployment", "server"), id="server", marks=pytest.mark.heavy),
    ],
)
def test_all_mails(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Each mail ends as is written beside it, with two rounds and 3,500 input tokens in the median at most.

    With assignment they are 3,800: its tools, rule and proposals are more.
    """
    done = shown(tmp_path, "--once", *words)

    assert (done.code, done.err) == (0, ""), done.out + done.err
    decided_by = "playbook over HTTP" if "openai" in words else "playbook"
    hold_what_is_promised(done.out, done.memory, decided_by, tokens=3800 if "--assignment" in words else 3500)


@pytest.mark.parametrize("way", ["options", pytest.param("environment", marks=pytest.mark.heavy)])
def test_sprints_and_assignment(tmp_path: Path, way: str) -> None:
    """Both can be seen in the table for machines: urgent tickets ask for the full sprint, new ones have an assignee.

    That table has mail, action, ticket and why of each mail, and all end as without, but for tickets that wait for a sprint.
    """
    switches = {"ENABLE_SPRINTS": "true", "ENABLE_SMART_ASSIGNMENT": "true"} if way == "environment" else {}
    words = () if switches else ("--sprints", "--assignment")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **switches}
    done = run(["demo", "--json", *words], environment, tmp_path)
    lines = json.loads(done.stdout)
    reasons = " ".join(line["why"] for line in lines)

    assert (done.returncode, done.stderr) == (0, b"")
    assert ("sprint 2" in reasons, "for Priya Raman" in reasons) == (True, True)
    assert [set(line) for line in lines] == [{"mail", "action", "ticket", "why"}] * 45
    assert [line["mail"] for line in lines] == [letter.name for letter in mails()]
    others = [line for line, letter in zip(lines, mails(), strict=True) if line["action"] != letter.expected.action]
    assert {(line["action"], "sprint" in line["why"]) for line in others} == {("waiting", True)}
    assert [line["mail"] for line in lines if not line["why"]] == []
