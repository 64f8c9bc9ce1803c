"""Announced changes of tickets: asked from Jira, then remembered."""

import asyncio

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.e2e.ticket_index import keys
from tests.e2e.webhooks.jira_door import OLD, SECRET, announced


def test_an_announced_change_is_remembered(installation: Installation) -> None:
    """Within seconds, as Jira has it and not as the announcement says; a second one under the same name is known."""
    with installation.jira.api() as api:
        api.put("/issue/HARB-3", json={"fields": {"summary": "Quetzal in the price quote"}}).raise_for_status()
    secrets = {"JIRA_WEBHOOK_SECRET": f"{SECRET} {OLD}", "PORT": "0", "JIRA_POLL_SECONDS": "0"}
    with running(installation, "serve", **secrets) as serving:
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
