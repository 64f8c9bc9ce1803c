"""Jira announces changes: who may, what is heard and left, and what health says."""

import re
from collections.abc import Iterator

import httpx2
import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import Running, running, until
from tests.e2e.webhooks.jira_door import OLD, SECRET, announced
from triage_sandbox.jira import Fault
from triage_sandbox.jira.ground.lag import Lag


@pytest.fixture
def serving(installation: Installation) -> Iterator[Running]:
    """`triage serve` that hears Jira, with two secrets."""
    secrets = {"JIRA_WEBHOOK_SECRET": f"{SECRET} {OLD}", "PORT": "0", "JIRA_POLL_SECONDS": "0"}
    with running(installation, "serve", **secrets) as process:
        yield process


def test_what_is_not_ours_is_heard_and_left(installation: Installation, serving: Running) -> None:
    """Other projects, other events and keys that are none: 200, so that Jira does not say it again, and no request."""
    answers = [announced(serving.url, key) for key in ("OTHER-1", "HARB-3/../x", "", "HARB-0")]

    assert [answer.json() for answer in answers] == [{"success": True, "ticket": None}] * 4
    assert len(installation.jira.requests("GET", "OTHER")) == 0


@pytest.mark.parametrize("case", ["another secret", "another body", "no signature"])
def test_who_proves_nothing_is_not_heard(installation: Installation, serving: Running, case: str) -> None:
    """401, and nothing is asked of Jira."""
    match case:
        case "another secret":
            answer = announced(serving.url, "HARB-3", "x" * 30)
        case "another body":
            answer = announced(serving.url, "HARB-3", garble=b" ")
        case _:
            answer = httpx2.post(f"{serving.url}/webhooks/jira", json={"issue": {"key": "HARB-3"}})

    assert answer.status_code == 401
    assert installation.jira.requests("GET", "/issue/HARB-3") == []


def test_a_short_secret_is_refused_at_the_start(installation: Installation) -> None:
    """With the cure."""
    done = installation.triage("serve", JIRA_WEBHOOK_SECRET="short", PORT="0")

    assert done.returncode == 2
    assert b"JIRA_WEBHOOK_SECRET: 24 characters are the least" in done.stderr


def test_a_refused_login_is_told_by_health(installation: Installation) -> None:
    """Mail is taken all the same, so the door stays ready; what is wrong with Jira stands beside it."""
    installation.jira.fault(
        Fault(do="answer", status=401, path="/rest/api", count=0, headers={"WWW-Authenticate": "Basic"})
    )
    with running(installation, "serve", PORT="0") as serving:
        told = until(lambda: httpx2.get(f"{serving.url}/health/ready").json().get("jira"), serving)
        answer = httpx2.get(f"{serving.url}/health/ready")

    assert "does not accept our account" in told
    assert (answer.status_code, answer.json()["ready"]) == (200, True)


def test_what_we_made_is_a_candidate_though_jira_lags(installation: Installation) -> None:
    """A ticket of our own is found before Jira's own search shows it."""
    installation.jira.app.site.lag = Lag(milliseconds=3_600_000)
    first = MAILS / "01-barcode-cut-off.eml"
    second = installation.folder / "second.eml"
    text = first.read_text()
    second.write_text(re.sub(r"(?m)^(From|Message-ID): .*$", r"\1: <again-7@example.com>", text) + "\nAgain today.\n")
    assert installation.triage("process", str(first)).returncode == 0
    assert installation.triage("process", str(second)).returncode == 0

    made, again = (installation.json("show", number)["case"] for number in "12")
    assert made["ticket"] in {candidate["ticket"]["key"] for candidate in again["retrieval"]["candidates"]}
