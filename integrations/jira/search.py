"""Searches the project: picks the endpoint, reads all pages, ranks, and verifies empty answers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.refusals import project_shown
from integrations.jira.http.session import JiraSession
from integrations.jira.jql import (
    Clause,
    JqlOrder,
    any_of,
    anywhere,
    equals,
    mentions,
    older_than,
    touched_within,
    updated_within,
    within,
)
from integrations.jira.shapes import TICKET_FIELDS, Site, ticket_of
from triage.domain.conversation import Json
from triage.domain.errors import ProjectHidden, TrackerDown, TrackerRejected
from triage.domain.tickets import Ticket, TicketQuery, number_of

_PAGE: Final = 100
_HISTORY_PAGE: Final = 500
"""Data Center returns up to 500 whole tickets per page, Cloud a hundred."""
_MOST_PAGES: Final = 1_000
_MOST_WORDS: Final = 30


class JiraSearch:
    """Searches in one project."""

    def __init__(self, session: JiraSession, project: str) -> None:
        self._session = session
        self._project = project

    async def tickets(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Return the matching tickets, best first; none if the query's words hold no letter or digit."""
        words = [clause for word in query.words[:_MOST_WORDS] if (clause := mentions(word))]
        if query.words and not words:
            return ()
        clauses = (*([any_of(*words)] if words else ()), *self._narrowed(query))
        order, page = (JqlOrder.UPDATED, _PAGE) if query.below is None else (JqlOrder.NUMBER, _HISTORY_PAGE)
        limit = max(query.limit, 1)
        issues = await self.issues(*clauses, fields=TICKET_FIELDS, limit=limit, order=order, page=page)
        if not issues:
            await self.mark_stale()
        site = await self._session.site()
        with well_formed("search"):
            found = [self._ticket(issue, site) for issue in issues]
        return tuple(best_first(found, query.words))

    def _narrowed(self, query: TicketQuery) -> Iterator[Clause]:
        """Yield what a query asks for beside its words."""
        if query.status:
            yield equals("status", query.status)
        if query.assignee:
            yield equals("assignee", query.assignee)
        if query.days is not None:
            yield updated_within(query.days)
        if query.minutes is not None:
            yield touched_within(query.minutes)
        if query.below:
            yield older_than(f"{self._project}-{query.below}")

    def _ticket(self, issue: Json, site: Site) -> Ticket:
        """Convert an issue; mail after mail finds the same ones, which seldom change. A description changes with its issue's `updated`."""
        kept, key = self._session.known.tickets, str(issue["key"])
        fields = {name: value for name, value in issue["fields"].items() if name != "description"}
        if not fields.get("updated") or key not in kept or kept[key][0] != fields:
            kept[key] = fields, ticket_of(issue, site)
        return kept[key][1]

    async def newest(self) -> int:
        """Return the number of the newest ticket in Jira's index; 0 for an empty project."""
        issues = await self.issues(fields=("summary",), limit=1, order=JqlOrder.NUMBER)
        if not issues:
            await self.mark_stale()
        return max((number_of(str(issue["key"])) for issue in issues), default=0)

    async def mark_stale(self) -> None:
        """Verify an empty answer. Raises `TrackerDenied` for a dead token, `TrackerDown` for a broken index."""
        if await self.issues(fields=("summary",), limit=1):
            return
        # Unlike a search, this request is refused to anonymous users.
        await self._session.read("GET", "myself")
        if self._project in self._session.known.seen:
            raise TrackerDown(detail=f"the whole project {self._project} looks empty, and it is not")

    async def issues(
        self,
        *clauses: Clause,
        fields: Sequence[str],
        limit: int,
        order: JqlOrder | None = None,
        page: int = _PAGE,
        pages: int = _MOST_PAGES,
    ) -> list[Json]:
        """Return up to `limit` issues of our project in the order of the answer; Jira may return smaller pages.

        Duplicates are dropped: a ticket created meanwhile pushes another one to the next page.
        """
        jql = within(self._project, *clauses, order=order)
        cloud = (await self._session.site()).cloud
        found: dict[str, Json] = {}
        where: dict[str, Json] = {}
        for _ in range(pages):
            try:
                answer = await self._page(jql, fields, min(limit - len(found), page), where)
            except TrackerRejected:
                await self._see_project()
                raise
            with well_formed("search"):
                for issue in self._ours(answer["issues"]):
                    found.setdefault(str(issue["key"]), issue)
                following = _next_page(answer, where, cloud=cloud)
            if following is None or len(found) >= limit:
                break
            where = following
        return list(found.values())[:limit]

    async def _see_project(self) -> None:
        """Find out whether a refused search is the project's fault. Raises `ProjectHidden`."""
        key = self._project
        await project_shown(key, self._session.read("GET", f"project/{key}", about=key))

    async def elsewhere(self, *clauses: Clause, fields: Sequence[str], limit: int) -> list[Json]:
        """Return one page of issues of the whole site, to find tickets that were moved to another project."""
        answer = await self._page(anywhere(*clauses), fields, limit, {})
        with well_formed("search"):
            return list(answer["issues"])

    async def _page(self, jql: str, fields: Sequence[str], most: int, where: Mapping[str, Json]) -> Json:
        cloud = (await self._session.site()).cloud
        body = {"jql": jql, "fields": list(fields), "maxResults": most, **where}
        return await self._session.read("POST", "search/jql" if cloud else "search", body=body)

    def _ours(self, issues: list[Json]) -> list[Json]:
        """Return the issues of our project. Raises `ProjectHidden` if all belong to another key: ours was renamed."""
        ours = [issue for issue in issues if str(issue["key"]).rpartition("-")[0] == self._project]
        if issues and not ours:
            raise ProjectHidden(self._project, f"Jira answers with {issues[0]['key']}: has it been renamed?")
        if ours:
            self._session.known.seen.add(self._project)
        return ours


def _next_page(answer: Json, where: dict[str, Json], *, cloud: bool) -> dict[str, Json] | None:
    """Return the parameters of the next page; None after the last. A repeated token ends the loop, too."""
    if not answer["issues"]:
        return None
    if cloud:
        token = answer.get("nextPageToken")
        return {"nextPageToken": token} if token and token != where.get("nextPageToken") else None
    start = int(where.get("startAt", 0)) + len(answer["issues"])
    return {"startAt": start} if start < int(answer.get("total") or 0) else None


def best_first(tickets: list[Ticket], words: Sequence[str]) -> list[Ticket]:
    """Rank by words: rare ones weigh more, those in the summary twice; ties keep the order of the answer."""
    sought = list(dict.fromkeys(part for word in words for part in word.casefold().split()))
    texts = [(ticket.summary.casefold(), ticket.description.casefold()) for ticket in tickets]
    scores = [0.0] * len(tickets)
    for word in sought:
        titled = [word in summary for summary, _ in texts]
        found = [first or word in text for first, (_, text) in zip(titled, texts, strict=True)]
        weight = math.log(1 + len(texts) / (1 + sum(found)))
        scores = [so_far + weight * (one + two) for so_far, one, two in zip(scores, found, titled, strict=True)]
    return [tickets[number] for number in sorted(range(len(tickets)), key=scores.__getitem__, reverse=True)]
