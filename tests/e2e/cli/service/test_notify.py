"""`triage notify test`, `triage doctor` and a worker with a channel: a person hears what must not wait."""

import json

import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.servers.ntfy import ntfy


def test_a_test_message_to_each_channel(installation: Installation) -> None:
    """Each channel gets it; one that does not take it is named, and the exit code is 1."""
    with ntfy() as good, ntfy() as bad:
        bad.refuses = True
        told = installation.triage("notify", "test", "--json", NOTIFY_URLS=f"{good.url} {bad.url}")

    assert good.titles == ["Triage: test"]
    assert told.returncode == 1
    said = json.loads(told.stdout)
    assert said["ntfy (no. 1 of NOTIFY_URLS)"] == ""
    assert "not accepted" in said["ntfy (no. 2 of NOTIFY_URLS)"]


@pytest.mark.parametrize("urls", ["", "nonsense://token"])
def test_wrong_settings(installation: Installation, urls: str) -> None:
    """Without a usable channel the command says what to set; no secret is shown."""
    told = installation.triage("notify", "test", NOTIFY_URLS=urls)

    assert told.returncode == 2
    assert "NOTIFY_URLS" in told.stderr.decode()
    assert "token" not in told.stderr.decode()


def test_a_worker_tells_of_an_approval(installation: Installation) -> None:
    """A mail whose wish needs a person is told of by the worker, with its number."""
    installation.triage("process", str(MAILS / "09-queue-alarm-fixed.eml"))
    with ntfy() as push, running(installation, "work", NOTIFY_URLS=push.url) as worker:
        until(lambda: push.taken, worker)

    assert push.titles == ["Triage: approval waits"]
