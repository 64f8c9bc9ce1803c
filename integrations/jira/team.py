"""The port `People`: our account, the people of the project and their work."""

from collections.abc import Mapping
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

    async def assigned(self) -> tuple[Ticket, ...]:
        """Return the latest tickets with an assignee, without descriptions."""
        return await self.jira.people.recent(self.jira.search, await self.jira.session.site())
