"""Finds a ticket or comment that we wrote, by its mark."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.probe import FIELDS, TicketFinder, carried, first_of, label_in, last_line
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.draft import PROPERTY
from integrations.jira.jql import BY_US, JqlOrder, any_of, created_within, equals, mentions
from integrations.jira.search import JiraSearch
from integrations.jira.shapes import TICKET_FIELDS, id_of, property_of, ticket_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone
from triage.domain.tickets import Mark, Ticket, is_mark

_MOST_OURS: Final = 2_000
_NEWEST: Final[Mapping[str, str | int]] = {"maxResults": 100, "orderBy": "-created", "expand": "properties"}
"""Which comments a page has."""


class JiraMarks:
    """Finds marks by ticket number, by search, and in the comments of a ticket."""

    def __init__(self, session: JiraSession, search: JiraSearch, probe: TicketFinder) -> None:
        self._session = session
        self._search = search
        self._probe = probe

    async def ticket(self, mark: Mark, above: int) -> str | None:
        """Return the key of our ticket with this mark, by number upward from `above` and by search; None if there is none.

        Data Center is searched first: its index seldom lags, and one search saves dozens of reads. The key is of
        another project if people have moved the ticket; Jira also answers under the old key.
        """
        site = await self._session.site()
        if not site.cloud and (known := await self._labelled(mark)):
            return known
        key, end = await self._probe.look(self._session, mark, above or await self._search.newest())
        # Twenty hidden tickets in a row, or the probe's maximum, end it too early: the index may show newer tickets.
        if key is None and (newest := await self._search.newest()) > end:
            key, _ = await self._probe.look(self._session, mark, newest)
        return key or (await self._labelled(mark) if site.cloud else None)

    async def comment(self, key: str, mark: Mark) -> str | None:
        """Return the id of our comment with this mark, or None; looks at the newest first."""
        me = await self._session.me()
        start = 0
        while True:
            params = {"startAt": start, **_NEWEST}
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
        """Return our tickets of the last `days`, oldest first, that carry a mark as label or last line; see the port."""
        issues = await self._search.issues(
            BY_US, created_within(days), fields=(*TICKET_FIELDS, "issuelinks"), limit=_MOST_OURS, order=JqlOrder.CREATED
        )
        if not issues:
            await self._search.mark_stale()
        site = await self._session.site()
        with well_formed("search"):
            found = [(_tied(ticket_of(issue, site), issue), _marks_in(issue)) for issue in reversed(issues)]
        carriers = Counter(mark for _, marks in found for mark in marks)
        made = [replace(ticket, mark=await self._own(ticket.key, marks, carriers)) for ticket, marks in found]
        return tuple(ticket for ticket in made if ticket.mark)

    async def _own(self, key: str, marks: frozenset[str], carriers: Counter[str]) -> str:
        """Return the mark that the ticket was created with; if copied labels make it ambiguous, read the property."""
        only = next(iter(marks)) if len(marks) == 1 else ""
        if not marks or carriers[only] == 1:
            return only
        own = await self._property(f"issue/{key}", key)
        return own if is_mark(own) else only

    async def _labelled(self, mark: Mark) -> str | None:
        me = await self._session.me()
        clauses = (equals("labels", mark.label), mentions(mark.label))
        issues = await self._search.elsewhere(any_of(*filter(None, clauses)), BY_US, fields=FIELDS, limit=50)
        with well_formed("search"):
            return first_of([carried(issue, me) for issue in issues], mark)

    # --- comments -----------------------------------------------------------------------------

    async def _marked_comment(self, ours: list[Json], mark: Mark) -> str | None:
        """Find the comment by property, or by its last line if Jira refused the property."""
        with well_formed("comments"):
            for comment in ours:
                value = property_of(comment.get("properties"), PROPERTY)
                if label_in(value) == mark.label or last_line(comment.get("body")) == mark.label:
                    return str(comment["id"])
            untold = [str(comment["id"]) for comment in ours if "properties" not in comment]
        for number in untold:
            if await self._property(f"comment/{number}", number) == mark.label:
                return number
        return None

    async def _property(self, path: str, about: str) -> str:
        """Read the mark in our property, one at a time: expanding properties in a list is not documented."""
        try:
            answer = await self._session.read("GET", f"{path}/properties/{PROPERTY}", about=about)
        except TicketGone:
            return ""
        return label_in(answer.get("value")) if isinstance(answer, dict) else ""


def _marks_in(issue: Json) -> frozenset[str]:
    """Return the marks among the labels and in the description's last line."""
    labels = issue["fields"].get("labels") or ()
    return frozenset(filter(is_mark, (*labels, last_line(issue["fields"].get("description")))))


def _tied(ticket: Ticket, issue: Json) -> Ticket:
    """Return the ticket with the keys that it duplicates."""
    return replace(ticket, duplicates=tuple(_duplicated(issue["fields"].get("issuelinks") or ())))


def _duplicated(links: Json) -> Iterator[str]:
    """Yield the keys that the ticket duplicates, by link types whose name starts with "duplicate"."""
    for link in links:
        if str(link["type"]["name"]).casefold().startswith("duplicate") and link.get("outwardIssue"):
            yield str(link["outwardIssue"]["key"])
