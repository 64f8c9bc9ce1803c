"""The port `People`: our account, the people of the project and their work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Ticket, Workload


@dataclass(frozen=True, slots=True)
class JiraTeam:
    """Counts from one page (1,000) of the latest tickets, cached for five minutes."""

    jira: JiraParts

    async def me(self) -> str:
        """Return the id of our own account."""
        return await self.jira.session.me()

    async def workloads(self) -> Mapping[str, Workload]:
        """Return open tickets by person id, counted on one page of the latest tickets."""
        return await self.jira.people.workloads(self.jira.search, await self.jira.session.site())

    async def members(self, groups: Sequence[str], roles: Sequence[str]) -> frozenset[str]:
        """Return ids and visible addresses of who belongs to these groups and to these roles of the project."""
        return await self.jira.members.of(self.jira.session, groups, roles)

    async def assigned(self) -> tuple[Ticket, ...]:
        """Return the latest tickets with an assignee, without descriptions."""
        return await self.jira.people.recent(self.jira.search, await self.jira.session.site())
