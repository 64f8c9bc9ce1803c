"""`triage demo --config`: rules, agents and articles of one's own in the demo, here those of the example CultPass."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx2
import pytest

from tests.conftest import PATIENCE, ROOT
from tests.e2e.agents.example_agents import EXAMPLES
from tests.e2e.launcher import run

MAILS = (
    ("Cancelling", "Hello,\n\nuntil when can I cancel a reservation free of charge?\n\nAlma"),
    ("Re: Cancelling", "Thanks. How many visits are in my subscription each month?\n\nAlma"),
    ("Re: Cancelling", "I am in hospital that week. Could you refund r-500, please?\n\nAlma"),
)


class Terminal:
    """A running demo, its page of mailboxes, and a second terminal."""

    def __init__(self, out: Path, environment: Mapping[str, str], folder: Path) -> None:
        text = out.read_text()
        self.mailboxes = re.findall(r"team there: (http://\S+)", text)[0]
        self.board = re.findall(r"The board: (http://\S+)", text)[0]
        self._env = re.findall(r"--env (\S+) show", text)[0]
        self._environment, self._folder = environment, folder
        self._deadline = time.monotonic() + PATIENCE

    def triage(self, *words: str) -> str:
        """What a command prints."""
        done = run(["--env", self._env, *words], dict(self._environment), self._folder)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def writes(self, subject: str, text: str) -> None:
        """Alma writes a mail, in answer to the last letter that she has."""
        mail = {"sender": "alma@members.example", "name": "Alma Reyes", "subject": subject, "text": text}
        answered = {"letter": str(max(self.letters()))} if self.letters() else {}
        more = {"to": "help@cultpass.example", "proof": "pass", **answered}
        httpx2.post(f"{self.mailboxes}/write", data=mail | more, headers={"Origin": self.mailboxes})

    def letters(self) -> list[int]:
        """Numbers of the letters in her mailbox."""
        page = httpx2.get(self.mailboxes, params={"of": "alma@members.example"}).text
        return [int(number) for number in re.findall(r'href="/letters/(\d+)"', page)]

    def letter(self, known: int) -> str:
        """The next letter, once more than so many are there."""
        while len(self.letters()) <= known:
            assert time.monotonic() < self._deadline
            time.sleep(0.2)
        return httpx2.get(f"{self.mailboxes}/letters/{max(self.letters())}").text

    def waiting(self, what: str) -> str:
        """Number of the last approval of this kind, once it is there."""
        while not (found := re.findall(rf"^(\d+) +case-(?:4[6-9]) +{what}", self.triage("approvals"), re.MULTILINE)):
            assert time.monotonic() < self._deadline
            time.sleep(0.2)
        return str(found[-1])


@pytest.mark.heavy
def test_a_conversation_of_three_mails_in_the_demo(tmp_path: Path, install: Callable[[str], str]) -> None:
    """As the page on the support hub says: answered with a source, looked up, a refund that waits for a person, with its summary in Jira."""
    install("cultpass")
    paths = (tmp_path / "site", EXAMPLES / "cultpass", ROOT)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    command = [sys.executable, "-u", "-m", "cli", "demo", "--config", str(EXAMPLES / "cultpass" / "support.yaml")]
    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, cwd=tmp_path, env=environment)
    try:
        deadline = time.monotonic() + PATIENCE
        while "listening on" not in (shown := (tmp_path / "out").read_text()):
            assert time.monotonic() < deadline, shown
            time.sleep(0.2)
        demo = Terminal(tmp_path / "out", environment, tmp_path)
        letters = []
        for number, mail in enumerate(MAILS[:2]):
            demo.writes(*mail)
            demo.triage("approve", demo.waiting("letter"))
            letters.append(demo.letter(number))
        demo.writes(*MAILS[2])
        receipt = demo.letter(2)
        refund = demo.waiting("refund_processing")
        ticket = httpx2.get(f"{demo.board}/browse/HARB-103").text
        demo.triage("approve", refund)
        demo.triage("approve", demo.waiting("letter"))
        told = demo.letter(3)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()

    assert "45 mails in" in shown
    assert "free of charge until the day before the event. [1]" in letters[0]
    assert "monthly quota 8" in letters[1]
    assert "HARB-103" in receipt
    for words in ("refund_processing: waits for a person", "premium (active)", "policy exception"):
        assert words in ticket, ticket
    assert "60 EUR for Night at the opera" in told
