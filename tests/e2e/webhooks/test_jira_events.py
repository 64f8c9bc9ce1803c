"""The memory of tickets: what Jira announces, what changed, what we made ourselves, against a running Jira."""

import hmac
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from integrations.jira.tracker import JiraTracker
from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import Running, running, until
from tests.servers.sandbox import RunningJira
from triage.policy.ticket.index_entry import VERSION, entry_of
from triage.services.ticket_index_sync import FIRST, TicketIndexSync
from triage_sandbox.jira import Fault
from triage_sandbox.jira.ground.lag import Lag

SECRET = "a-secret-of-more-than-24-characters"
OLD = "another-secret-of-more-than-24-characters"


def tracker_of(jira: RunningJira) -> JiraTracker:
    """The adapter, on either Jira."""
    if jira.cloud:
        return JiraTracker(jira.url, "HARB", email=jira.email, token=jira.token)
    return JiraTracker(jira.url, "HARB", personal_token=jira.token)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """A fresh database."""
    opened = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", HeldClock())
    yield opened
    await opened.close()


@pytest.fixture
async def ticket_index_sync(any_jira: RunningJira, store: SqlStore) -> AsyncIterator[TicketIndexSync]:
    """Over either Jira, with a clock moved by hand."""
    tracker = tracker_of(any_jira)
    index = index_over(store)
    yield TicketIndexSync(tracker=tracker.view(), store=store.tickets, index=index, clock=HeldClock())
    await tracker.close()
    await index.close()


async def keys(store: SqlStore, *words: str) -> list[str]:
    """What is remembered under these words."""
    index = index_over(store)
    await index.update("HARB")
    found = await index.find("HARB", dict.fromkeys(words, 1.0), 20)
    await index.close()
    return [hit.key for hit in found.hits]


def index_over(store: SqlStore) -> TantivyIndex:
    """A search index of its own."""
    return TantivyIndex(store.tickets, entry_of, VERSION, None)


async def test_at_first_the_whole_project_is_remembered(ticket_index_sync: TicketIndexSync, store: SqlStore) -> None:
    """With summaries and descriptions; after that a look brings what has changed alone."""
    everything = await ticket_index_sync.read_history(FIRST)
    again = await ticket_index_sync.sync(0), await ticket_index_sync.read_history(FIRST)

    assert everything == await store.tickets.size("HARB") == 70
    assert "HARB-3" in await keys(store, "quote", "rounds", "weight")
    assert again < (everything, 1)


async def test_what_changed_is_seen_by_the_next_look(
    ticket_index_sync: TicketIndexSync, store: SqlStore, any_jira: RunningJira
) -> None:
    """Also what people change in Jira itself."""
    await ticket_index_sync.prepare()
    with any_jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    await ticket_index_sync.sync(0)

    assert await keys(store, "quetzal") == ["HARB-3"]


def announced(url: str, key: str, secret: str = SECRET, *, name: str = "", garble: bytes = b"") -> httpx2.Response:
    """What is answered to Jira when it tells of a ticket."""
    body = json.dumps({"webhookEvent": "jira:issue_updated", "issue": {"key": key, "fields": {"summary": "Xylophone"}}})
    signature = hmac.new(secret.encode(), body.encode(), "sha256").hexdigest()
    headers = {"X-Hub-Signature": f"sha256={signature}", **({"X-Atlassian-Webhook-Identifier": name} if name else {})}
    return httpx2.post(f"{url}/webhooks/jira", content=body.encode() + garble, headers=headers)


@pytest.fixture
def serving(installation: Installation) -> Iterator[Running]:
    """`triage serve` that hears Jira, with two secrets."""
    secrets = {"JIRA_WEBHOOK_SECRET": f"{SECRET} {OLD}", "PORT": "0", "JIRA_POLL_SECONDS": "0"}
    with running(installation, "serve", **secrets) as process:
        yield process


def test_what_is_not_ours_is_heard_and_left(installation: Installation, serving: Running) -> None:
    """Other projects, other events and keys that are none: 200, so that Jira does not say it again, and no request."""
    asked = len(installation.jira.requests())
    answers = [announced(serving.url, key) for key in ("OTHER-1", "HARB-3/../x", "", "HARB-0")]

    assert [answer.json() for answer in answers] == [{"success": True, "ticket": None}] * 4
    assert len(installation.jira.requests("GET", "OTHER")) == 0
    assert asked >= 0


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
