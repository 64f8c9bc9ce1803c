"""Services under a supervisor: a worker that hangs is seen, a watcher without a mailbox waits."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.installation import Installation
from tests.e2e.running import Running, running, until


@contextmanager
def stopped(process: Running) -> Iterator[None]:
    """The process as it is when it hangs: there, and doing nothing."""
    process.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.process.send_signal(signal.SIGCONT)


def test_a_hanging_worker_is_seen(installation: Installation) -> None:
    """`triage work --status` is 0 while the worker works, 1 while it is there and does nothing, 0 when it goes on."""
    beat = installation.folder / "beat"
    installation.extra = {"HEARTBEAT_FILE": str(beat)}
    before = installation.triage("work", "--status").returncode
    with running(installation, "work") as worker:
        until(beat.exists, worker)
        well = installation.triage("work", "--status", "--json")
        with stopped(worker):
            os.utime(beat, (0, 0))  # as if it had been so for long
            hanging = installation.triage("work", "--status")
            still = beat.stat().st_mtime
        until(lambda: beat.stat().st_mtime > 0, worker)
        again = installation.triage("work", "--status").returncode
        code = worker.ended()

    assert (before, well.returncode, hanging.returncode, again, code) == (1, 0, 1, 0, 0)
    assert (json.loads(well.stdout)["well"], still) == (True, 0)
    assert b"was seen to work" in hanging.stdout


def test_a_watcher_without_a_mailbox_waits(installation: Installation) -> None:
    """It says what is missing, stays, and ends with 0 when it is told to; its status is that all is well."""
    with running(installation, "watch") as watcher:
        until(lambda: "IMAP_HOST: missing" in watcher.said, watcher)
        status = installation.triage("watch", "--status").returncode
        code = watcher.ended()

    assert (status, code) == (0, 0)
    assert installation.triage("watch", "--once").returncode == 2
