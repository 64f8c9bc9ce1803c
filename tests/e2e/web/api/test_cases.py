"""Cases over HTTP: lists, filters, cursors."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.e2e.web.api.api_door import ApiDoor
from triage.domain.mail import Received

MORNING = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def mail(number: int) -> Received:
    """A mail."""
    raw = f"From: Ada <ada{number}@example.com>\r\nSubject: It is down {number}\r\n\r\nThe shop answers 502.\r\n"
    return Received(source="file", source_id=str(number), raw=raw.encode(), at=MORNING)


async def test_pages(door: ApiDoor) -> None:
    """Cursors lead through all cases, newest first, each once, also while new ones come in."""
    for number in range(5):
        await door.context.intake.accept(mail(number))
    page: dict[str, Any] = (await door.get("/cases?limit=2")).json()
    seen = [one["id"] for one in page["items"]]
    await door.context.intake.accept(mail(9))
    while page["next"]:
        page = (await door.get("/cases", params={"limit": 2, "cursor": page["next"]})).json()
        seen += [one["id"] for one in page["items"]]

    assert seen == [f"case-{n}" for n in (5, 4, 3, 2, 1)]
    assert page["items"][0] == {
        "id": "case-1",
        "received_at": "2026-11-20T09:00:00Z",
        "sender": "",
        "subject": "",
        "state": "ready",
        "ticket": "",
        "reason": "",
    }


@pytest.mark.parametrize("cursor", ["x", "Y2FzZXM6eA", "ZXZlbnRzOjE", "====", "é", "Y2FzZXM6LTE"])
async def test_cursors_that_are_none(door: ApiDoor, cursor: str) -> None:
    """A cursor that is made up or of another list is refused."""
    answer = await door.get("/cases", params={"cursor": cursor})

    assert (answer.status_code, answer.json()["detail"]) == (400, "this is no cursor of this list")
