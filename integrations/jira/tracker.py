"""Jira Cloud, Server or Data Center behind the ports of `domain/ports/tracker.py`."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from integrations.jira.desk.service_desk import JiraDesk
from integrations.jira.http.gate import Gate
from integrations.jira.http.probe import TicketFinder
from integrations.jira.http.session import JiraSession, SharedState, Sleep
from integrations.jira.http.wire import JiraWire, Login
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.marks import JiraMarks
from integrations.jira.parts import JiraParts
from integrations.jira.project.members import JiraMembers
from integrations.jira.project.people import JiraPeople
from integrations.jira.project.project import JiraProject
from integrations.jira.project.sprints import JiraSprints
from integrations.jira.search import JiraSearch
from integrations.jira.ticket_comments import JiraComments
from integrations.jira.ticket_reader import JiraTickets
from integrations.jira.ticket_writer import JiraWriter
from triage.domain.conversation import Json
from triage.domain.operations.figures import Durations
from triage.domain.ports import Failpoint, RequestLimits, TrackerView, no_failpoint
from triage.domain.tickets import Project, Sprint, Ticket, Workload


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
        self._key, self._session = project, session
        self._every: dict[str, JiraParts] = {}
        for key in dict.fromkeys((project, *others)):
            search, probe = JiraSearch(session, key), TicketFinder(key)
            self._every[key] = JiraParts(
                key=key,
                session=session,
                search=search,
                probe=probe,
                marks=JiraMarks(session, search, probe),
                ours=CreatedTickets(key),
                project=JiraProject(key, fields or {}, choices or {}, count_field),
                people=JiraPeople(),
                members=JiraMembers(key),
                sprints=JiraSprints(key),
                desk=JiraDesk(key, request_type) if request_type else None,
                public_comments=public_comments,
                failpoint=failpoint,
                beside=self._every,
            )
        own = _view_of(self._every[project])
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
        return {key: _view_of(parts) for key, parts in self._parts().items()}

    @property
    def requests(self) -> Mapping[tuple[str, ...], Durations]:
        """Durations of the requests of all views so far, by method and status."""
        return self._session.known.requests

    def discussion(self) -> JiraComments:
        """Return what people and we say to each other on the tickets of all projects, where customers never see our part."""
        return JiraComments(self._parts()[self._key], internal=True)

    def _parts(self) -> Mapping[str, JiraParts]:
        """Return the parts of each project with a session of their own, which counts its requests from zero."""
        session, every = self._session.view(), dict[str, JiraParts]()
        for key, parts in self._every.items():
            search = JiraSearch(session, key)
            marks = JiraMarks(session, search, parts.probe)
            every[key] = replace(parts, session=session, search=search, marks=marks, beside=every)
        return every

    async def close(self) -> None:
        """Close connections and threads of all views."""
        await self._session.close()


def _view_of(parts: JiraParts) -> TrackerView:
    return TrackerView(
        tickets=JiraTickets(parts),
        writer=JiraWriter(parts),
        comments=JiraComments(parts),
        people=JiraTeam(parts),
        sprints=JiraBoard(parts),
        metadata=JiraMetadata(parts),
    )


@dataclass(frozen=True, slots=True)
class JiraBoard:
    """The port `Sprints`: the sprints of the board; none if the project has no board."""

    jira: JiraParts

    async def sprints(self) -> tuple[Sprint, ...]:
        return await self.jira.sprints.all(self.jira.session, self.jira.search)

    async def place(self, key: str, sprint: int) -> None:
        jira = self.jira.of(key)
        await jira.sprints.place(jira.session, jira.ours, key, sprint)


@dataclass(frozen=True, slots=True)
class JiraTeam:
    """The port `People`: counts from one page (1,000) of the latest tickets, cached for five minutes."""

    jira: JiraParts

    async def me(self) -> str:
        return await self.jira.session.me()

    async def workloads(self) -> Mapping[str, Workload]:
        """Return open tickets by person id, counted on one page of the latest tickets."""
        return await self.jira.people.workloads(self.jira.search, await self.jira.session.site())

    async def members(self, groups: Sequence[str], roles: Sequence[str]) -> frozenset[str]:
        """Return ids and visible addresses of who belongs to these groups and to these roles of the project."""
        return await self.jira.members.of(self.jira.session, groups, roles)

    async def assigned(self) -> tuple[Ticket, ...]:
        """Return the latest tickets with an assignee, without descriptions."""
        return await self.jira.people.recent(self.jira.search, await self.jira.session.site())


@dataclass(frozen=True, slots=True)
class JiraMetadata:
    """The port `Metadata`: metadata of one project."""

    jira: JiraParts

    async def project(self) -> Project:
        """Return the metadata, cached for five minutes. Raises `ProjectHidden` if our account may not see the project."""
        return (await self.jira.project.metadata(self.jira.session)).project

    @property
    def trouble(self) -> str:
        """Why requests to Jira are suspended; empty while they are not."""
        return self.jira.session.known.gate.trouble

    @property
    def calls(self) -> int:
        """Requests sent by this view, retries and the first `serverInfo` included."""
        return self.jira.session.calls
