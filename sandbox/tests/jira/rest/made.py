"""Projects and issues that tests make."""

import httpx2


def new_issue(api: httpx2.Client, key: str, kind: str = "Task") -> str:
    """A ticket in a project; its key."""
    fields = {"project": {"key": key}, "issuetype": {"name": kind}, "summary": "one"}
    made = api.post("/issue", json={"fields": fields})
    assert made.status_code == 201, made.text
    return str(made.json()["key"])
