"""An installation for journeys: a sandbox Jira and model over HTTP, a database file, and `triage` as a real process."""

import json
import os
import re
import signal
import sqlite3
import subprocess
from collections import deque
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests.conftest import PATIENCE, ROOT
from tests.e2e.launcher import run
from tests.servers.sandbox import RunningJira
from triage_sandbox.openai_app import Asked

SEEDED = 70
MAILS = ROOT / "sandbox" / "triage_sandbox" / "company" / "mails"


@dataclass
class Installation:
    """What a user has: settings in the environment and a shell."""

    folder: Path
    jira: RunningJira
    model_url: str = ""
    asked: deque[Asked] = field(default_factory=deque)
    """Every request that the model got."""
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> str:
        """DATABASE_URL."""
        return f"sqlite:///{self.folder / 'triage.db'}"

    def environment(self, **more: str) -> dict[str, str]:
        """Only what is needed, nothing of the developer's own."""
        model = {"OPENAI_BASE_URL": f"{self.model_url}/v1", "OPENAI_API_KEY": "x"} if self.model_url else {}
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": self.database,
            "SETTLE_SECONDS": "0",
            "LOG_LEVEL": "ERROR",
            "COLUMNS": "200",
            **self.jira.settings,
            **model,
            **self.extra,
            **more,
        }

    def triage(self, *words: str, stdin: bytes = b"", **more: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a command as a user would, in another folder than the checkout; what it holds when it is killed is free at once."""
        done = run(words, self.environment(**more), self.folder, stdin)
        if done.returncode == -signal.SIGKILL:
            self.end_leases()
        return done

    def end_leases(self, worker: str = "%") -> None:
        """Let the leases of killed workers end, as a minute would."""
        with closing(sqlite3.connect(self.folder / "triage.db", timeout=PATIENCE)) as store, store:
            ended = "UPDATE jobs SET due = '2000-01-01 00:00:00.000000' WHERE state = 'leased' AND worker LIKE ?"
            store.execute(ended, [worker])

    def json(self, *words: str) -> Any:
        """The same, read by a machine."""
        done = self.triage(*words, "--json")
        assert done.stdout, done.stderr.decode()
        return json.loads(done.stdout)

    def created(self) -> list[str]:
        """Keys of tickets beyond the seed: the judge is Jira, not our own books."""
        path = "search/jql" if self.jira.cloud else "search"
        asked = {"jql": "project = HARB ORDER BY created DESC", "maxResults": "100", "fields": "summary"}
        found = self._get(f"/rest/api/2/{path}", asked)["issues"]
        return sorted(issue["key"] for issue in found if int(issue["key"].partition("-")[2]) > SEEDED)

    def comments(self, key: str) -> list[str]:
        """Bodies of a ticket's comments by the bot."""
        found = self._get(f"/rest/api/2/issue/{key}/comment", {})["comments"]
        return [comment["body"] for comment in found if "case-" in comment["body"]]

    def _get(self, path: str, asked: dict[str, str]) -> Any:
        return httpx2.get(self.jira.url + path, params=asked, auth=self.jira.login).raise_for_status().json()


def told(done: "subprocess.CompletedProcess[bytes]") -> str:
    """All that a command said, on one line of single blanks; a traceback is never among it."""
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said, said
    return " ".join(re.sub("[│╭╮╰╯─]", " ", said).split())
