"""Finding our own writes again: the ticket or comment that carries a mark and was written by us."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from integrations.jira.adf import text_of_adf
from integrations.jira.draft import PROPERTY
from integrations.jira.errors import well_formed
from integrations.jira.jql import BY_US, Order, any_of, created_within, equals, mentions
from integrations.jira.search import JiraSearch
from integrations.jira.session import JiraSession
from integrations.jira.shapes import TICKET_FIELDS, id_of, property_of, ticket_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerDown
from triage.domain.tickets import Mark, Ticket

_MARK: Final = re.compile(r"triage-[0-9a-z]+")
_MOST_OURS: Final = 2_000
_MISSES: Final = 20
"""So many numbers in a row without a ticket are taken for the end; gaps and hidden tickets look alike."""
_MOST_PROBES: Final = 1000
_CLOUD_CHUNK: Final = 100
_COMMENTS_PAGE: Final = 100
_FIELDS: Final = ("labels", "creator", "description")


class JiraMarks:
    """Looks for marks; reads by key go to the database, so they see what the index does not show yet."""

    def __init__(self, session: JiraSession, search: JiraSearch, project: str) -> None:
        self._session = session
        self._search = search
        self._project = project

    async def ticket(self, mark: Mark, above: int) -> str | None:
        """The key of our ticket with this mark: by number upward from `above`, and by what the index knows of it.

        The index of Data Center is seldom behind, and one question there saves dozens. A ticket that people have
        moved since has the key of another project; Jira shows it under its old one, too.
        """
        me, site = await self._session.me(), await self._session.site()
        if not site.cloud and (known := await self._labelled(mark, me)):
            return known
        key, end = await self._probe(mark, me, above or await self._search.newest())
        # Twenty hidden tickets in a row look like the end, and so does giving up: the index may know better.
        if key is None and (newest := await self._search.newest()) > end:
            key, _ = await self._probe(mark, me, newest)
        return key or (await self._labelled(mark, me) if site.cloud else None)

    async def comment(self, key: str, mark: Mark) -> str | None:
        """The id of our comment with this mark, the newest looked at first."""
        me = await self._session.me()
        start = 0
        while True:
            params: dict[str, str | int] = {
                "startAt": start,
                "maxResults": _COMMENTS_PAGE,
                "orderBy": "-created",
                "expand": "properties",
            }
            page = await self._session.read("GET", f"issue/{key}/comment", params=params, about=key)
            with well_formed("comments"):
                comments = page["comments"]
                ours = [comment for comment in comments if id_of(comment.get("author")) == me]
                start += len(comments)
                last = not comments or start >= int(page.get("total") or 0)
            found = await self._marked_comment(ours, mark)
            if found or last:
                return found

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """What we made lately with any mark, oldest first; a mark in the last line is told as the label it stands for."""
        issues = await self._search.issues(
            BY_US, created_within(days), fields=(*TICKET_FIELDS, "issuelinks"), limit=_MOST_OURS, order=Order.CREATED
        )
        if not issues:
            await self._search.doubt()
        site = await self._session.site()
        with well_formed("search"):
            found = [_with_mark(ticket_of(issue, site), issue) for issue in reversed(issues)]
        return tuple(ticket for ticket in found if any(map(_MARK.fullmatch, ticket.labels)))

    # --- tickets ------------------------------------------------------------------------------

    async def _probe(self, mark: Mark, me: str, above: int) -> tuple[str | None, int]:
        """The key as it is now, and the number up to which was looked."""
        misses = 0
        cloud = (await self._session.site()).cloud
        chunk = _CLOUD_CHUNK if cloud else _MISSES
        for first in range(above + 1, above + 1 + _MOST_PROBES, chunk):
            keys = {number: f"{self._project}-{number}" for number in range(first, first + chunk)}
            issues = await (self._bulk(list(keys.values())) if cloud else self._one_by_one(list(keys.values())))
            with well_formed("issues by key"):
                if found := _first(issues.values(), mark, me):
                    return found, first
            for number, key in keys.items():
                misses = 0 if key in issues else misses + 1
                if misses >= _MISSES:
                    return None, number
        return None, above + _MOST_PROBES

    async def _bulk(self, keys: list[str]) -> dict[str, Json]:
        """Up to a hundred at once, by their keys of today; Cloud leaves out what does not exist, and names what it
        could not read.
        """
        body = {"issueIdsOrKeys": keys, "fields": list(_FIELDS), "properties": [PROPERTY]}
        answer = await self._session.read("POST", "issue/bulkfetch", body=body)
        with well_formed("bulkfetch"):
            if answer.get("issueErrors"):
                raise TrackerDown(detail="some tickets could not be read just now")
            return {str(issue["key"]): issue for issue in answer["issues"]}

    async def _one_by_one(self, keys: list[str]) -> dict[str, Json]:
        found = await asyncio.gather(*(self._maybe(key) for key in keys))
        return {key: issue for key, issue in zip(keys, found, strict=True) if issue is not None}

    async def _maybe(self, key: str) -> Json:
        params = {"fields": ",".join(_FIELDS), "properties": PROPERTY}
        try:
            return await self._session.read("GET", f"issue/{key}", params=params, about=key)
        except TicketGone:
            return None

    async def _labelled(self, mark: Mark, me: str) -> str | None:
        clauses = (equals("labels", mark.label), mentions(mark.label))
        issues = await self._search.elsewhere(any_of(*filter(None, clauses)), BY_US, fields=_FIELDS, limit=50)
        with well_formed("search"):
            return _first(issues, mark, me)

    # --- comments -----------------------------------------------------------------------------

    async def _marked_comment(self, ours: list[Json], mark: Mark) -> str | None:
        """By the property, or by the last line where Jira refused the property."""
        with well_formed("comments"):
            for comment in ours:
                value = property_of(comment.get("properties"), PROPERTY)
                if _labelled_so(value, mark) or last_line(comment.get("body")) == mark.label:
                    return str(comment["id"])
            untold = [str(comment["id"]) for comment in ours if "properties" not in comment]
        for number in untold:
            if _labelled_so(await self._comment_property(number), mark):
                return number
        return None

    async def _comment_property(self, number: str) -> Json:
        """Asked for one by one where the list does not tell: expanding it is no documented promise."""
        try:
            answer = await self._session.read("GET", f"comment/{number}/properties/{PROPERTY}", about=number)
        except TicketGone:
            return None
        return answer.get("value") if isinstance(answer, dict) else None


def _first(issues: Iterable[Json], mark: Mark, me: str) -> str | None:
    return next((str(issue["key"]) for issue in issues if _is_ours(issue, mark, me)), None)


def _is_ours(issue: Json, mark: Mark, me: str) -> bool:
    """It carries the mark, and we created it: who reads a label can copy it."""
    value = property_of(issue.get("properties"), PROPERTY)
    fields = issue["fields"]
    labelled = mark.label in (fields.get("labels") or ()) or last_line(fields.get("description")) == mark.label
    return (labelled or _labelled_so(value, mark)) and id_of(fields.get("creator")) == me


def _with_mark(ticket: Ticket, issue: Json) -> Ticket:
    """The ticket with whom it duplicates, and with a mark that stands in its text among its labels."""
    line = last_line(issue["fields"].get("description"))
    labels = (*ticket.labels, line) if _MARK.fullmatch(line) else ticket.labels
    return replace(ticket, labels=labels, duplicates=tuple(_duplicated(issue["fields"].get("issuelinks") or ())))


def _duplicated(links: Json) -> Iterator[str]:
    """Keys at the other end of "duplicates", whatever this Jira calls the kind in full."""
    for link in links:
        if str(link["type"]["name"]).casefold().startswith("duplicate") and link.get("outwardIssue"):
            yield str(link["outwardIssue"]["key"])


def _labelled_so(value: Json, mark: Mark) -> bool:
    return isinstance(value, dict) and value.get("label") == mark.label


def last_line(body: Json) -> str:
    """Where the mark stands in a text that could carry it nowhere else."""
    text = text_of_adf(body) if isinstance(body, dict) else str(body or "")
    return text.rstrip().rpartition("\n")[2].strip()
