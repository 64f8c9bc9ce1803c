"""Finds a created ticket by its number: reads by key use Jira's database, ahead of its search index."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cachetools import TTLCache

from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.draft import PROPERTY
from integrations.jira.markup.adf import text_of_adf
from integrations.jira.shapes import id_of, property_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerDown
from triage.domain.tickets import Mark, is_mark

FIELDS: Final = ("labels", "creator", "description")
"""The fields that hold a mark and the creator."""
_MISSES: Final = 20
"""Numbers in a row without a ticket that end the search; deleted and hidden tickets look alike."""
_MOST: Final = 1000
_CLOUD_CHUNK: Final = 100


@dataclass(frozen=True, slots=True)
class TicketMarks:
    """The marks of a ticket, and its current key."""

    key: str
    ours: bool
    marks: frozenset[str]

    def is_it(self, mark: Mark) -> bool:
        """Tell whether it carries the mark and we created it; anybody can copy a label."""
        return self.ours and mark.label in self.marks


class TicketFinder:
    """Finds tickets for all views; caches what it reads, since a ticket gets its mark at creation or never."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._read: TTLCache[str, TicketMarks] = TTLCache(maxsize=20_000, ttl=3600)

    async def look(self, session: JiraSession, mark: Mark, above: int) -> tuple[str | None, int]:
        """Search upward from `above`; return the ticket's current key or None, and the last number looked at."""
        me, cloud, misses = await session.me(), (await session.site()).cloud, 0
        chunk = _CLOUD_CHUNK if cloud else _MISSES
        for first in range(above + 1, above + 1 + _MOST, chunk):
            keys = {number: f"{self._project}-{number}" for number in range(first, first + chunk)}
            unread = [key for key in keys.values() if key not in self._read]
            fresh = await (self._bulk(session, me, unread) if cloud else self._one_by_one(session, me, unread))
            known = {key: self._read[key] for key in keys.values() if key in self._read}
            if found := first_of((*known.values(), *fresh), mark):
                return found, first
            for number, key in keys.items():
                misses = 0 if key in known else misses + 1
                if misses >= _MISSES:
                    return None, number
        return None, above + _MOST

    async def _bulk(self, session: JiraSession, me: str, keys: list[str]) -> list[TicketMarks]:
        """Read up to a hundred tickets, which come with their current keys.

        Cloud leaves out those that do not exist and lists unreadable ones under `issueErrors` (`TrackerDown`).
        """
        if not keys:
            return []
        body = {"issueIdsOrKeys": keys, "fields": list(FIELDS), "properties": [PROPERTY]}
        answer = await session.read("POST", "issue/bulkfetch", body=body)
        with well_formed("bulkfetch"):
            if answer.get("issueErrors"):
                raise TrackerDown(detail="some tickets could not be read just now")
            found = [carried(issue, me) for issue in answer["issues"]]
        self._read.update({each.key: each for each in found})
        return found

    async def _one_by_one(self, session: JiraSession, me: str, keys: list[str]) -> list[TicketMarks]:
        found = await asyncio.gather(*(self._one(session, me, key) for key in keys))
        return [each for each in found if each is not None]

    async def _one(self, session: JiraSession, me: str, key: str) -> TicketMarks | None:
        try:
            issue = await session.ask(
                f"issue/{key}", lambda jira: jira.issue(key, fields=",".join(FIELDS), properties=PROPERTY), about=key
            )
        except TicketGone:
            return None
        with well_formed("issue by key"):
            found = self._read[key] = carried(issue, me)
        return found


def carried(issue: Json, me: str) -> TicketMarks:
    """Collect the marks from labels, our property and the description's last line."""
    fields, value = issue["fields"], property_of(issue.get("properties"), PROPERTY)
    marks = {*(fields.get("labels") or ()), last_line(fields.get("description")), label_in(value)}
    return TicketMarks(str(issue["key"]), id_of(fields.get("creator")) == me, frozenset(filter(is_mark, marks)))


def first_of(found: Iterable[TicketMarks], mark: Mark) -> str | None:
    return next((each.key for each in found if each.is_it(mark)), None)


def label_in(value: Json) -> str:
    """Return the mark in our property's value; empty if it holds none."""
    return str(value.get("label", "")) if isinstance(value, Mapping) else ""


def last_line(body: Json) -> str:
    """Return the last line of a text, which holds the mark if the form has neither labels nor properties."""
    text = text_of_adf(body) if isinstance(body, dict) else str(body or "")
    return text.rstrip().rpartition("\n")[2].strip()
