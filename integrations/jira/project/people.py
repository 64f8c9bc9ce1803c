"""Reads open and recent tickets by assignee with one request."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.ttl_cache import TtlCache
from integrations.jira.issue.shapes import Site, ticket_of
from integrations.jira.jql import ASSIGNED, NOT_DONE, Order, any_of, updated_within
from integrations.jira.search import JiraSearch
from triage.domain.tickets import Ticket, Workload

_MOST_RECENT: Final = 500
_RECENT_DAYS: Final = 180
_PAGE: Final = 1_000
"""Few and short fields: the largest page that any Jira gives."""
_FIELDS: Final = ("summary", "status", "issuetype", "assignee", "components", "updated")


@dataclass(frozen=True, slots=True)
class _Work:
    """One page of the latest tickets that belong to somebody, open or touched lately."""

    workloads: dict[str, Workload]
    recent: tuple[Ticket, ...]


class JiraPeople:
    """Workloads and recent work, from one request kept for five minutes and shared by all views of a tracker."""

    def __init__(self) -> None:
        self._work: TtlCache[_Work] = TtlCache()

    async def workloads(self, search: JiraSearch, site: Site) -> Mapping[str, Workload]:
        """Open tickets by person id; an empty answer is doubted."""
        return dict((await self._work.get(lambda: _read(search, site))).workloads)

    async def recent(self, search: JiraSearch, site: Site) -> tuple[Ticket, ...]:
        """The latest tickets with an assignee."""
        return (await self._work.get(lambda: _read(search, site))).recent

    def given(self, person: str) -> None:
        """A new ticket is theirs: until the next look ten mails of one minute would all see the same idle person."""
        if self._work.now is not None:
            kept = self._work.now.workloads
            before = kept.get(person, Workload())
            kept[person] = Workload(waiting=before.waiting + 1, in_progress=before.in_progress)


async def _read(search: JiraSearch, site: Site) -> _Work:
    """One page: who wants all of a large project counts in the index."""
    issues = await search.issues(
        ASSIGNED,
        any_of(NOT_DONE, updated_within(_RECENT_DAYS)),
        fields=_FIELDS,
        limit=_PAGE,
        order=Order.UPDATED,
        page=_PAGE,
        pages=1,
    )
    if not issues:
        await search.mark_stale()
    with well_formed("search"):
        tickets = tuple(ticket_of(issue, site) for issue in issues)
    counts: Counter[tuple[str, str]] = Counter(
        (ticket.assignee.id, ticket.category) for ticket in tickets if ticket.assignee and ticket.open
    )
    loads = {
        person: Workload(waiting=counts[person, "new"], in_progress=counts[person, "indeterminate"])
        for person, _ in counts
    }
    return _Work(loads, tickets[:_MOST_RECENT])
