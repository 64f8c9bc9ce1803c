"""`triage demo` as a newcomer starts it: forty-five mails, the right end for each, in little memory."""

import json
import os
import re
import shlex
import signal
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
MOST_MEMORY = 400 * MEBIBYTE
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
            time.sleep(0.05)
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
    [(), ("--model", "openai"), ("--deployment", "server")],
    ids=["playbook", "openai", "server"],
)
def test_all_mails(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Each mail ends as is written beside it, with two model calls and 3,500 input tokens in the median at most."""
    run = shown(tmp_path, "--once", *words)
    figures = re.search(r"(\d+) mails in ([\d.]+) s, (\d+) as expected\. Median per mail \((.+)\):", run.out)
    spent = re.search(r"(\d+) model calls, (\d+) input tokens", run.out)
    print(run.out[-220:], f"{run.memory / MEBIBYTE:.0f} MiB")

    assert (run.code, run.err) == (0, ""), run.out + run.err
    assert figures
    assert spent
    assert (figures[1], figures[3]) == ("45", "45")
    assert figures[4] == ("playbook over HTTP" if "openai" in words else "playbook")
    assert (int(spent[1]) <= 2, int(spent[2]) <= 3500) == (True, True), spent[0]
    assert run.memory < MOST_MEMORY


def test_the_table_for_machines(tmp_path: Path) -> None:
    """`--json` gives a list of mail, action, ticket and why, one for each mail, and ends by itself."""
    run = shown(tmp_path, "--json")
    lines = json.loads(run.out)

    assert (run.code, run.err) == (0, "")
    assert [line["mail"] for line in lines] == [letter.name for letter in mails()]
    assert [set(line) for line in lines] == [{"mail", "action", "ticket", "why"}] * 45
    assert [line["action"] for line in lines] == [letter.expected.action for letter in mails()]
    assert [line["mail"] for line in lines if not line["why"]] == []


def _hear_interrupts() -> None:
    """Who runs the tests in the background has them ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("way", ["options", "environment"])
def test_sprints_and_assignment(tmp_path: Path, way: str) -> None:
    """Both can be seen in the demo: urgent tickets ask for the full sprint, new ones have an assignee; all end as expected."""
    switches = {"ENABLE_SPRINTS": "true", "ENABLE_SMART_ASSIGNMENT": "true"} if way == "environment" else {}
    words = () if switches else ("--sprints", "--assignment")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "demo", "--json", *words],
        check=False, capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **switches},
    )  # fmt: skip
    reasons = " ".join(line["why"] for line in json.loads(done.stdout))

    assert (done.returncode, "sprint 2" in reasons, "for Priya Raman" in reasons) == (0, True, True)


def _page_of(line: str, environment: dict[str, str], folder: Path) -> str:
    """What a browser shows at the address that the pasted line prints; the service ends afterwards."""
    import httpx2

    with subprocess.Popen(shlex.split(line), stderr=subprocess.PIPE, text=True, env=environment, cwd=folder) as serving:
        try:
            assert serving.stderr
            said = next(found for words in serving.stderr if (found := re.search(r"open (http://\S+) and", words)))
            return httpx2.get(said[1]).text
        finally:
            serving.terminate()


def test_the_board_stays_until_interrupted(tmp_path: Path) -> None:
    """Without --once board, senders' mailboxes and store are left, and the printed commands work on them; Ctrl-C ends all with code 0."""
    import httpx2

    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-u", "-m", "cli", "demo"]
    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=out,
            cwd=tmp_path,
            env=environment,
            preexec_fn=_hear_interrupts,  # noqa: PLW1509 - it takes no lock that a thread could hold
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (
            found := re.search(r"The board: (http://\S+)[^$]+ approve 1\n[^$]+ serve\n", (tmp_path / "out").read_text())
        ):
            assert time.monotonic() < deadline, (tmp_path / "out").read_text()
            time.sleep(0.1)
        board = httpx2.get(found[1]).text
        ticket = httpx2.get(f"{found[1]}/browse/HARB-71").text
        report = httpx2.get(found[1] + re.findall(r'href="(/reports/[^"]+)"', ticket)[0]).text
        nobody = httpx2.get(f"{found[1]}/reports/case-99").status_code
        mailboxes = re.findall(r"receipts: (http://\S+)", (tmp_path / "out").read_text())[0]
        receipts = httpx2.get(mailboxes, params={"of": "paul.okafor@redkite-outdoor.example"}).text
        receipt = httpx2.get(mailboxes + re.findall(r'href="(/letters/\d+)"', receipts)[0]).text
        lines = re.findall(r"^  (.+ --env .+)$", (tmp_path / "out").read_text(), re.MULTILINE)
        # As somebody does who has another Jira in mind in that terminal: the demo's file counts alone.
        other = environment | {"JIRA_BASE_URL": "https://acme.example", "JIRA_TOKEN": "x", "JIRA_PROJECT_KEY": "ACME"}
        show, waiting, approve, notes, asked = (
            subprocess.run(line, shell=True, capture_output=True, text=True, env=other, cwd=tmp_path, check=False)  # noqa: S602 - pasted as printed
            for line in lines[:-1]
        )
        console = _page_of(lines[-1], other, tmp_path)
        done = httpx2.get(f"{found[1]}/browse/HARB-45").text
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()

    assert ("HARB-71" in board, code) == (True, 0), (tmp_path / "out").read_text()
    assert ("case-1  ticketed  HARB-71" in report, nobody) == (True, 404)
    assert "has the number HARB-76" in receipt
    assert (show.returncode, "HARB-45" in show.stdout, "HARB-45" in waiting.stdout) == (0, True, True)
    assert (approve.returncode, approve.stderr, "case-9" in approve.stdout) == (0, "", True)
    assert "→ <strong>Done</strong>" in done
    assert (notes.returncode, "action_required" in notes.stdout) == (0, True), notes.stderr
    assert (asked.returncode, "date and time of the phone" in " ".join(asked.stdout.split())) == (0, True), asked.stderr
    assert "first" in console.lower()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
