"""What tests of issues ask a Jira again and again."""

from typing import Any

import httpx2

from tests.servers.sandbox import RunningJira

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}


def problems(answer: httpx2.Response) -> dict[str, str]:
    """The fields that a 400 complains about."""
    assert answer.status_code == 400
    errors: dict[str, str] = answer.json()["errors"]
    return errors


def made(api: httpx2.Client, **fields: Any) -> str:
    """The key of a new bug, or of what the fields say."""
    answer = api.post("/issue", json={"fields": {**BUG, "summary": "one", **fields}})
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["key"]
    return key


def field(api: httpx2.Client, name: str) -> str:
    """The id of a field by what people call it."""
    return next(str(each["id"]) for each in api.get("/field").json() if each["name"] == name)


def shown(api: httpx2.Client, key: str, name: str) -> Any:
    """What an issue has in a field."""
    return api.get(f"/issue/{key}", params={"fields": name}).json()["fields"][name]


def history(running: RunningJira, key: str) -> list[dict[str, Any]]:
    """All lines of an issue's history, the oldest first."""
    with running.api("2") as api:
        entries = api.get(f"/issue/{key}", params={"expand": "changelog", "fields": "id"}).json()["changelog"][
            "histories"
        ]
    ordered = sorted(entries, key=lambda entry: int(entry["id"]))
    return [item for entry in ordered for item in entry["items"]]
