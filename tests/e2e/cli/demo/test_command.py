"""`triage demo` as a newcomer starts it: forty-five mails, the right end for each, in little memory."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # comes without types
import pytest

from tests.conftest import PATIENCE, ROOT
from triage_sandbox.company import mails

MEBIBYTE = 1024 * 1024
MOST_MEMORY = 440 * MEBIBYTE
"""Of all its processes together."""


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


def memory_of(pid: int) -> int:
    """Resident bytes of a process and its children; 0 when it has just gone."""
    try:
        root = psutil.Process(pid)
        return int(sum(one.memory_info().rss for one in (root, *root.children(recursive=True))))
    except psutil.NoSuchProcess:
        return 0


@pytest.mark.parametrize(
    "words",
    [
        pytest.param((), id="playbook"),
        pytest.param(("--model", "openai"), id="openai", marks=pytest.mark.heavy),
        pytest.param(("--assignment",), id="assignment", marks=pytest.mark.heavy),
        pytest.param(("--deployment", "server"), id="server", marks=pytest.mark.heavy),
    ],
)
def test_all_mails(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Each mail ends as is written beside it, with two rounds and 3,500 input tokens in the median at most."""
    run = shown(tmp_path, "--once", *words)
    figures = re.search(r"(\d+) mails in ([\d.]+) s, (\d+) as expected\. Median per mail \((.+)\):", run.out)
    spent = re.search(r"(\d+) rounds, (\d+) input tokens", run.out)
    print(run.out[-220:], f"{run.memory / MEBIBYTE:.0f} MiB")

    assert (run.code, run.err) == (0, ""), run.out + run.err
    assert figures
    assert spent
    assert (figures[1], figures[3]) == ("45", "45")
    assert figures[4] == ("playbook over HTTP" if "openai" in words else "playbook")
    assert (int(spent[1]) <= 2, int(spent[2]) <= 3500) == (True, True), spent[0]
    assert run.memory < MOST_MEMORY


@pytest.mark.parametrize("way", ["options", pytest.param("environment", marks=pytest.mark.heavy)])
def test_sprints_and_assignment(tmp_path: Path, way: str) -> None:
    """Both can be seen in the table for machines: urgent tickets ask for the full sprint, new ones have an assignee.

    That table has mail, action, ticket and why of each mail, and all end as without, but for tickets that wait for a sprint.
    """
    switches = {"ENABLE_SPRINTS": "true", "ENABLE_SMART_ASSIGNMENT": "true"} if way == "environment" else {}
    words = () if switches else ("--sprints", "--assignment")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "demo", "--json", *words],
        check=False, capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **switches},
    )  # fmt: skip
    lines = json.loads(done.stdout)
    reasons = " ".join(line["why"] for line in lines)

    assert (done.returncode, done.stderr) == (0, "")
    assert ("sprint 2" in reasons, "for Priya Raman" in reasons) == (True, True)
    assert [set(line) for line in lines] == [{"mail", "action", "ticket", "why"}] * 45
    assert [line["mail"] for line in lines] == [letter.name for letter in mails()]
    others = [line for line, letter in zip(lines, mails(), strict=True) if line["action"] != letter.expected.action]
    assert {(line["action"], "sprint" in line["why"]) for line in others} == {("waiting", True)}
    assert [line["mail"] for line in lines if not line["why"]] == []
