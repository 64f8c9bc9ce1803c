"""Jira Cloud, Server or Data Center behind the `Tracker` port: our nouns in, our nouns and errors out."""

import asyncio
import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Self

from integrations.jira.http.errors import well_formed, written
from integrations.jira.http.gate import Gate
from integrations.jira.http.probe import JiraProbe
from integrations.jira.http.session import JiraSession, Known, Sleep
from integrations.jira.http.wire import JiraWire, Login
from integrations.jira.issue import comments, creating, files, links, workflow
from integrations.jira.issue.created_tickets import OurTickets
from integrations.jira.issue.marks import JiraMarks
from integrations.jira.issue.service_desk import JiraDesk
from integrations.jira.issue.shapes import TICKET_FIELDS, ticket_of
from integrations.jira.markup.text import one_line
from integrations.jira.project.people import JiraPeople
from integrations.jira.project.project import JiraProject
from integrations.jira.project.sprints import JiraSprints
from integrations.jira.search import JiraSearch
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected
from triage.domain.ports import Landmark, nowhere
from triage.domain.tickets import (
    Attached,
    Created,
    Mark,
    Project,
    Sprint,
    Ticket,
    TicketChange,
    TicketDraft,
    TicketQuery,
    Upload,
    Workload,
)


class JiraTracker:
    """One project of one Jira. Connects with the first question; safe for any number of tasks at once."""

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
        landmark: Landmark = nowhere,
        sleep: Sleep = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        wire = JiraWire(base_url, Login(email=email, token=token, personal_token=personal_token), timeout)
        self._key = project
        self._landmark = landmark
        self._public_comments = public_comments
        self._ours = OurTickets(project)
        self._probe = JiraProbe(project)
        self._metadata = JiraProject(project, fields or {})
        self._people = JiraPeople()
        self._sprints = JiraSprints(project)
        self._desk = JiraDesk(project, request_type) if request_type else None
        self._use(JiraSession(wire, sleep=sleep, landmark=landmark, known=Known(gate=Gate(now))))

    @property
    def calls(self) -> int:
        """Requests sent by this view, retries and the first look at the server included."""
        return self._session.calls

    @property
    def sent(self) -> int:
        """Writes of this view that went to the wire."""
        return self._session.sent

    @property
    def trouble(self) -> str:
        """Why nothing is asked of Jira just now, empty while all is well."""
        return self._session.known.gate.trouble

    def view(self) -> Self:
        """The same connections and caches, counted from zero; closing one closes all."""
        twin = copy(self)
        twin._use(self._session.view())  # noqa: SLF001 - another one of us
        return twin

    def _use(self, session: JiraSession) -> None:
        self._session = session
        self._search = JiraSearch(session, self._key)
        self._marks = JiraMarks(session, self._search, self._probe)

    # --- reading ------------------------------------------------------------------------------

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project. Raises where an empty answer is not to be believed."""
        return await self._search.tickets(query)

    async def get(self, key: str) -> Ticket:
        """One ticket; one that has moved to another project is gone for us."""
        issue = await self._ours.look(self._session, key, ",".join(TICKET_FIELDS))
        site = await self._session.site()
        with well_formed("issue"):
            return ticket_of(issue, site)

    async def project(self) -> Project:
        """The live metadata, kept for five minutes. Raises `TicketGone` where we may not see the project."""
        return (await self._metadata.metadata(self._session)).project

    async def me(self) -> str:
        """The id of our own account."""
        return await self._session.me()

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets by person id, as far as one page of the latest shows them."""
        return await self._people.workloads(self._search, await self._session.site())

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest tickets with an assignee, without their text."""
        return await self._people.recent(self._search, await self._session.site())

    async def newest(self) -> int:
        """The highest ticket number that a search shows."""
        return await self._search.newest()

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Tickets that our account made within so many days with a mark of ours, oldest first."""
        return await self._marks.ours(days)

    async def attached(self, key: str) -> tuple[Attached, ...]:
        """The files of a ticket."""
        return await files.attached(self._session, self._ours, key)

    async def sprints(self) -> tuple[Sprint, ...]:
        """Active, future and the latest closed sprints, kept for five minutes."""
        return await self._sprints.all(self._session, self._search)

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of our comment with this mark."""
        return await self._marks.comment(await self._ours.sure(self._session, key), mark)

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """The ticket of ours that carries this mark, also where people have moved it to another project since.

        A request whose marking was cut short is marked now.
        """
        self._landmark("marker.probe")
        key = await self._marks.ticket(mark, above)
        if key is None:
            return None
        site = await self._session.site()
        if self._ours.here(key):
            self._ours.made(key)
            if self._desk and await self._metadata.service(self._session):
                await self._desk.mark(self._session, site, key, mark)
        return Created(key=key, url=site.link(key))

    # --- writing ------------------------------------------------------------------------------

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """One POST, and after a 400, which creates nothing, a plainer one; a request where the project has those."""
        if not await self._metadata.service(self._session):
            created = await creating.create(self._session, self._metadata, self._key, draft, mark)
        elif self._desk:
            metadata = await self._metadata.metadata(self._session)
            created = await self._desk.create(self._session, metadata, draft, mark)
        else:
            created = await creating.create(self._session, self._metadata, self._key, draft, mark)
            created = replace(created, dropped=(*created.dropped, "request type"))
        self._ours.made(created.key)
        if draft.assignee and "assignee" not in created.dropped:
            self._people.given(draft.assignee)
        return created

    async def change(self, key: str, change: TicketChange) -> None:
        """One PUT of the new values."""
        site = await self._session.site()
        fields: dict[str, Json] = {}
        if change.summary is not None:
            fields["summary"] = one_line(change.summary)
        if change.assignee is not None:
            fields["assignee"] = site.user(change.assignee)
        if not fields:
            return
        await self._ours.sure(self._session, key)
        try:
            written(await self._session.write("PUT", f"issue/{key}", {"fields": fields}), key)
        except TrackerRejected:
            self._metadata.forget()
            raise

    async def transition(self, key: str, status: str) -> None:
        """Into the status of this name, in any case of letters."""
        await workflow.move(self._session, self._ours, self._metadata, key, status)

    async def comment(self, key: str, body: str, mark: Mark) -> str:
        """Add a comment with our property; customers do not see it, unless the settings say so."""
        await self._ours.sure(self._session, key)
        internal = not self._public_comments and await self._metadata.customers(self._session)
        return await comments.comment(self._session, key, body, mark, internal=internal)

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        """Make a comment of ours say this; customers see it no more than before."""
        await self._ours.sure(self._session, key)
        internal = not self._public_comments and await self._metadata.customers(self._session)
        return await comments.edit(self._session, key, comment, body, internal=internal)

    async def attach(self, key: str, upload: Upload) -> str:
        """Hang a file on a ticket."""
        return await files.attach(self._session, self._ours, key, upload, (await self.project()).upload_limit)

    async def link(self, key: str, other: str, kind: str) -> None:
        """Tie two tickets."""
        kinds = (await self._metadata.metadata(self._session)).link_types
        await links.link(self._session, self._ours, kinds, key, other, kind)

    async def watch(self, key: str, person: str) -> None:
        """Let a person hear of a ticket."""
        await links.watch(self._session, self._ours, key, person)

    async def place(self, key: str, sprint: int) -> None:
        """Put a ticket into a sprint."""
        await self._sprints.place(self._session, self._ours, key, sprint)

    async def close(self) -> None:
        """Let connections and threads go."""
        await self._session.close()
