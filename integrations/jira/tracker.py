"""Jira Cloud, Server or Data Center behind the ports of `domain/ports/tracker.py`."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from integrations.jira.board import JiraBoard
from integrations.jira.http.gate import Gate
from integrations.jira.http.probe import TicketFinder
from integrations.jira.http.session import JiraSession, SharedState, Sleep
from integrations.jira.http.wire import JiraWire, Login
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.marks import JiraMarks
from integrations.jira.issue.service_desk import JiraDesk
from integrations.jira.metadata import JiraMetadata
from integrations.jira.parts import JiraParts
from integrations.jira.project.people import JiraPeople
from integrations.jira.project.project import JiraProject
from integrations.jira.project.sprints import JiraSprints
from integrations.jira.search import JiraSearch
from integrations.jira.team import JiraTeam
from integrations.jira.ticket_comments import JiraComments
from integrations.jira.ticket_reader import JiraTickets
from integrations.jira.ticket_writer import JiraWriter
from triage.domain.conversation import Json
from triage.domain.ports import Failpoint, TrackerView, no_failpoint


class JiraTracker:
    """One project of one Jira. Connects at the first request; safe for concurrent tasks. `timeout` is in seconds.

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
        fields: Mapping[str, Json] | None = None,
        choices: Mapping[str, Sequence[str]] | None = None,
        count_field: str = "",
        failpoint: Failpoint = no_failpoint,
        sleep: Sleep = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        wire = JiraWire(base_url, Login(email=email, token=token, personal_token=personal_token), timeout)
        session = JiraSession(wire, sleep=sleep, failpoint=failpoint, known=SharedState(gate=Gate(now)))
        search, self._probe = JiraSearch(session, project), TicketFinder(project)
        self._parts = JiraParts(
            key=project,
            session=session,
            search=search,
            marks=JiraMarks(session, search, self._probe),
            ours=CreatedTickets(project),
            project=JiraProject(project, fields or {}, choices or {}, count_field),
            people=JiraPeople(),
            sprints=JiraSprints(project),
            desk=JiraDesk(project, request_type) if request_type else None,
            public_comments=public_comments,
            failpoint=failpoint,
        )
        own = _view_of(self._parts)
        self.tickets, self.writer, self.comments = own.tickets, own.writer, own.comments
        self.people, self.sprints, self.metadata = own.people, own.sprints, own.metadata

    def view(self) -> TrackerView:
        """Return a view with the same connections and caches whose request counts start at zero."""
        session = self._parts.session.view()
        search = JiraSearch(session, self._parts.key)
        marks = JiraMarks(session, search, self._probe)
        return _view_of(replace(self._parts, session=session, search=search, marks=marks))

    async def close(self) -> None:
        """Close connections and threads of all views."""
        await self._parts.session.close()


def _view_of(parts: JiraParts) -> TrackerView:
    return TrackerView(
        tickets=JiraTickets(parts),
        writer=JiraWriter(parts),
        comments=JiraComments(parts),
        people=JiraTeam(parts),
        sprints=JiraBoard(parts),
        metadata=JiraMetadata(parts),
    )
