"""A forked `triage` is what a user's shell starts: same words, same exit codes, stopped and killed the same way."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.installation import Installation
from tests.e2e.running import running


@pytest.mark.parametrize(
    "words", [("cases",), ("cases", "--json"), ("show", "7"), ("process", "absent.eml"), ("--nonsense",)]
)
def test_says_what_an_executed_one_says(installation: Installation, words: tuple[str, ...]) -> None:
    """Output, complaints and exit code are those of `python -m cli`."""
    executed = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        check=False, capture_output=True, cwd=installation.folder, env=installation.environment(), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    forked = installation.triage(*words)

    assert (forked.returncode, forked.stdout) == (executed.returncode, executed.stdout)
    assert forked.stderr.replace(b"python -m cli", b"triage") == executed.stderr.replace(b"python -m cli", b"triage")


def test_is_a_process_of_its_own(installation: Installation) -> None:
    """It has its own pid, and a kill of it is no harm to the next one."""
    with running(installation, "serve", PORT="0") as first, running(installation, "serve", PORT="0") as second:
        killed = first.ended(signal.SIGKILL)

        assert len({os.getpid(), first.process.pid, second.process.pid}) == 3
        assert killed == -signal.SIGKILL
        assert second.url


def test_nothing_of_ours_leaks(installation: Installation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the developer's environment says does not reach it."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'other.db'}")
    (tmp_path / "triage.db").unlink()
    installation.triage("cases")

    assert (tmp_path / "triage.db").exists()
    assert not (tmp_path / "other.db").exists()
