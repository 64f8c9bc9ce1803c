"""Webhooks out over HTTP: made, listed, ended."""

import pytest

from tests.e2e.web.api.api_door import ApiDoor

URL = "https://hooks.example.com/triage"


async def test_made_listed_and_ended(door: ApiDoor) -> None:
    """The secret is shown once; an ended webhook stays in the list."""
    made = await door.post("/webhooks", json={"url": URL})
    ended = await door.ask("DELETE", "/api/v1/webhooks/1")
    listed = (await door.get("/webhooks")).json()

    assert (made.status_code, made.json()["secret"][:6], len(made.json()["secret"])) == (201, "whsec_", 50)
    assert ended.json()["ended_at"]
    assert [(one["url"], one["made_by"]) for one in listed] == [(URL, "token admin")]
    assert made.json()["secret"] not in str(listed)
    assert (await door.get("/webhooks/1/deliveries")).json() == []
    assert (await door.ask("DELETE", "/api/v1/webhooks/9")).status_code == 404


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "file:///etc/passwd", "https://a:b@hooks.example.com/"])
async def test_urls_that_are_unfit(door: ApiDoor, url: str) -> None:
    """Only https:// without a password is taken, unless an admin names the host."""
    answer = await door.post("/webhooks", json={"url": url})

    assert (answer.status_code, "WEBHOOK_HOSTS" in answer.json()["detail"]) == (400, True)
