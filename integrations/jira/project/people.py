"""Reads open and recent tickets by assignee with one request."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.ttl_cache import TtlCache
from integrations.jira.jql import ASSIGNED, NOT_DONE, JqlOrder, any_of, updated_within
from integrations.jira.search import JiraSearch
from integrations.jira.shapes import Site, ticket_of
from triage.domain.tickets import Ticket, Workload

_MOST_RECENT: Final = 500
_RECENT_DAYS: Final = 180
_PAGE: Final = 1_000
"""The largest page that any Jira returns; the fields are few and short."""
_FIELDS: Final = ("summary", "status", "issuetype", "assignee", "components", "updated")


@dataclass(frozen=True, slots=True)
class _Work:
    """One page of the latest assigned tickets that are open or updated in the last `_RECENT_DAYS`."""

    workloads: dict[str, Workload]
    recent: tuple[Ticket, ...]


class JiraPeople:
    """Workloads and recent tickets from one request, cached for five minutes and shared by all views of a tracker."""

    def __init__(self) -> None:
        self._work: TtlCache[_Work] = TtlCache()

    async def workloads(self, search: JiraSearch, site: Site) -> Mapping[str, Workload]:
        """Return open tickets by person id. Raises for an implausibly empty answer."""
        return dict((await self._work.get(lambda: _read(search, site))).workloads)

    async def recent(self, search: JiraSearch, site: Site) -> tuple[Ticket, ...]:
        """Return the latest tickets with an assignee, at most 500."""
        return (await self._work.get(lambda: _read(search, site))).recent

    def given(self, person: str) -> None:
        """Count a new ticket for this person, so that several mails within the cache time do not all pick the same one."""
        if self._work.now is not None:
            kept = self._work.now.workloads
            before = kept.get(person, Workload())
            kept[person] = Workload(waiting=before.waiting + 1, in_progress=before.in_progress)


async def _read(search: JiraSearch, site: Site) -> _Work:
    """Read one page only; the local ticket index counts all of a large project."""
    recent = any_of(NOT_DONE, updated_within(_RECENT_DAYS))
    issues = await search.issues(
        ASSIGNED, recent, fields=_FIELDS, limit=_PAGE, order=JqlOrder.UPDATED, page=_PAGE, pages=1
    )
    if not issues:
        await search.mark_stale()
    with well_formed("search"):
        tickets = tuple(ticket_of(issue, site) for issue in issues)
    return _Work(_loads(tickets), tickets[:_MOST_RECENT])


def _loads(tickets: Iterable[Ticket]) -> dict[str, Workload]:
    """Count each person's open tickets."""
    held = [(one.assignee.id, one.category) for one in tickets if one.assignee and one.open]
    counts, people = Counter(held), dict.fromkeys(person for person, _ in held)
    return {one: Workload(waiting=counts[one, "new"], in_progress=counts[one, "indeterminate"]) for one in people}
