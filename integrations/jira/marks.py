"""Finding our own writes again: the ticket or comment that carries a mark and was written by us."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from integrations.jira.draft import PROPERTY
from integrations.jira.errors import well_formed
from integrations.jira.jql import BY_US, Order, any_of, created_within, equals, mentions
from integrations.jira.probe import FIELDS, MARK, JiraProbe, carried, first_of, label_in, last_line
from integrations.jira.search import JiraSearch
from integrations.jira.session import JiraSession
from integrations.jira.shapes import TICKET_FIELDS, id_of, property_of, ticket_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone
from triage.domain.tickets import Mark, Ticket

_MOST_OURS: Final = 2_000
_COMMENTS_PAGE: Final = 100


class JiraMarks:
    """Looks for marks: by number, by what the index knows, and among the comments of a ticket."""

    def __init__(self, session: JiraSession, search: JiraSearch, probe: JiraProbe) -> None:
        self._session = session
        self._search = search
        self._probe = probe

    async def ticket(self, mark: Mark, above: int) -> str | None:
        """The key of our ticket with this mark: by number upward from `above`, and by what the index knows of it.

        The index of Data Center is seldom behind, and one question there saves dozens. A ticket that people have
        moved since has the key of another project; Jira shows it under its old one, too.
        """
        site = await self._session.site()
        if not site.cloud and (known := await self._labelled(mark)):
            return known
        key, end = await self._probe.look(self._session, mark, above or await self._search.newest())
        # Twenty hidden tickets in a row look like the end, and so does giving up: the index may know better.
        if key is None and (newest := await self._search.newest()) > end:
            key, _ = await self._probe.look(self._session, mark, newest)
        return key or (await self._labelled(mark) if site.cloud else None)

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
        return tuple(ticket for ticket in found if any(map(MARK.fullmatch, ticket.labels)))

    async def _labelled(self, mark: Mark) -> str | None:
        """By what the index knows, in whichever project."""
        me = await self._session.me()
        clauses = (equals("labels", mark.label), mentions(mark.label))
        issues = await self._search.elsewhere(any_of(*filter(None, clauses)), BY_US, fields=FIELDS, limit=50)
        with well_formed("search"):
            return first_of([carried(issue, me) for issue in issues], mark)

    # --- comments -----------------------------------------------------------------------------

    async def _marked_comment(self, ours: list[Json], mark: Mark) -> str | None:
        """By the property, or by the last line where Jira refused the property."""
        with well_formed("comments"):
            for comment in ours:
                value = property_of(comment.get("properties"), PROPERTY)
                if label_in(value) == mark.label or last_line(comment.get("body")) == mark.label:
                    return str(comment["id"])
            untold = [str(comment["id"]) for comment in ours if "properties" not in comment]
        for number in untold:
            if label_in(await self._comment_property(number)) == mark.label:
                return number
        return None

    async def _comment_property(self, number: str) -> Json:
        """Asked for one by one where the list does not tell: expanding it is no documented promise."""
        try:
            answer = await self._session.read("GET", f"comment/{number}/properties/{PROPERTY}", about=number)
        except TicketGone:
            return None
        return answer.get("value") if isinstance(answer, dict) else None


def _with_mark(ticket: Ticket, issue: Json) -> Ticket:
    """The ticket with whom it duplicates, and with a mark that stands in its text among its labels."""
    line = last_line(issue["fields"].get("description"))
    labels = (*ticket.labels, line) if MARK.fullmatch(line) else ticket.labels
    return replace(ticket, labels=labels, duplicates=tuple(_duplicated(issue["fields"].get("issuelinks") or ())))


def _duplicated(links: Json) -> Iterator[str]:
    """Keys at the other end of "duplicates", whatever this Jira calls the kind in full."""
    for link in links:
        if str(link["type"]["name"]).casefold().startswith("duplicate") and link.get("outwardIssue"):
            yield str(link["outwardIssue"]["key"])
