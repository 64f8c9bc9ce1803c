"""`triage pipe`: what a mail server hears, so that it keeps, drops or returns the mail."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrations.system_clock import SystemClock
from tests.conftest import ROOT
from tests.e2e.launcher import run
from tests.e2e.webhooks.webhook_door import BOTH, LIMIT, MAIL, SECRET, Door, HandClock, MemoryStore
from tests.servers import free_port
from triage_sandbox.server import Served


class NowClock(HandClock):
    """The time of this machine."""

    def __init__(self) -> None:
        self.time = SystemClock().now()


@pytest.fixture
def door() -> Iterator[Door]:
    """A door whose clock is right."""
    door = Door("", NowClock(), MemoryStore())
    with Served(door.application(BOTH), lifespan="off") as served:
        door.url = served.url
        yield door


def pipe(mail: bytes, folder: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """As a mail server runs it: hardly any environment, another folder."""
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "WEBHOOK_SECRET": SECRET} | variables
    return run(["pipe"], given, folder, mail)


def test_handed_over(door: Door, tmp_path: Path) -> None:
    """0 when the mail is stored, without the envelope line; the same mail again is the same case."""
    first = pipe(b"From ada@example.com Fri Nov 20 09:00:00 2026\n" + MAIL, tmp_path, TRIAGE_URL=door.url + "/")
    again = pipe(MAIL, tmp_path, TRIAGE_URL=door.url)

    assert (first.returncode, again.returncode, first.stderr) == (0, 0, b"")
    assert [received.raw for received in door.stored] == [MAIL]


def test_secret_in_a_file(door: Door, tmp_path: Path) -> None:
    """The key may lie in a file that only the mail server's user reads."""
    (tmp_path / "key").write_text(SECRET + "\n")

    assert pipe(MAIL, tmp_path, TRIAGE_URL=door.url, WEBHOOK_SECRET="", WEBHOOK_SECRET_FILE="key").returncode == 0


@pytest.mark.parametrize("mail", [b"", b"no mail\n", b"\r\n\r\n: x"])
def test_no_mail(tmp_path: Path, mail: bytes) -> None:
    """65 for what is no mail: trying again would change nothing."""
    assert pipe(mail, tmp_path).returncode == 65


def test_too_large(door: Door, tmp_path: Path) -> None:
    """65 for a mail over the limit: its author hears of it from the mail server."""
    assert pipe(MAIL + bytes(LIMIT), tmp_path, TRIAGE_URL=door.url).returncode == 65


def test_try_again(door: Door, tmp_path: Path) -> None:
    """75 while nobody answers, the store is down, or key and settings are wrong: the mail waits in its queue."""
    away = pipe(MAIL, tmp_path, TRIAGE_URL=f"http://127.0.0.1:{free_port()}")
    wrong_key = pipe(MAIL, tmp_path, TRIAGE_URL=door.url, WEBHOOK_SECRET="x" * 32)
    no_key = pipe(MAIL, tmp_path, TRIAGE_URL=door.url, WEBHOOK_SECRET="")
    wrong_setting = pipe(MAIL, tmp_path, TRIAGE_URL=door.url, PORT="many")
    door.store.down = True
    down = pipe(MAIL, tmp_path, TRIAGE_URL=door.url)

    assert [away.returncode, wrong_key.returncode, no_key.returncode, wrong_setting.returncode] == [75] * 4
    assert (down.returncode, down.stderr) == (75, b"triage pipe: triage serve answered 503\n")
    assert door.stored == []


def test_help_tells_the_exit_codes(tmp_path: Path) -> None:
    """Who writes the line for a mail server learns what each exit code makes it do."""
    told = run(["pipe", "--help"], {"PATH": os.environ["PATH"], "COLUMNS": "400"}, tmp_path).stdout.decode()

    assert [code for code in ("0 the mail is stored", "65 it is no mail", "75 not now") if code not in told] == []


def test_starts_fast(tmp_path: Path) -> None:
    """A mail server starts it for each mail, so nothing large is loaded for it."""
    script = "import sys, cli.__main__, triage.config.settings, webhooks.signatures; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert set(said.stdout.split()) & {"fastapi", "sqlalchemy", "openai", "jira", "uvicorn", "httpx2", "rich"} == set()
