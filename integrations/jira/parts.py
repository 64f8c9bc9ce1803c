"""The objects that the ports of one view of Jira share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from integrations.jira.desk.service_desk import JiraDesk
from integrations.jira.http.probe import TicketFinder
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.marks import JiraMarks
from integrations.jira.project.members import JiraMembers
from integrations.jira.project.people import JiraPeople
from integrations.jira.project.project import JiraProject
from integrations.jira.project.sprints import JiraSprints
from integrations.jira.search import JiraSearch
from triage.domain.ports import Failpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class JiraParts:
    """Session, search and marks of one view of one project, and what all its views share: caches, and the finder of its tickets."""

    key: str
    session: JiraSession
    search: JiraSearch
    probe: TicketFinder
    marks: JiraMarks
    ours: CreatedTickets
    project: JiraProject
    people: JiraPeople
    members: JiraMembers
    sprints: JiraSprints
    desk: JiraDesk | None
    public_comments: bool
    failpoint: Failpoint
    beside: Mapping[str, "JiraParts"] = field(default_factory=dict, repr=False, compare=False)
    """The parts of all projects of the installation in this view, by key; of a single project empty."""

    def of(self, key: str) -> "JiraParts":
        """Return the parts of the project to which this ticket belongs by its key; our own for any other key."""
        return self.beside.get(key.rpartition("-")[0], self)
