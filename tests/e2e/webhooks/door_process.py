"""A door in a process of its own, which can be killed, and limited in what it may write."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it has no types

from tests.e2e.launcher import Launched, launcher


@contextmanager
def door(folder: Path, largest_file: int = -1) -> Iterator[tuple[str, Launched]]:
    """A door in a process of its own, that may write files of so many bytes, with its database in this folder."""
    words = ("-m", "tests.bench.programs.accept_server", "triage", f"sqlite:///{folder}/triage.db")
    given, said = os.pipe()
    with (folder / "never").open("wb") as complained, os.fdopen(given) as told:
        reading, held = os.pipe()
        process = launcher().start(words, {"PATH": os.environ["PATH"]}, folder, reading, said, complained.fileno())
        os.close(said)
        os.close(reading)
        try:
            port = told.readline().strip()
            psutil.Process(process.pid).rlimit(psutil.RLIMIT_FSIZE, (largest_file, psutil.RLIM_INFINITY))
            yield f"http://127.0.0.1:{port}", process
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()
            os.close(held)
