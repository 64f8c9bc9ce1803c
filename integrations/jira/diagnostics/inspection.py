"""Extracts facts from a probe of Jira; `triage doctor` interprets them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final, TypeVar

from integrations.jira.desk.service_desk import form_of
from integrations.jira.diagnostics.access import Access, LoginState, login_of
from integrations.jira.diagnostics.jira_probe import ProbeAnswer, json_of
from integrations.jira.http.errors import JiraAnswer, read, well_formed
from integrations.jira.http.wire import Lost
from integrations.jira.issue.screen import IssueScreen, ScreenField, field_of, screen_of
from integrations.jira.project.assignable import CUTS
from integrations.jira.project.project import LinkType, link_types_of, statuses_of
from integrations.jira.shapes import category_of, people_of, time_of
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDown, TriageError
from triage.domain.tickets import Person, Status

_Fact = TypeVar("_Fact")
_LIMITS: Final = ("x-ratelimit-", "ratelimit-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Deployment, version and clock of a Jira."""

    cloud: bool = False
    version: str = ""
    url: str = ""
    """Base URL for people, as Jira reports it."""
    skew: float | None = None
    """Seconds by which Jira's clock is ahead of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Key, name and type of the project."""

    key: str
    name: str
    kind: str = "software"
    team_managed: bool = False
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowMove:
    """A transition out of a status."""

    to: str
    demands: tuple[ScreenField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusTransitions:
    """A ticket's status and the transitions out of it."""

    key: str
    issue_type: str
    status: str
    category: str
    ways: tuple[WorkflowMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board of the project with its active and future sprints."""

    name: str
    kind: str
    sprints: tuple[str, ...] = ()
    active: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A question that Jira did not answer."""

    status: int
    """HTTP status; 0 if no answer came."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JiraFacts:
    """All facts; what could not be read is in `unread` and empty elsewhere."""

    server: Server
    access: Access
    access_told: str = ""
    me: Person | None = None
    token_ends: datetime | None = None
    """When our token expires; known on Data Center only."""
    project: About | None = None
    projects: Mapping[str, str] = field(default_factory=dict)
    """Names of the visible projects by key, if ours is not among them."""
    rights: Mapping[str, bool] = field(default_factory=dict)
    screens: Mapping[str, IssueScreen] = field(default_factory=dict)
    """Forms by the name of the issue type."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Names of all fields of this Jira, by id."""
    statuses: tuple[Status, ...] = ()
    people: tuple[Person, ...] = ()
    people_cut: bool = False
    """Jira truncated the list of people."""
    stands: tuple[StatusTransitions, ...] = ()
    newest: tuple[str, ...] = ()
    """Keys of the latest tickets that a search returns."""
    unsearched: bool = False
    """A search returns no ticket although one exists."""
    link_types: tuple[LinkType, ...] = ()
    upload_limit: int = 0
    watching: bool = True
    boards: tuple[Board, ...] = ()
    request_types: tuple[str, ...] = ()
    request_form: IssueScreen | None = None
    limits: Mapping[str, str] = field(default_factory=dict)
    """The latest rate limit headers."""
    unread: Mapping[str, Unread] = field(default_factory=dict)


def facts_of(seen: Sequence[ProbeAnswer]) -> JiraFacts:
    """Extract the facts of a probe; an answer of unexpected shape does not affect the others."""
    book = _ProbeAnswers(seen)
    server = book.server()
    who = book.first("me") or book.first("server")
    login = login_of(who.answer) if who else LoginState(Access.AWAY, "nothing was asked")
    issues = book.read("newest", lambda pages: [_checked(each) for each in pages[0]["issues"]]) or []
    kinds = book.read("types", _kinds) or []
    return JiraFacts(
        server=server,
        access=login.access,
        access_told=login.detail,
        me=login.me,
        token_ends=book.read("tokens", lambda pages: _token_ends(pages[0])),
        project=book.read("project", lambda pages: _about(pages[0])),
        projects=book.read("projects", _projects) or {},
        rights=(book.read("rights", _rights) or {}) | (book.read("agent", _rights) or {}),
        screens={str(kind["name"]): form for kind in kinds if (form := book.form(kind, cloud=server.cloud))},
        fields=book.read("fields", lambda pages: {str(each["id"]): str(each["name"]) for each in pages[0]}) or {},
        statuses=book.read("statuses", lambda pages: statuses_of(pages[0])) or (),
        people=book.read("people", _people) or (),
        people_cut=_cut(book, cloud=server.cloud),
        stands=tuple(filter(None, map(book.stand, issues))),
        newest=tuple(str(issue["key"]) for issue in issues),
        unsearched=bool(book.read("first", lambda pages: bool(pages[0]))),
        link_types=book.read("links", lambda pages: link_types_of(pages[0])) or (),
        upload_limit=book.read("files", lambda pages: _upload_limit(pages[0])) or 0,
        watching=book.read("switches", lambda pages: bool(pages[0].get("watchingEnabled", True))) is not False,
        boards=tuple(map(book.board, book.read("boards", _values) or [])),
        request_types=tuple(str(each["name"]) for each in book.read("request types", _values) or []),
        request_form=book.request_form(cloud=server.cloud),
        limits=_limits(seen),
        unread=book.unread,
    )


class _ProbeAnswers:
    """The answers by question; collects those that could not be read in `unread`."""

    def __init__(self, seen: Sequence[ProbeAnswer]) -> None:
        self._seen = seen
        self.unread: dict[str, Unread] = {}

    def first(self, what: str) -> ProbeAnswer | None:
        return next((each for each in self._seen if each.what == what), None)

    def read(self, what: str, reader: Callable[[list[Json]], _Fact]) -> _Fact | None:
        """Apply `reader` to all pages of an answer; None if it fails or the question was not asked."""
        found = [each for each in self._seen if each.what == what]
        if not found:
            return None
        try:
            pages = [_brought(each) for each in found]
            with well_formed(what):
                return reader(pages)
        except TriageError as e:
            self.unread[what] = Unread(status=_status(found), detail=str(e))
            return None

    def server(self) -> Server:
        """Read `serverInfo`, which Jira also answers to anonymous users."""
        seen = self.first("server")
        try:
            with well_formed("server"):
                return _server(json_of(seen.answer, stranger=True), seen) if seen else Server()
        except TrackerDown:
            return Server()

    def form(self, kind: Json, *, cloud: bool) -> IssueScreen | None:
        """Read the create form of an issue type."""

        def reader(pages: list[Json]) -> IssueScreen:
            return screen_of(kind, (each for page in pages for each in _listed(page)), cloud=cloud)

        return self.read(f"form:{kind['id']}", reader)

    def stand(self, issue: Json) -> StatusTransitions | None:
        """Read a ticket's transitions; None if they were not asked for."""
        return self.read(f"ways:{issue['key']}", lambda pages: _stand(issue, pages[0]))

    def board(self, shape: Json) -> Board:
        """Read a board with its sprints; a board may have none."""
        sprints = self.read(f"sprints:{shape.get('id')}", _values) or []
        return Board(
            name=str(shape["name"]),
            kind=str(shape.get("type")),
            sprints=tuple(str(each["name"]) for each in sprints),
            active=sum(each.get("state") == "active" for each in sprints),
        )

    def request_form(self, *, cloud: bool) -> IssueScreen | None:
        """Read the form of the configured request type."""
        for kind in self.read("request types", _values) or []:
            if found := self.read(f"request form:{kind.get('id')}", lambda pages: pages[0]):
                with suppress(TrackerDown):
                    return form_of(kind, found, cloud=cloud)
        return None


def _brought(seen: ProbeAnswer) -> Json:
    if isinstance(seen.answer, Lost):
        raise TrackerDown(detail=seen.answer.detail)
    return read(seen.answer, seen.path)


def _status(found: Sequence[ProbeAnswer]) -> int:
    """Return the status of the first answer without JSON; 0 if none came."""
    return next((each.answer.status for each in found if isinstance(each.answer, JiraAnswer) and each.json is None), 0)


def _checked(issue: Json) -> Json:
    """Check that an issue has key and fields, which the other readers rely on."""
    return {"key": issue["key"], "fields": {**issue["fields"]}}


# --- one kind of answer each ------------------------------------------------------------------


def _server(info: Json, seen: ProbeAnswer) -> Server:
    return Server(
        cloud=info.get("deploymentType") == "Cloud",
        version=str(info.get("version") or ""),
        url=str(info["baseUrl"]).rstrip("/"),
        skew=_skew(info, seen),
    )


def _skew(info: Json, seen: ProbeAnswer) -> float | None:
    """Compare clocks by `serverTime`, else by the header `Date`, which a proxy may have set."""
    theirs = time_of(info.get("serverTime"))
    if theirs is None and isinstance(seen.answer, JiraAnswer) and (date := seen.answer.headers.get("Date")):
        theirs = parsedate_to_datetime(date)
    return (theirs - seen.at).total_seconds() if theirs else None


def _token_ends(tokens: Json) -> datetime | None:
    """Return the expiry of the last used token, which is ours: the probe has just used it."""
    ours = max(tokens, key=lambda token: str(token.get("lastAccessed") or ""), default=None)
    return time_of(ours.get("expiringAt")) if ours else None


def _about(shape: Json) -> About:
    return About(
        key=str(shape["key"]),
        name=str(shape["name"]),
        kind=str(shape.get("projectTypeKey") or "software"),
        team_managed=shape.get("style") == "next-gen" or bool(shape.get("simplified")),
        archived=bool(shape.get("archived")),
    )


def _projects(pages: list[Json]) -> dict[str, str]:
    found = [each for page in pages for each in (page["values"] if isinstance(page, dict) else page)]
    return {str(each["key"]): str(each.get("name") or each["key"]) for each in found if not each.get("archived")}


def _rights(pages: list[Json]) -> dict[str, bool]:
    return {str(name): bool(each["havePermission"]) for name, each in pages[0]["permissions"].items()}


def _kinds(pages: list[Json]) -> list[Json]:
    """Return the issue types without sub-tasks."""
    kinds = [{"id": each["id"], "name": each["name"], **each} for page in pages for each in _listed(page)]
    return [each for each in kinds if not each.get("subtask")]


def _listed(page: Json) -> list[Json]:
    """Return the page's list; Cloud names it after its content, Data Center `values`."""
    name = next((name for name in ("issueTypes", "fields") if name in page), "values")
    found: list[Json] = page[name]
    return found


def _values(pages: list[Json]) -> list[Json]:
    return [{"name": each["name"], **each} for page in pages for each in page["values"]]


def _people(pages: list[Json]) -> tuple[Person, ...]:
    """Return each person once."""
    return tuple({person.id: person for page in pages for person in people_of(page)}.values())


def _cut(book: _ProbeAnswers, *, cloud: bool) -> bool:
    """Tell whether Jira truncated the people: Cloud searches the first thousand users, Data Center returns a hundred."""
    if cloud:
        return bool(book.read("people beyond", lambda pages: bool(pages[0])))
    return bool(book.read("people", lambda pages: len(pages[0]) in CUTS))


def _stand(issue: Json, shape: Json) -> StatusTransitions:
    fields = issue["fields"]
    return StatusTransitions(
        key=str(issue["key"]),
        issue_type=str(fields["issuetype"]["name"]),
        status=str(fields["status"]["name"]),
        category=category_of(fields["status"]),
        ways=tuple(map(_move, shape["transitions"])),
    )


def _move(shape: Json) -> WorkflowMove:
    fields = (field_of(each, name) for name, each in (shape.get("fields") or {}).items())
    return WorkflowMove(to=str(shape["to"]["name"]), demands=tuple(each for each in fields if each.required))


def _upload_limit(shape: Json) -> int:
    return int(shape.get("uploadLimit") or 0) if shape.get("enabled", True) else 0


def _limits(seen: Sequence[ProbeAnswer]) -> dict[str, str]:
    """Return the latest value of each rate limit header."""
    limits: dict[str, str] = {}
    for each in seen:
        headers = {} if isinstance(each.answer, Lost) else each.answer.headers
        limits |= {name: value for name, value in headers.items() if name.lower().startswith(_LIMITS)}
    return limits
