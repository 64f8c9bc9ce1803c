"""Probes Jira with read-only requests and keeps each raw answer."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from itertools import islice
from typing import Any, Final, TypeVar

from integrations.jira.http.errors import JiraAnswer, a_stranger, retry_after
from integrations.jira.http.wire import JiraWire, Lost
from integrations.jira.jql import JqlOrder, within
from integrations.jira.project import assignable
from integrations.jira.shapes import TICKET_FIELDS
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDenied

RIGHTS: Final = (
    *("BROWSE_PROJECTS", "CREATE_ISSUES", "ADD_COMMENTS", "EDIT_ISSUES", "TRANSITION_ISSUES"),
    *("ASSIGN_ISSUES", "ASSIGNABLE_USER", "CREATE_ATTACHMENTS", "LINK_ISSUES", "MANAGE_WATCHERS"),
    *("SCHEDULE_ISSUES",),
)
"""The permissions that we use; none deletes."""
AGENT: Final = "SERVICEDESK_AGENT"
"""Exists only with service projects: without them Jira refuses a request that names it."""

_PAGE: Final = 50
_BIG_PAGE: Final = 200
_MOST_PROJECTS: Final = 100
"""Largest page of projects on Cloud."""
_MOST_PAGES: Final = 10
_MOST_WAYS: Final = 12
"""Tickets whose transitions are read, each with another type or status."""
_MOST_BOARDS: Final = 5
_LONGEST_PAUSE: Final = 30.0
_REFUSED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_LATER: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})

Params = Mapping[str, str | int]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswer:
    """One question and its answer."""

    what: str
    """The subject, such as `server` or `form:10001`."""
    path: str
    """Below `/rest`."""
    params: Params
    answer: JiraAnswer | Lost
    at: datetime
    """Time of the answer by our clock."""

    @property
    def json(self) -> Json:
        """The answer's JSON; None if Jira refused or it is unreadable."""
        return json_of(self.answer)


def json_of(answer: JiraAnswer | Lost, *, stranger: bool = False) -> Json:
    """Return the JSON of a success, else None; accept an answer as to an anonymous user only with `stranger`."""
    if isinstance(answer, Lost) or not answer.ok or answer.html or (a_stranger(answer) and not stranger):
        return None
    try:
        return answer.json()
    except ValueError:
        return None


