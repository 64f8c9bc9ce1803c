"""Who has how much to do, and who has done what lately: two searches of the whole project, whatever the number of people."""

from collections.abc import Mapping
from typing import Final

from integrations.jira.errors import well_formed
from integrations.jira.jql import ASSIGNED, NOT_DONE, Order, updated_within
from integrations.jira.kept import Kept
from integrations.jira.search import JiraSearch
from integrations.jira.shapes import Site, category_of, id_of, ticket_of
from triage.domain.tickets import Ticket, Workload

_MOST_OPEN: Final = 5_000
_MOST_RECENT: Final = 500
_RECENT_DAYS: Final = 180
_PAGE: Final = 1_000
"""Few and short fields: the largest page that any Jira gives."""
_RECENT_FIELDS: Final = ("summary", "status", "issuetype", "assignee", "components", "updated")


class JiraPeople:
    """Workloads and recent work, kept for five minutes and shared by all views of a tracker."""

    def __init__(self) -> None:
        self._workloads: Kept[dict[str, Workload]] = Kept()
        self._recent: Kept[tuple[Ticket, ...]] = Kept()

    async def workloads(self, search: JiraSearch) -> Mapping[str, Workload]:
        """Open tickets by person id, from one search; an empty answer is doubted."""
        return dict(await self._workloads.get(lambda: _read_workloads(search)))

    async def recent(self, search: JiraSearch, site: Site) -> tuple[Ticket, ...]:
        """The latest tickets with an assignee."""
        return await self._recent.get(lambda: _read_recent(search, site))

    def given(self, person: str) -> None:
        """A new ticket is theirs: until the next look ten mails of one minute would all see the same idle person."""
        kept = self._workloads.now
        if kept is not None:
            before = kept.get(person, Workload())
            kept[person] = Workload(waiting=before.waiting + 1, in_progress=before.in_progress)


async def _read_workloads(search: JiraSearch) -> dict[str, Workload]:
    issues = await search.issues(
        ASSIGNED, NOT_DONE, fields=("assignee", "status"), limit=_MOST_OPEN, order=Order.UPDATED, page=_PAGE
    )
    if not issues:
        await search.doubt()
    counts: dict[str, list[int]] = {}
    with well_formed("search"):
        for issue in issues:
            fields = issue["fields"]
            counts.setdefault(id_of(fields["assignee"]), [0, 0])[category_of(fields["status"]) == "indeterminate"] += 1
    return {person: Workload(waiting=waiting, in_progress=doing) for person, (waiting, doing) in counts.items()}


async def _read_recent(search: JiraSearch, site: Site) -> tuple[Ticket, ...]:
    issues = await search.issues(
        ASSIGNED,
        updated_within(_RECENT_DAYS),
        fields=_RECENT_FIELDS,
        limit=_MOST_RECENT,
        order=Order.UPDATED,
        page=_PAGE,
    )
    if not issues:
        await search.doubt()
    with well_formed("search"):
        return tuple(ticket_of(issue, site) for issue in issues)
