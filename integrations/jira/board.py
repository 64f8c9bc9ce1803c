"""Sprints of the project's board: the port `Sprints`."""

from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Sprint


@dataclass(frozen=True, slots=True)
class JiraBoard:
    """A project without a board has no sprints."""

    jira: JiraParts

    async def sprints(self) -> tuple[Sprint, ...]:
        """Active, future and the latest closed sprints, kept for five minutes."""
        return await self.jira.sprints.all(self.jira.session, self.jira.search)

    async def place(self, key: str, sprint: int) -> None:
        """Put a ticket into a sprint."""
        await self.jira.sprints.place(self.jira.session, self.jira.ours, key, sprint)
