"""Announced changes of tickets: asked from Jira, then remembered."""

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from integrations.jira.tracker import JiraTracker
from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.e2e.installation import Installation
from tests.e2e.running import Running, running, until
from tests.servers.sandbox import RunningJira
from triage.policy.ticket.index_entry import VERSION, entry_of
from triage.services.ticket_index_sync import TicketIndexSync

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


async def test_what_is_announced_is_asked_from_jira(
    ticket_index_sync: TicketIndexSync, store: SqlStore, any_jira: RunningJira
) -> None:
    """A changed ticket as it is now; one that is gone is forgotten; what never was makes no trouble."""
    await ticket_index_sync.prepare()
    with any_jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    any_jira.app.site.db.run("DELETE FROM issue WHERE number = 4")
    await store.tickets.mark_stale(["HARB-3", "HARB-4", "HARB-999"])

    assert await ticket_index_sync.announced() == 3
    assert await keys(store, "quetzal") == ["HARB-3"]
    assert await store.tickets.size("HARB") == 69
    assert await ticket_index_sync.announced() == 0


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


def test_an_announced_change_is_remembered(installation: Installation, serving: Running) -> None:
    """Within seconds, as Jira has it and not as the announcement says; a second one under the same name is known."""
    with installation.jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    answers = [announced(serving.url, "HARB-3", secret, name="7").json() for secret in (SECRET, OLD)]
    until(lambda: remembered(installation, "quetzal") == ["HARB-3"], serving)

    assert answers == [{"success": True, "ticket": "HARB-3"}, {"success": True, "heard": "before"}]
    assert remembered(installation, "xylophone") == []


def remembered(installation: Installation, *words: str) -> list[str]:
    """What the installation's database says under these words."""

    async def looked() -> list[str]:
        store = await open_store(installation.database, HeldClock())
        try:
            return await keys(store, *words)
        finally:
            await store.close()

    return asyncio.run(looked())
