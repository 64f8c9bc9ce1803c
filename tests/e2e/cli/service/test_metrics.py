"""METRICS_ADDRESS of `triage work`, which serves nothing else."""

import re

import httpx2

from tests.e2e.installation import Installation
from tests.e2e.running import running, until


def test_a_worker_tells(installation: Installation) -> None:
    """A worker answers at its own address, ends as before, and an address that is in use is told with its setting."""
    with running(installation, "work", METRICS_ADDRESS="127.0.0.1:0") as working:
        at = until(lambda: re.search(r"metrics on http://127.0.0.1:(\d+)/metrics", working.said), working).group(1)
        text = httpx2.get(f"http://127.0.0.1:{at}/metrics").text
        again = installation.triage("work", METRICS_ADDRESS=f"127.0.0.1:{at}")
        code = working.ended()

    assert "triage_worker_cases 0.0" in text
    assert code == 0
    assert again.returncode == 2
    assert b"METRICS_ADDRESS: cannot listen" in again.stderr
    assert installation.triage("work", METRICS_ADDRESS="9464").returncode == 2
