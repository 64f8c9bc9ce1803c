"""Facts from a probe of Jira; `triage doctor` says what they mean."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final, TypeVar

from integrations.jira.diagnostics.access import Access, LoginState, login_of
from integrations.jira.diagnostics.jira_probe import Seen, json_of
from integrations.jira.http.errors import Answer, read, well_formed
from integrations.jira.http.wire import Lost
from integrations.jira.issue.screen import Field, Screen, field_of, screen_of
from integrations.jira.issue.service_desk import form_of
from integrations.jira.project.assignable import CUTS
from integrations.jira.project.project import LinkType, link_types_of, statuses_of
from integrations.jira.shapes import category_of, moment_of, people_of
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDown, TriageError
from triage.domain.tickets import Person, Status

_Fact = TypeVar("_Fact")
_LIMITS: Final = ("x-ratelimit-", "ratelimit-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Which Jira it is."""

    cloud: bool = False
    version: str = ""
    url: str = ""
    """Where people find it, by its own word."""
    skew: float | None = None
    """Seconds by which its clock is ahead of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the project is."""

    key: str
    name: str
    kind: str = "software"
    team_managed: bool = False
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A transition out of a status."""

    to: str
    category: str
    demands: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Where a ticket stands, and where it can go from there."""

    key: str
    issue_type: str
    status: str
    category: str
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board of the project with the sprints that can be planned."""

    name: str
    kind: str
    sprints: tuple[str, ...] = ()
    active: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Something that Jira did not show."""

    status: int
    """0 where no answer came."""
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JiraFacts:
    """All that was seen; what could not be is in `unread`, and empty elsewhere."""

    server: Server
    access: Access
    access_told: str = ""
    me: Person | None = None
    token_ends: datetime | None = None
    """Data Center tells when the token ends that was used last."""
    project: About | None = None
    others: tuple[str, ...] = ()
    """Keys of projects that we see where ours is none of them."""
    rights: Mapping[str, bool] = field(default_factory=dict)
    screens: Mapping[str, Screen] = field(default_factory=dict)
    """Forms by the name of the issue type."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Names of all fields of this Jira, by id."""
    statuses: tuple[Status, ...] = ()
    people: tuple[Person, ...] = ()
    people_cut: bool = False
    """The list of them is as long as Jira lets it be."""
    stands: tuple[Stand, ...] = ()
    newest: tuple[str, ...] = ()
    """Keys of the latest tickets that a search shows."""
    unsearched: bool = False
    """No search shows a ticket, and there is one."""
    link_types: tuple[LinkType, ...] = ()
    upload_limit: int = 0
    watching: bool = True
    boards: tuple[Board, ...] = ()
    request_types: tuple[str, ...] = ()
    request_form: Screen | None = None
    limits: Mapping[str, str] = field(default_factory=dict)
    """What headers tell of how much we may ask."""
    unread: Mapping[str, Unread] = field(default_factory=dict)


