"""Jira Cloud, Server or Data Center behind the ports of `domain/ports/tracker.py`."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from integrations.jira.board import JiraBoard
from integrations.jira.desk.service_desk import JiraDesk
from integrations.jira.http.gate import Gate
from integrations.jira.http.probe import TicketFinder
from integrations.jira.http.session import JiraSession, SharedState, Sleep
from integrations.jira.http.wire import JiraWire, Login
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.marks import JiraMarks
from integrations.jira.metadata import JiraMetadata
from integrations.jira.parts import JiraParts
from integrations.jira.project.members import JiraMembers
from integrations.jira.project.people import JiraPeople
from integrations.jira.project.project import JiraProject
from integrations.jira.project.sprints import JiraSprints
from integrations.jira.search import JiraSearch
from integrations.jira.team import JiraTeam
from integrations.jira.ticket_comments import JiraComments
from integrations.jira.ticket_discussion import JiraDiscussion
from integrations.jira.ticket_reader import JiraTickets
from integrations.jira.ticket_writer import JiraWriter
from triage.domain.conversation import Json
from triage.domain.operations.figures import Durations
from triage.domain.ports import Failpoint, RequestLimits, TrackerView, no_failpoint


class JiraTracker:
    """One project of one Jira, or several (`others`). Connects at the first request; safe for concurrent tasks. `timeout` is in seconds.

    New tickets get the constant values in `fields`; of the fields in `choices` the mail chooses values; `count_field` counts reports.
    """

    def __init__(  # noqa: PLR0913 - one keyword for each setting
        self,
        base_url: str,
        project: str,
        *,
        email: str = "",
        token: str = "",
        personal_token: str = "",
        timeout: float = 30.0,
        request_type: str = "",
        public_comments: bool = False,
        others: Sequence[str] = (),
        fields: Mapping[str, Json] | None = None,
        choices: Mapping[str, Sequence[str]] | None = None,
        count_field: str = "",
        failpoint: Failpoint = no_failpoint,
        sleep: Sleep = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
        limits: RequestLimits | None = None,
    ) -> None:
        wire = JiraWire(base_url, Login(email=email, token=token, personal_token=personal_token), timeout)
        session = JiraSession(wire, sleep=sleep, failpoint=failpoint, known=SharedState(gate=Gate(now, limits)))
        self._key, self._session, self._failpoint = project, session, failpoint
        self._shared = {
            key: _Shared(
                probe=TicketFinder(key),
                ours=CreatedTickets(key),
                project=JiraProject(key, fields or {}, choices or {}, count_field),
                people=JiraPeople(),
                members=JiraMembers(key),
                sprints=JiraSprints(key),
                desk=JiraDesk(key, request_type) if request_type else None,
                public_comments=public_comments,
            )
            for key in dict.fromkeys((project, *others))
        }
        own = self._views(session)[project]
        self.tickets, self.writer, self.comments = own.tickets, own.writer, own.comments
        self.people, self.sprints, self.metadata = own.people, own.sprints, own.metadata

    def view(self, project: str = "") -> TrackerView:
        """Return a view of a project, else of the first one; connections and caches are shared, request counts begin at zero."""
        views = self.views()
        return views.get(project) or views[self._key]

    def views(self) -> Mapping[str, TrackerView]:
        """Return a view of each project; they count their requests together, from zero.

        What names a ticket by its key finds it in any of the projects; all else is about the view's own.
        """
        return self._views(self._session.view())

    @property
    def requests(self) -> Mapping[tuple[str, ...], Durations]:
        """Durations of the requests of all views so far, by method and status."""
        return self._session.known.requests

    def discussion(self) -> JiraDiscussion:
        """Return what people and we say to each other on the tickets of all projects."""
        return JiraDiscussion(self._parts(self._session.view())[self._key])

    def _views(self, session: JiraSession) -> dict[str, TrackerView]:
        return {key: _view_of(parts) for key, parts in self._parts(session).items()}

    def _parts(self, session: JiraSession) -> dict[str, JiraParts]:
        every: dict[str, JiraParts] = {}
        for key, shared in self._shared.items():
            search = JiraSearch(session, key)
            every[key] = JiraParts(
                key=key,
                session=session,
                search=search,
                marks=JiraMarks(session, search, shared.probe),
                ours=shared.ours,
                project=shared.project,
                people=shared.people,
                members=shared.members,
                sprints=shared.sprints,
                desk=shared.desk,
                public_comments=shared.public_comments,
                failpoint=self._failpoint,
                beside=every,
            )
        return every

    async def close(self) -> None:
        """Close connections and threads of all views."""
        await self._session.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """What all views of one project share."""

    probe: TicketFinder
    ours: CreatedTickets
    project: JiraProject
    people: JiraPeople
    members: JiraMembers
    sprints: JiraSprints
    desk: JiraDesk | None
    public_comments: bool


def _view_of(parts: JiraParts) -> TrackerView:
    return TrackerView(
        tickets=JiraTickets(parts),
        writer=JiraWriter(parts),
        comments=JiraComments(parts),
        people=JiraTeam(parts),
        sprints=JiraBoard(parts),
        metadata=JiraMetadata(parts),
    )
