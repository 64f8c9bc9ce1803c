"""The project as it is and how Jira is: the port `Metadata`."""

from dataclasses import dataclass

from integrations.jira.parts import JiraParts
from triage.domain.tickets import Project


@dataclass(frozen=True, slots=True)
class JiraMetadata:
    """The live metadata is kept for five minutes."""

    jira: JiraParts

    async def project(self) -> Project:
        """The live metadata, kept for five minutes. Raises `TicketGone` where we may not see the project."""
        return (await self.jira.project.metadata(self.jira.session)).project

    @property
    def trouble(self) -> str:
        """Why nothing is asked of Jira just now, empty while all is well."""
        return self.jira.session.known.gate.trouble

    @property
    def calls(self) -> int:
        """Requests sent by this view, retries and the first look at the server included."""
        return self.jira.session.calls
