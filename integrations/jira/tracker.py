"""Jira Cloud, Server or Data Center behind the `Tracker` port: our nouns in, our nouns and errors out."""

import asyncio
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Self

from integrations.jira.draft import PROPERTY, SHORT_LIMIT, Attempt, property_value
from integrations.jira.errors import well_formed, written
from integrations.jira.kept import Kept
from integrations.jira.marks import JiraMarks
from integrations.jira.people import JiraPeople
from integrations.jira.project import read_project
from integrations.jira.search import JiraSearch
from integrations.jira.session import JiraSession, Sleep
from integrations.jira.shapes import TICKET_FIELDS, Site, ticket_of
from integrations.jira.text import TEXT_LIMIT, length, one_line
from integrations.jira.wire import JiraWire, Login, Method
from integrations.jira.workflow import move
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerRejected, TrackerUnsure
from triage.domain.ports import Landmark, nowhere
from triage.domain.tickets import Created, Mark, Project, Ticket, TicketChange, TicketDraft, TicketQuery, Workload


class JiraTracker:
    """One project of one Jira. Connects with the first question; safe for any number of tasks at once."""

    def __init__(
        self,
        base_url: str,
        project: str,
        *,
        email: str = "",
        token: str = "",
        personal_token: str = "",
        timeout: float = 30.0,
        landmark: Landmark = nowhere,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        wire = JiraWire(base_url, Login(email=email, token=token, personal_token=personal_token), timeout)
        self._key = project
        self._landmark = landmark
        self._metadata: Kept[Project] = Kept()
        self._people = JiraPeople()
        self._use(JiraSession(wire, sleep=sleep, landmark=landmark))

    @property
    def calls(self) -> int:
        """Requests sent by this view, retries and the first look at the server included."""
        return self._session.calls

    def view(self) -> Self:
        """The same connections and caches, counted from zero; closing one closes all."""
        twin = copy(self)
        twin._use(self._session.view())  # noqa: SLF001 - another one of us
        return twin

    def _use(self, session: JiraSession) -> None:
        self._session = session
        self._search = JiraSearch(session, self._key)
        self._marks = JiraMarks(session, self._search, self._key)

    # --- reading ------------------------------------------------------------------------------

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project. Raises where an empty answer is not to be believed."""
        return await self._search.tickets(query)

    async def get(self, key: str) -> Ticket:
        """One ticket; one that has moved to another project is gone for us."""
        params = {"fields": ",".join(TICKET_FIELDS)}
        issue = await self._session.read("GET", f"issue/{self._own(key)}", params=params, about=key)
        site = await self._session.site()
        with well_formed("issue"):
            ticket = ticket_of(issue, site)
        self._own(ticket.key)
        return ticket

    async def project(self) -> Project:
        """The live metadata, kept for five minutes. Raises `TicketGone` where we may not see the project."""
        return await self._metadata.get(lambda: read_project(self._session, self._key))

    async def me(self) -> str:
        """The id of our own account."""
        return await self._session.me()

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets by person id."""
        return await self._people.workloads(self._search)

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest tickets with an assignee, without their text."""
        return await self._people.recent(self._search, await self._session.site())

    async def newest(self) -> int:
        """The highest ticket number that a search shows."""
        return await self._search.newest()

    # --- writing ------------------------------------------------------------------------------

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """One POST, and after a 400, which creates nothing, a plainer one."""
        site = await self._session.site()
        attempt = Attempt(draft, mark)
        while True:
            answer = await self._session.write("POST", "issue", attempt.body(site, self._key))
            try:
                key = _key_of(written(answer))
            except TrackerRejected as e:
                self._metadata.forget()
                plainer = attempt.without(e.problems)
                if plainer is None:
                    raise
                attempt = plainer
            else:
                if attempt.draft.assignee:
                    self._people.given(attempt.draft.assignee)
                return Created(key=key, url=site.link(key), dropped=attempt.dropped)

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """The ticket of ours that carries this mark."""
        self._landmark("marker.probe")
        key = await self._marks.ticket(mark, above)
        return Created(key=key, url=(await self._session.site()).link(key)) if key else None

    async def change(self, key: str, change: TicketChange) -> None:
        """One PUT of the new values."""
        site = await self._session.site()
        fields: dict[str, Json] = {}
        if change.summary is not None:
            fields["summary"] = one_line(change.summary)
        if change.assignee is not None:
            fields["assignee"] = site.user(change.assignee)
        if fields:
            await self._write("PUT", f"issue/{self._own(key)}", {"fields": fields}, key)

    async def transition(self, key: str, status: str) -> None:
        """Into the status of this name, in any case of letters."""
        await move(self._session, self._own(key), status)

    async def comment(self, key: str, body: str, mark: Mark) -> str:
        """Add a comment with our property; where Jira refuses that, with the label as its last line."""
        path = f"issue/{self._own(key)}/comment"
        attempts = list(_comment_bodies(await self._session.site(), body, mark))
        for attempt in attempts[:-1]:
            try:
                return _id_of(await self._write("POST", path, attempt, key))
            except TrackerRejected:
                continue
        return _id_of(await self._write("POST", path, attempts[-1], key))

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of our comment with this mark."""
        return await self._marks.comment(self._own(key), mark)

    async def close(self) -> None:
        """Let connections and threads go."""
        await self._session.close()

    async def _write(self, method: Method, path: str, body: Json, key: str) -> Json:
        """One request about a ticket."""
        try:
            return written(await self._session.write(method, path, body), key)
        except TrackerRejected:
            self._metadata.forget()
            raise

    def _own(self, key: str) -> str:
        """The key, if it is one of our project: any other ticket does not exist for us."""
        project, _, number = key.rpartition("-")
        if project != self._key or not (number.isascii() and number.isdecimal()):
            raise TicketGone(key=key)
        return key


def _comment_bodies(site: Site, markdown: str, mark: Mark) -> Iterator[Json]:
    """The same comment in the ways Jira might take it: whole before short, with the property before a visible line."""
    properties = [{"key": PROPERTY, "value": property_value(mark)}]
    for limit in (TEXT_LIMIT, SHORT_LIMIT) if length(markdown) > SHORT_LIMIT else (TEXT_LIMIT,):
        yield {"body": site.text(markdown, limit), "properties": properties}
        yield {"body": site.text(markdown, limit, mark.label)}


def _key_of(created: Json) -> str:
    """The new ticket's key; a success without one leaves us as unsure as none."""
    key = created.get("key") if isinstance(created, dict) else None
    if not isinstance(key, str) or not key:
        raise TrackerUnsure(detail="created, but the answer names no key")
    return key


def _id_of(created: Json) -> str:
    number = created.get("id") if isinstance(created, dict) else None
    if not number:
        raise TrackerUnsure(detail="commented, but the answer names no id")
    return str(number)
