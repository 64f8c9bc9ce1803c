"""What tests of searches ask a Jira again and again."""

from typing import Any

import httpx2


def keys(page: dict[str, Any]) -> list[str]:
    """Of the issues on a page."""
    return [issue["key"] for issue in page["issues"]]


def found(api: httpx2.Client, jql: str, **more: Any) -> list[str]:
    """Keys that Cloud's search finds."""
    answer = api.post("/search/jql", json={"jql": jql, "fields": ["key"], "maxResults": 1000, **more})
    assert answer.status_code == 200, answer.text
    return keys(answer.json())
