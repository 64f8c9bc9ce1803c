"""Reads tickets of the project: the port `TicketReader`."""

from dataclasses import dataclass

from integrations.jira.http.errors import well_formed
from integrations.jira.issue import files
from integrations.jira.issue.details import details
from integrations.jira.issue.shapes import TICKET_FIELDS, ticket_of
from integrations.jira.parts import JiraParts
from triage.domain.tickets import Attached, Ticket, TicketDetails, TicketQuery


@dataclass(frozen=True, slots=True)
class JiraTickets:
    """Raises where an empty answer is not to be believed."""

    jira: JiraParts

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project. Raises where an empty answer is not to be believed."""
        return await self.jira.search.tickets(query)

    async def get(self, key: str) -> Ticket:
        """One ticket; one that has moved to another project is gone for us."""
        issue = await self.jira.ours.look(self.jira.session, key, ",".join(TICKET_FIELDS))
        site = await self.jira.session.site()
        with well_formed("issue"):
            return ticket_of(issue, site)

    async def details(self, key: str, comments: int) -> TicketDetails:
        """One ticket with due date, links and its latest comments."""
        return await details(self.jira.session, self.jira.ours, key, comments)

    async def newest(self) -> int:
        """The highest ticket number that a search shows."""
        return await self.jira.search.newest()

    async def attached(self, key: str) -> tuple[Attached, ...]:
        """The files of a ticket."""
        return await files.attached(self.jira.session, self.jira.ours, key)

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Tickets that our account made within so many days with a mark of ours, oldest first."""
        return await self.jira.marks.ours(days)
