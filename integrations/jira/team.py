"""The account, the people of the project and their work: the port `People`."""

from collections.abc import Mapping
from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Ticket, Workload


@dataclass(frozen=True, slots=True)
class JiraTeam:
    """Counts are as good as one page of the latest tickets."""

    jira: JiraParts

    async def me(self) -> str:
        """The id of our own account."""
        return await self.jira.session.me()

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets by person id, as far as one page of the latest shows them."""
        return await self.jira.people.workloads(self.jira.search, await self.jira.session.site())

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest tickets with an assignee, without their text."""
        return await self.jira.people.recent(self.jira.search, await self.jira.session.site())
