"""A person at a terminal: `triage init` as a real process behind a pseudo-terminal, driven by pexpect."""

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pexpect

from tests.conftest import PATIENCE, ROOT
from tests.servers.dovecot import Dovecot


@dataclass
class Terminal:
    """One run; every prompt that is answered counts as a question."""

    child: Any
    questions: list[str] = field(default_factory=list)

    def answer(self, prompt: str, text: str) -> str:
        """Wait for the prompt, type the text and Enter; return what was printed before."""
        self.child.expect(f"({prompt})(?:[^\n]*: |[^>]*\n> )")
        before = str(self.child.before)
        self.questions.append(self.child.after)
        self.child.sendline(text)
        return before

    def sees(self, text: str) -> str:
        """Wait until it says this; return what was printed before."""
        self.child.expect(text)
        return str(self.child.before)

    def ended(self) -> int:
        """Its exit code."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus)


def plain(text: str) -> str:
    """The words without colours and cursor movements."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


def _hear_interrupts() -> None:
    """Take Ctrl-C as a terminal's processes do, also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminal(
    folder: Path, *words: str, server: Dovecot | None = None, columns: int = 100, **more: str
) -> Iterator[Terminal]:
    """Start `triage init` in this folder, without any setting in the environment."""
    environment = {
        "PATH": str(Path(sys.executable).parent),
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        **({"SSL_CERT_FILE": str(server.certificate)} if server else {}),
        **more,
    }
    with (folder / "transcript").open("w", encoding="utf-8") as heard:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "cli", *(words or ("init", "--no-lookup"))],
            cwd=str(folder),
            env=environment,
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(50, columns),
            echo=True,
            preexec_fn=_hear_interrupts,
        )
        child.logfile_read = heard
        try:
            yield Terminal(child)
        finally:
            child.close(force=True)
