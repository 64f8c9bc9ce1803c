"""The port `TicketReader`: reads tickets of the project."""

from dataclasses import dataclass

from integrations.jira.desk.service_timers import timers
from integrations.jira.http.errors import well_formed
from integrations.jira.issue import files
from integrations.jira.issue.changes import changes
from integrations.jira.issue.details import details
from integrations.jira.parts import JiraParts
from integrations.jira.shapes import TICKET_FIELDS, ticket_of
from triage.domain.support.service_timers import ServiceTimer
from triage.domain.tickets import Attached, FieldChange, Ticket, TicketDetails, TicketQuery


@dataclass(frozen=True, slots=True)
class JiraTickets:
    """The port `TicketReader`: tickets of one project; a ticket of another project raises `TicketGone`."""

    jira: JiraParts

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Return matching tickets of our project. Raises `TrackerDown`, `TrackerDenied` for an implausibly empty answer."""
        return await self.jira.search.tickets(query)

    async def get(self, key: str) -> Ticket:
        """Return one ticket. Raises `TicketGone`, also if it was moved to another project."""
        jira = self.jira.of(key)
        issue = await jira.ours.look(jira.session, key, ",".join(TICKET_FIELDS))
        site = await jira.session.site()
        with well_formed("issue"):
            return ticket_of(issue, site)

    async def details(self, key: str, comments: int) -> TicketDetails:
        jira = self.jira.of(key)
        return await details(jira.session, jira.ours, key, comments)

    async def changes(self, key: str) -> tuple[FieldChange, ...]:
        jira = self.jira.of(key)
        return await changes(jira.session, jira.ours, key)

    async def newest(self) -> int:
        """Return the highest ticket number that a search shows; 0 for an empty project."""
        return await self.jira.search.newest()

    async def attached(self, key: str) -> tuple[Attached, ...]:
        jira = self.jira.of(key)
        return await files.attached(jira.session, jira.ours, key)

    async def timers(self, key: str) -> tuple[ServiceTimer, ...]:
        """Return the SLAs of a customer request; nothing is requested outside service projects."""
        jira = self.jira.of(key)
        return await timers(jira.session, key) if await jira.project.service(jira.session) else ()

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Return tickets that our account created in the last `days` and that carry our mark, oldest first."""
        return await self.jira.marks.ours(days)
