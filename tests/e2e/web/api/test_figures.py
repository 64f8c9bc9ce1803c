"""Figures over HTTP."""

from datetime import UTC, datetime
from pathlib import Path

from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from tests.unit.triage.services.operations.journal import answered
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.operations.mcp import McpCall
from triage.domain.operations.tokens import AccessScope

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


async def test_figures(door: ApiDoor) -> None:
    """Counts, days, cost and budget; mailboxes with their addresses shortened; no flood where there was none."""
    await answered(door.context.store, 1, [0.5, None])
    await door.context.store.mailboxes.keep(
        SyncCursor(
            name="support@example.com",
            account="a",
            floor=NOW,
            complete_at=NOW,
            phase=Phase.STALLED,
            trouble="no answer",
            changed_at=NOW,
        )
    )
    stats = (await door.get("/stats?days=366", scope=AccessScope.VIEWER)).json()
    boxes = (await door.get("/mailboxes", scope=AccessScope.VIEWER)).json()
    audit = (await door.get("/audit?case=1", scope=AccessScope.VIEWER)).json()

    assert sum(stats["counts"].values()) == 1
    assert (stats["spending"][0]["cost_usd"], stats["spending"][0]["unpriced"]) == (0.5, 1)
    assert (stats["budget"]["cap_usd"], stats["budget"]["used_up"], stats["mailboxes_in_trouble"]) == (None, False, 1)
    assert boxes[0]["state"] == "stalled"
    assert "support@example.com" not in str(boxes)
    assert [one["number"] for one in audit["calls"]] == [2, 1]
    assert (await door.get("/throttles", scope=AccessScope.VIEWER)).json() == []


async def test_calls_of_mcp_clients(door: ApiDoor) -> None:
    """Who called what and with which outcome is anybody's; what was asked for may be words of mails, and is a reader's."""
    await door.context.store.mcp_log.begin("mcp-1", "mcp:mail", "token 3 (claude)", NOW)
    call = {"run": "mcp-1", "number": 1, "server": "mail", "client": "token 3 (claude)", "tool": "read_emails"}
    kept = McpCall(**call, at=NOW, arguments='{"sender": "ada"}', outcome="no mail of 'ada'")  # type: ignore[arg-type]
    await door.context.store.mcp_log.keep(kept)
    seen = [
        (await door.get("/audit", scope=scope)).json()["mcp_calls"]
        for scope in (AccessScope.VIEWER, AccessScope.READER)
    ]

    assert [one | {"at": ""} for (one,) in seen] == [
        {**call, "at": "", "arguments": "", "outcome": "refused, or failed"},
        {**call, "at": "", "arguments": kept.arguments, "outcome": kept.outcome},
    ]


async def test_the_matrix_of_rights(door: ApiDoor) -> None:
    """As `triage agents` prints it."""
    found = (await door.get("/agents", scope=AccessScope.VIEWER)).json()

    assert {one["agent"] for one in found} >= {"jira"}
    assert all(len(one["rights"]) == 4 for one in found)


async def test_a_store_that_is_down(tmp_path: Path) -> None:
    """503 as a problem, with the time to come again, and no word of paths or statements."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}") as door:
        await door.get("/stats")
        await door.context.store._database.write(lambda c: c.exec_driver_sql("DROP TABLE approvals"))
        answer = await door.get("/stats")

    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert answer.headers["retry-after"] == "30"
    assert "approvals" not in answer.text
    assert str(tmp_path) not in answer.text
