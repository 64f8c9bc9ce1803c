"""What reached the other systems because of one mail: the journals of the sandbox alone, never our own records."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from triage_sandbox.jira.gate.journal import Entry

PLAIN = frozenset(
    [
        "doc",
        "paragraph",
        "text",
        "hardBreak",
        "heading",
        "bulletList",
        "orderedList",
        "listItem",
        "taskList",
        "taskItem",
        "codeBlock",
        "blockquote",
        "rule",
        "panel",
        "expand",
        "table",
        "tableRow",
        "tableHeader",
        "tableCell",
        "nestedExpand",
        "mediaSingle",
        "media",
    ]
)
"""Nodes of Atlassian's document format that only show; `media` shows a picture that hangs on the ticket itself."""


@dataclass(frozen=True)
class Wrote:
    """The requests to Jira about one mail."""

    entries: Sequence[Entry]
    thread: str
    """The ticket of the mail's own thread."""

    def sent(self, path: str, *methods: str) -> list[Entry]:
        """The writes to addresses that end like this."""
        wanted = methods or ("POST", "PUT", "DELETE")
        return [one for one in self.entries if one.method in wanted and re.search(rf"{path}$", one.path)]

    @property
    def created(self) -> list[dict[str, Any]]:
        """The fields of each new ticket."""
        return [one.json["fields"] for one in self.sent(r"/api/\d/issue", "POST") if one.status < 300]

    @property
    def comments(self) -> list[str]:
        """The ticket of each comment."""
        return [_key(one) for one in self.sent("/comment", "POST") if one.status < 300]

    @property
    def moves(self) -> list[str]:
        """The ticket of each transition."""
        return [_key(one) for one in self.sent("/transitions", "POST") if one.status < 300]

    @property
    def edits(self) -> list[tuple[str, dict[str, Any]]]:
        """The ticket of each change, and the fields."""
        found = self.sent(r"/issue/[A-Z]+-\d+(/assignee)?", "PUT")
        return [(_key(one), one.json) for one in found if one.status < 300]

    @property
    def links(self) -> list[str]:
        """Both tickets of each link."""
        told = [one.json for one in self.sent("/issueLink", "POST") if one.status < 300]
        return [one[side]["key"] for one in told for side in ("inwardIssue", "outwardIssue")]

    @property
    def bodies(self) -> str:
        """All that was written, as one text."""
        return "\n".join(
            one.body.decode(errors="replace") for one in self.entries if one.method != "GET" and _writes(one)
        )

    @property
    def touched(self) -> set[str]:
        """The tickets that something was written to, apart from new ones."""
        paths = {_key(one) for one in self.entries if one.method in {"POST", "PUT", "DELETE"} and "/issue/" in one.path}
        return (paths | set(self.links)) - {""}

    def nodes(self) -> Iterator[str]:
        """The kinds of nodes in documents that are not in PLAIN."""
        for one in self.entries:
            if one.method in {"POST", "PUT"} and isinstance(one.json, dict) and _writes(one):
                yield from (kind for kind in _kinds(one.json) if kind not in PLAIN)

    def searches(self) -> Iterator[str]:
        """Every query that was put to Jira's search."""
        for one in self.entries:
            asked = one.json if isinstance(one.json, dict) else {}
            if found := asked.get("jql") or parse_qs(one.query).get("jql", [""])[0]:
                yield str(found)


def _writes(entry: Entry) -> bool:
    return not re.search(r"/search(/jql)?$|/bulkfetch$|/approximate-count$", entry.path)


def _key(entry: Entry) -> str:
    found = re.search(r"/issue/([A-Z][A-Z0-9]*-\d+)", entry.path)
    return found[1] if found else ""


def _kinds(value: Any) -> Iterator[str]:
    """Every `type` of the nodes and marks below a document."""
    if isinstance(value, dict):
        if value.get("type") == "doc":
            yield from _of_document(value)
            return
        for one in value.values():
            yield from _kinds(one)
    elif isinstance(value, list):
        for one in value:
            yield from _kinds(one)


def _of_document(node: dict[str, Any]) -> Iterator[str]:
    yield str(node.get("type"))
    for mark in node.get("marks", ()):
        if mark["type"] not in {"strong", "em", "code", "strike", "link", "underline", "subsup"}:
            yield f"mark {mark['type']}"
    for one in node.get("content", ()):
        yield from _of_document(one)
