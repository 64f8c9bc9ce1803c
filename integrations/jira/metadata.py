"""The port `Metadata`: the project's live metadata, and whether Jira is reachable."""

from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Project


@dataclass(frozen=True, slots=True)
class JiraMetadata:
    """Metadata of one project."""

    jira: JiraParts

    async def project(self) -> Project:
        """Return the metadata, cached for five minutes. Raises `TicketGone` if our account may not see the project."""
        return (await self.jira.project.metadata(self.jira.session)).project

    @property
    def trouble(self) -> str:
        """Why requests to Jira are suspended; empty while they are not."""
        return self.jira.session.known.gate.trouble

    @property
    def calls(self) -> int:
        """Requests sent by this view, retries and the first `serverInfo` included."""
        return self.jira.session.calls
