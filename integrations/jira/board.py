"""The port `Sprints`: sprints of the project's board."""

from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Sprint


@dataclass(frozen=True, slots=True)
class JiraBoard:
    """The sprints of the board; none if the project has no board."""

    jira: JiraParts

    async def sprints(self) -> tuple[Sprint, ...]:
        """Return active, future and the latest closed sprints, cached for five minutes."""
        return await self.jira.sprints.all(self.jira.session, self.jira.search)

    async def place(self, key: str, sprint: int) -> None:
        """Put a ticket into a sprint."""
        jira = self.jira.of(key)
        await jira.sprints.place(jira.session, jira.ours, key, sprint)
