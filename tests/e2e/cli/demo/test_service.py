"""`triage demo` as it goes on: board, mailboxes, console and store, until Ctrl-C."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import PATIENCE, ROOT
from tests.e2e.cli.demo.demo_figures import hold_what_is_promised, memory_of
from tests.e2e.launcher import run


def _hear_interrupts() -> None:
    """Who runs the tests in the background has them ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _signed_in(said: str, deadline: float) -> tuple[str, str]:
    """The console's first page for the account that was printed, and what its check of Jira finds."""
    import httpx2

    place, address, password = re.findall(r"The console: (http://\S+) +sign in as (\S+) with (\S+)", said)[0]
    with httpx2.Client(base_url=place, follow_redirects=True) as browser:
        first = browser.post("/sign-in", data={"address": address, "password": password}).text
        form = {"looks": "jira", "form_key": re.findall(r'name="form_key" value="([^"]+)"', first)[0]}
        browser.post("/jira", data=form)
        while "Checked by" not in (found := browser.get("/jira").text):
            assert time.monotonic() < deadline, found
            time.sleep(0.2)
        return first, found


def _written(mailboxes: str, deadline: float) -> str:
    """The letters of somebody who writes to the team on the page of mailboxes, once an answer is there."""
    import httpx2

    mail = {"sender": "ida@north.example", "subject": "Tracking map stays empty", "text": "Since nine it is white."}
    sent = httpx2.post(f"{mailboxes}/write", data=mail, headers={"Origin": mailboxes}, follow_redirects=True).text
    assert "has your mail" in sent
    while "Re: Tracking map" not in (own := httpx2.get(mailboxes, params={"of": "ida@north.example"}).text):
        assert time.monotonic() < deadline, own
        time.sleep(0.1)
    return own


def _pasted(line: str, environment: dict[str, str], folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """What the shell makes of it: words after a program that is there."""
    words = shlex.split(line)
    assert words[:3] == [sys.executable, "-m", "cli"]
    return run(words[3:], environment, folder)


def test_the_board_stays_until_interrupted(tmp_path: Path) -> None:
    """As a newcomer starts it: forty-five mails, the right end for each, in little memory.

    Then board, mailboxes, console and store stay, a mail that is written becomes a ticket, and the printed commands work; Ctrl-C ends all with code 0.
    """
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
        deadline, memory = time.monotonic() + PATIENCE, 0
        while not (
            found := re.search(
                r"The board: (http://\S+)[^$]+ approve 1\n[^$]+listening on", (tmp_path / "out").read_text()
            )
        ):
            assert time.monotonic() < deadline, (tmp_path / "out").read_text()
            memory = max(memory, memory_of(process.pid))
            time.sleep(0.5)  # each look at the memory of all its processes costs
        board = httpx2.get(found[1]).text
        ticket = httpx2.get(f"{found[1]}/browse/HARB-71").text
        report = httpx2.get(found[1] + re.findall(r'href="(/reports/[^"]+)"', ticket)[0]).text
        nobody = httpx2.get(f"{found[1]}/reports/case-99").status_code
        mailboxes = re.findall(r"team there: (http://\S+)", (tmp_path / "out").read_text())[0]
        receipts = httpx2.get(mailboxes, params={"of": "paul.okafor@redkite-outdoor.example"}).text
        receipt = httpx2.get(mailboxes + re.findall(r'href="(/letters/\d+)"', receipts)[0]).text
        lines = re.findall(r"^  (.+ --env .+)$", (tmp_path / "out").read_text(), re.MULTILINE)
        # As somebody does who has another Jira in mind in that terminal: the demo's file counts alone.
        other = environment | {"JIRA_BASE_URL": "https://acme.example", "JIRA_TOKEN": "x", "JIRA_PROJECT_KEY": "ACME"}
        show, waiting, approve, notes, asked = (_pasted(line, other, tmp_path) for line in lines)
        signed_in, checked = _signed_in((tmp_path / "out").read_text(), deadline)
        own = _written(mailboxes, deadline)
        done = httpx2.get(f"{found[1]}/browse/HARB-45").text
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()

    assert ("HARB-71" in board, code) == (True, 0), (tmp_path / "out").read_text()
    hold_what_is_promised(
        (tmp_path / "out").read_text(), memory, tokens=3900
    )  # the tools for letters and the versions are offered, too
    assert ("case-1  ticketed  HARB-71" in report, nobody) == (True, 404)
    assert "has the number HARB-76" in receipt
    assert (show.returncode, b"HARB-45" in show.stdout, b"HARB-45" in waiting.stdout) == (0, True, True)
    assert (approve.returncode, approve.stderr, b"case-9" in approve.stdout) == (0, b"", True)
    assert "→ <strong>Done</strong>" in done
    assert (notes.returncode, b"action_required" in notes.stdout) == (0, True), notes.stderr
    assert (asked.returncode, b"date and time of the phone" in b" ".join(asked.stdout.split())) == (0, True), (
        asked.stderr
    )
    assert "Re: Tracking map" in own
    assert "Password reset works again" in signed_in
    assert ("we are Triage Bot" in checked, "To fix" in checked) == (True, False), checked
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
