"""Letters over HTTP: listed by page, case and state; taken back within their window, once."""

from datetime import timedelta

import pytest

from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import opened
from tests.e2e.web.api.api_door import ApiDoor
from tests.unit.triage.policy.letters.letters import letter
from triage.domain.letters import Letter
from triage.domain.operations.tokens import AccessScope

LATER = timedelta(hours=1)


async def queued(door: ApiDoor, case: int, number: int = 1, **more: object) -> Letter:
    """A letter in its window."""
    key, due = f"case-{case}:reply:{number}", SystemClock().now() + LATER
    made = letter(**{"key": key, "case": f"case-{case}", "message_id": f"{key}@x.example", "due_at": due, **more})
    return await door.context.store.letters.queue(made)


@pytest.fixture
async def written(door: ApiDoor) -> ApiDoor:
    """Two cases: three letters about the first, one about the second, of which the second is taken back."""
    for case in (1, 2):
        await (await opened(door.context.store, case)).cases.finish()
    for case, number in ((1, 1), (1, 2), (2, 1), (1, 3)):
        await queued(door, case, number)
    await door.context.store.letters.cancel(2, "grace")
    return door


async def test_pages(written: ApiDoor) -> None:
    """The latest come first; the cursor goes on where the page ended, also when a letter was added meanwhile."""
    first = (await written.get("/letters?limit=2")).json()
    await queued(written, 2, 2)
    rest = (await written.get("/letters", params={"limit": 2, "cursor": first["next"]})).json()

    assert [one["id"] for one in (*first["items"], *rest["items"])] == [4, 3, 2, 1]
    assert rest["next"] is None
    assert (await written.get("/letters?cursor=Y2FzZXM6MQ")).status_code == 400


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("case=1", [4, 2, 1]),
        ("case=case-2", [3]),
        ("state=waiting", [4, 3, 1]),
        ("state=cancelled&case=1", [2]),
        ("state=sent", []),
        ("case=77", []),
    ],
)
async def test_filters(written: ApiDoor, query: str, numbers: list[int]) -> None:
    """Of one case, in one state, or both."""
    assert [one["id"] for one in (await written.get(f"/letters?{query}")).json()["items"]] == numbers


@pytest.mark.parametrize("query", ["state=lost", "case=x", "case=0", "limit=0", "number=1"])
async def test_wrong_values(door: ApiDoor, query: str) -> None:
    """What no letter can have is refused by name."""
    answer = await door.get(f"/letters?{query}")

    assert (answer.status_code, answer.json()["wrong"][0]["where"]) == (422, f"query.{query.partition('=')[0]}")


async def test_what_a_viewer_reads(written: ApiDoor) -> None:
    """That a letter waits, but neither to whom nor what; an approver reads both."""
    short = await written.get("/letters?case=2", scope=AccessScope.VIEWER)
    [whole] = (await written.get("/letters?case=2", scope=AccessScope.APPROVER)).json()["items"]

    assert short.json()["items"] == [{**whole, "details": None}]
    for words in ("ada@acme.example", "Export", "look"):
        assert words not in short.text
    assert (whole["details"]["recipients"], whole["details"]["subject"], whole["details"]["body"]) == (
        ["ada@acme.example"],
        "Re: Export broken",
        "We look **into** it.",
    )


async def test_taken_back_once(written: ApiDoor) -> None:
    """It is cancelled under the token's name; a second time, or after it has left, is 409; an unknown one is 404."""
    undone = await written.post("/letters/1/undo", scope=AccessScope.APPROVER)
    twice = await written.post("/letters/1/undo")
    unknown = await written.post("/letters/99/undo")
    [stored] = await written.context.store.letters.letters(number=1)

    assert (undone.status_code, undone.json()["state"], undone.json()["by"]) == (200, "cancelled", "token approver")
    assert (stored.state, stored.note) == ("cancelled", "token approver took it back")
    assert (twice.status_code, "state=waiting" in twice.json()["cure"]) == (409, True)
    assert unknown.status_code == 404