class JiraProbe:
    """Reads one project of one Jira. Every request is a GET and changes nothing."""

    def __init__(
        self,
        wire: JiraWire,
        project: str,
        *,
        sprints: bool = False,
        request_type: str = "",
        thorough: bool = False,
    ) -> None:
        self._wire = wire
        self._project = project
        self._sprints = sprints or thorough
        self._request_type = request_type
        self._thorough = thorough
        self._cloud = False
        self._asked: list[ProbeAnswer | None] = []

    async def walk(self) -> tuple[ProbeAnswer, ...]:
        """Return all answers in the order of the questions; stops early only if the login fails. Closes the wire."""
        return await self._walked(self._whole)

    async def enter(self) -> tuple[ProbeAnswer, ...]:
        """Return the answers about the server, our account, and the projects that it sees. Closes the wire."""
        return await self._walked(self._entrance)

    async def _walked(self, way: Callable[[], Coroutine[Any, Any, None]]) -> tuple[ProbeAnswer, ...]:
        try:
            await self._on_thread(self._wire.connect)
            await way()
        finally:
            await asyncio.to_thread(self._wire.close)
        return tuple(seen for seen in self._asked if seen is not None)

    async def _whole(self) -> None:
        if await self._let_in():
            await _all(self._of_site(), self._of_project())

    async def _entrance(self) -> None:
        if await self._let_in():
            await _as_far_as_it_goes(self._projects())

    async def _let_in(self) -> bool:
        """Ask who the server is and who we are; return whether it knows us."""
        server = await self._ask("server", "api/2/serverInfo")
        # Data Center refuses bad credentials here already; a few more requests would cause a captcha.
        if isinstance(server.answer, Lost) or server.answer.status in _REFUSED:
            return False
        info = json_of(server.answer, stranger=True)
        self._cloud = isinstance(info, dict) and info.get("deploymentType") == "Cloud"
        me = await self._ask("me", self._api("myself"))
        return me.json is not None or only_a_scope(me.answer)

    # --- what to ask --------------------------------------------------------------------------

    async def _of_site(self) -> None:
        await _all(
            self._ask("links", self._api("issueLinkType")),
            self._ask("files", self._api("attachment/meta")),
            self._ask("fields", self._api("field")),
            self._ask("switches", self._api("configuration")),
            *([self._ask("resolutions", self._api("resolution"))] if self._thorough else []),
            *([] if self._cloud else [self._ask("tokens", "pat/latest/tokens")]),
        )

    async def _of_project(self) -> None:
        key = self._project
        names = {"permissions": ",".join(RIGHTS)} if self._cloud else {}  # Data Center returns all of them
        await self._ask("rights", self._api("mypermissions"), {**names, "projectKey": key})
        about = (await self._ask("project", self._api(f"project/{key}"))).json
        if not isinstance(about, dict):
            await self._projects()
            return
        await _all(
            self._forms(),
            self._ask("statuses", self._api(f"project/{key}/statuses")),
            self._people(),
            self._tickets(),
            *([self._boards()] if self._sprints else []),
            *([self._service_desk()] if about.get("projectTypeKey") == "service_desk" else []),
        )

    async def _projects(self) -> None:
        """Read the projects that our account sees; Data Center returns all at once."""
        if self._cloud:
            await self._pages("projects", self._api("project/search"), ("values",), {"maxResults": _MOST_PROJECTS})
        else:
            await self._ask("projects", self._api("project"))

    async def _forms(self) -> None:
        path = self._api(f"issue/createmeta/{self._project}/issuetypes")
        kinds = await self._pages("types", path, ("issueTypes", "values"))
        ids = [str(kind["id"]) for kind in kinds if not kind.get("subtask")]
        await _all(*(self._pages(f"form:{each}", f"{path}/{each}", ("fields", "values")) for each in ids))

    async def _people(self) -> None:
        """Read the people as far as one list goes; reading by prefixes would take many requests."""
        path = self._api(assignable.PATH)

        async def ask(params: Params) -> list[Json]:
            page = (await self._ask("people", path, {"project": self._project, **params})).json
            return page if isinstance(page, list) else []

        if not self._cloud:
            await ask({"maxResults": assignable.PAGE})
            return
        await assignable.by_pages(ask)
        await self._ask("people beyond", self._api("users/search"), {"startAt": assignable.PAGE, "maxResults": 1})

    async def _tickets(self) -> None:
        """Read the latest tickets; if the search returns none, check whether ticket 1 exists."""
        jql = within(self._project, order=JqlOrder.NUMBER)
        params: Params = {"jql": jql, "maxResults": _PAGE, "fields": ",".join(TICKET_FIELDS)}
        found = (await self._ask("newest", self._api("search/jql" if self._cloud else "search"), params)).json
        issues = _shapes(found.get("issues")) if isinstance(found, dict) else []
        if not issues:
            await self._ask("first", self._api(f"issue/{self._project}-1"), {"fields": "summary"})
        expand = {"expand": "transitions.fields"}
        await _all(
            *(
                self._ask(f"ways:{key}", self._api(f"issue/{key}/transitions"), expand)
                for key in islice(_various(issues), _MOST_WAYS)
            ),
            *(self._in_full(str(issue.get("key"))) for issue in (issues[:3] if self._thorough else [])),
        )

    async def _in_full(self, key: str) -> None:
        """Read a ticket with all fields and comments that the adapter reads."""
        fields = ",".join((*TICKET_FIELDS, "creator", "issuelinks", "attachment"))
        comments: Params = {"startAt": 0, "maxResults": 20, "orderBy": "-created", "expand": "properties"}
        await self._ask(f"ticket:{key}", self._api(f"issue/{key}"), {"fields": fields, "properties": "triage"})
        await self._ask(f"comments:{key}", self._api(f"issue/{key}/comment"), comments)

    async def _boards(self) -> None:
        boards = await self._pages("boards", "agile/1.0/board", ("values",), {"projectKeyOrId": self._project})
        planned = [board for board in boards if board.get("type") != "kanban"][:_MOST_BOARDS]
        states: Params = {"state": "active,future", "startAt": 0, "maxResults": _PAGE}
        await _all(*(self._ask(f"sprints:{b['id']}", f"agile/1.0/board/{b['id']}/sprint", states) for b in planned))

    async def _service_desk(self) -> None:
        names = {"permissions": AGENT} if self._cloud else {}
        await self._ask("agent", self._api("mypermissions"), {**names, "projectKey": self._project})
        desks = await self._pages("desks", "servicedeskapi/servicedesk", ("values",), desk=True)
        desk = next((each["id"] for each in desks if each.get("projectKey") == self._project), None)
        if desk is None:
            return
        path = f"servicedeskapi/servicedesk/{desk}/requesttype"
        wanted = self._request_type.casefold()
        for kind in await self._pages("request types", path, ("values",), desk=True):
            if str(kind.get("name")).casefold() == wanted:
                await self._ask(f"request form:{kind['id']}", f"{path}/{kind['id']}/field")

    # --- asking -------------------------------------------------------------------------------

    async def _pages(
        self, what: str, path: str, lists: tuple[str, ...], more: Params | None = None, *, desk: bool = False
    ) -> list[Json]:
        """Read all pages; the service desk API names its paging parameters differently."""
        start, most, size = ("start", "limit", _PAGE) if desk else ("startAt", "maxResults", _BIG_PAGE)
        found: list[Json] = []
        for _ in range(_MOST_PAGES):
            page = (await self._ask(what, path, {start: len(found), most: size, **(more or {})})).json
            values = _listed(page, lists)
            found += values
            last = not isinstance(page, dict) or page.get("isLast") or page.get("isLastPage")
            if last or not values or len(found) >= int(page.get("total") or len(found)):
                break
        return found

    async def _ask(self, what: str, path: str, params: Params | None = None) -> ProbeAnswer:
        place = len(self._asked)
        self._asked.append(None)
        answer = await self._exchange(path, params or {})
        if isinstance(answer, JiraAnswer) and answer.status in _LATER:
            pause = retry_after(answer.headers)
            if pause is not None and pause <= _LONGEST_PAUSE:
                await asyncio.sleep(pause)
                answer = await self._exchange(path, params or {})
        seen = ProbeAnswer(what=what, path=path, params=params or {}, answer=answer, at=datetime.now(UTC))
        self._asked[place] = seen
        return seen

    async def _exchange(self, path: str, params: Params) -> JiraAnswer | Lost:
        try:
            return await self._on_thread(partial(self._wire.exchange, "GET", path, params or None, None))
        except TrackerDenied as e:
            return Lost(e.detail, sent=False)

    async def _on_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._wire.threads, work)

    def _api(self, path: str) -> str:
        return f"api/{3 if self._cloud else 2}/{path}"