def facts_of(seen: Sequence[Seen]) -> JiraFacts:
    """The facts of a walk; no answer, however strange, keeps the others from being read."""
    book = _Book(seen)
    server = book.server()
    who = book.first("me") or book.first("server")
    login = login_of(who.answer) if who else LoginState(Access.AWAY, "nothing was asked")
    issues = book.read("newest", lambda pages: [_checked(each) for each in pages[0]["issues"]]) or []
    kinds = book.read("types", _kinds) or []
    return JiraFacts(
        server=server,
        access=login.access,
        access_told=login.told,
        me=login.me,
        token_ends=book.read("tokens", lambda pages: _token_ends(pages[0])),
        project=book.read("project", lambda pages: _about(pages[0])),
        others=book.read("projects", lambda pages: _keys(pages[0])) or (),
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


class _Book:
    """The answers by what was asked; keeps a list of what could not be read."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self._seen = seen
        self.unread: dict[str, Unread] = {}

    def first(self, what: str) -> Seen | None:
        """The first answer to this question."""
        return next((each for each in self._seen if each.what == what), None)

    def read(self, what: str, reader: Callable[[list[Json]], _Fact]) -> _Fact | None:
        """What the pages of an answer say; None where they say nothing, or this was not asked."""
        found = [each for each in self._seen if each.what == what]
        if not found:
            return None
        try:
            pages = [_brought(each) for each in found]
            with well_formed(what):
                return reader(pages)
        except TriageError as e:
            self.unread[what] = Unread(status=_status(found), told=str(e))
            return None

    def server(self) -> Server:
        """Which Jira it is; that it tells strangers, too."""
        seen = self.first("server")
        try:
            with well_formed("server"):
                return _server(json_of(seen.answer, stranger=True), seen) if seen else Server()
        except TrackerDown:
            return Server()

    def form(self, kind: Json, *, cloud: bool) -> Screen | None:
        """The form of a type."""

        def reader(pages: list[Json]) -> Screen:
            return screen_of(kind, (each for page in pages for each in _listed(page)), cloud=cloud)

        return self.read(f"form:{kind['id']}", reader)

    def stand(self, issue: Json) -> Stand | None:
        """Where a ticket stands; None for those that were not asked about."""
        return self.read(f"ways:{issue['key']}", lambda pages: _stand(issue, pages[0]))

    def board(self, shape: Json) -> Board:
        """A board with its sprints; a team's own board may have none at all."""
        sprints = self.read(f"sprints:{shape.get('id')}", _values) or []
        return Board(
            name=str(shape["name"]),
            kind=str(shape.get("type")),
            sprints=tuple(str(each["name"]) for each in sprints),
            active=sum(each.get("state") == "active" for each in sprints),
        )

    def request_form(self, *, cloud: bool) -> Screen | None:
        """The form of the request type that was asked for."""
        for kind in self.read("request types", _values) or []:
            if found := self.read(f"request form:{kind.get('id')}", lambda pages: pages[0]):
                with suppress(TrackerDown):
                    return form_of(kind, found, cloud=cloud)
        return None


def _brought(seen: Seen) -> Json:
    if isinstance(seen.answer, Lost):
        raise TrackerDown(detail=seen.answer.detail)
    return read(seen.answer, seen.path)


def _status(found: Sequence[Seen]) -> int:
    """That of the first answer that brought nothing."""
    return next((each.answer.status for each in found if isinstance(each.answer, Answer) and each.json is None), 0)


def _checked(issue: Json) -> Json:
    """An issue with what the others rely on."""
    return {"key": issue["key"], "fields": {**issue["fields"]}}


# --- one kind of answer each ------------------------------------------------------------------


def _server(info: Json, seen: Seen) -> Server:
    return Server(
        cloud=info.get("deploymentType") == "Cloud",
        version=str(info.get("version") or ""),
        url=str(info["baseUrl"]).rstrip("/"),
        skew=_skew(info, seen),
    )


def _skew(info: Json, seen: Seen) -> float | None:
    """By Jira's own clock where it tells it: `Date` may be that of a proxy."""
    theirs = moment_of(info.get("serverTime"))
    if theirs is None and isinstance(seen.answer, Answer) and (date := seen.answer.headers.get("Date")):
        theirs = parsedate_to_datetime(date)
    return (theirs - seen.at).total_seconds() if theirs else None


def _token_ends(tokens: Json) -> datetime | None:
    """Of the token that was used last, which is ours: it has just been used."""
    ours = max(tokens, key=lambda token: str(token.get("lastAccessed") or ""), default=None)
    return moment_of(ours.get("expiringAt")) if ours else None


def _about(shape: Json) -> About:
    return About(
        key=str(shape["key"]),
        name=str(shape["name"]),
        kind=str(shape.get("projectTypeKey") or "software"),
        team_managed=shape.get("style") == "next-gen" or bool(shape.get("simplified")),
        archived=bool(shape.get("archived")),
    )


def _keys(shape: Json) -> tuple[str, ...]:
    return tuple(str(each["key"]) for each in (shape["values"] if isinstance(shape, dict) else shape))


def _rights(pages: list[Json]) -> dict[str, bool]:
    return {str(name): bool(each["havePermission"]) for name, each in pages[0]["permissions"].items()}


def _kinds(pages: list[Json]) -> list[Json]:
    """The types that tickets can be created with."""
    kinds = [{"id": each["id"], "name": each["name"], **each} for page in pages for each in _listed(page)]
    return [each for each in kinds if not each.get("subtask")]


def _listed(page: Json) -> list[Json]:
    """Cloud calls the list by what is in it, Data Center `values`."""
    name = next((name for name in ("issueTypes", "fields") if name in page), "values")
    found: list[Json] = page[name]
    return found


def _values(pages: list[Json]) -> list[Json]:
    return [{"name": each["name"], **each} for page in pages for each in page["values"]]


def _people(pages: list[Json]) -> tuple[Person, ...]:
    """Everybody once."""
    return tuple({person.id: person for page in pages for person in people_of(page)}.values())


def _cut(book: _Book, *, cloud: bool) -> bool:
    """Cloud looks among the first thousand people of the site, Data Center gives a hundred."""
    if cloud:
        return bool(book.read("people beyond", lambda pages: bool(pages[0])))
    return bool(book.read("people", lambda pages: len(pages[0]) in CUTS))


def _stand(issue: Json, shape: Json) -> Stand:
    fields = issue["fields"]
    return Stand(
        key=str(issue["key"]),
        issue_type=str(fields["issuetype"]["name"]),
        status=str(fields["status"]["name"]),
        category=category_of(fields["status"]),
        ways=tuple(map(_way, shape["transitions"])),
    )


def _way(shape: Json) -> Way:
    fields = (field_of(each, name) for name, each in (shape.get("fields") or {}).items())
    return Way(
        to=str(shape["to"]["name"]),
        category=category_of(shape["to"]),
        demands=tuple(each for each in fields if each.required),
    )


def _upload_limit(shape: Json) -> int:
    return int(shape.get("uploadLimit") or 0) if shape.get("enabled", True) else 0


def _limits(seen: Sequence[Seen]) -> dict[str, str]:
    """The latest word of each header."""
    told: dict[str, str] = {}
    for each in seen:
        headers = {} if isinstance(each.answer, Lost) else each.answer.headers
        told |= {name: value for name, value in headers.items() if name.lower().startswith(_LIMITS)}
    return told