async def _all(*work: Coroutine[Any, Any, Any]) -> None:
    """Run all concurrently."""
    await asyncio.gather(*map(_as_far_as_it_goes, work))


async def _as_far_as_it_goes(work: Coroutine[Any, Any, Any]) -> None:
    """Stop at an answer of unexpected shape; `inspection` reports it."""
    with suppress(KeyError, TypeError, AttributeError, ValueError):
        await work


def only_a_scope(answer: JiraAnswer | Lost) -> bool:
    """Tell whether a valid token only lacks the scope for this request."""
    return (
        isinstance(answer, JiraAnswer) and answer.status == HTTPStatus.UNAUTHORIZED and b"scope does not" in answer.body
    )


def _listed(page: Json, names: tuple[str, ...]) -> list[Json]:
    found = next((page[name] for name in names if name in page), None) if isinstance(page, dict) else None
    return _shapes(found)


def _shapes(values: Json) -> list[Json]:
    """Return the objects of a list; skip anything else."""
    return [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []


def _various(issues: list[Json]) -> Iterator[str]:
    """Yield one key per pair of type and status, since each pair has its own transitions."""
    known = set()
    for issue in issues:
        fields = issue.get("fields") or {}
        pair = ((fields.get("issuetype") or {}).get("name"), (fields.get("status") or {}).get("name"))
        if pair not in known:
            known.add(pair)
            yield str(issue["key"])
