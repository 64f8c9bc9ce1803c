"""One API request as handlers see it (`Call`), and the answer or error that they return."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from triage_sandbox.jira.ground import permissions, tickets
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.site import Site

T = TypeVar("T")

API: Final = "/rest/api/{version}"
"""Where the platform's own interface stands."""
GONE: Final = "Issue does not exist or you do not have permission to see it."
USER_KEY: Final = "JIRAUSER"
"""How the keys of users begin, by which Data Center knows them behind the scenes."""
_LARGEST: Final = 2**31 - 1


class JiraError(Exception):
    """An error response: status, and Jira's messages."""

    def __init__(self, status: int, *messages: str, errors: Mapping[str, str] | None = None) -> None:
        super().__init__(status, messages, errors)
        self.status = status
        self.errors = dict(errors or {})
        self.content = {"errorMessages": list(messages), "errors": self.errors}


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of a handler: status, JSON body, headers."""

    content: Any = None
    """JSON; bytes go out as they are."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, extra: Mapping[str, str]) -> Response:
        headers = {**self.headers, **extra}
        if self.status == 204:
            return Response(status_code=204, headers=headers)
        if isinstance(self.content, bytes):
            return Response(self.content, self.status, headers)
        text = json.dumps(self.content, ensure_ascii=False, separators=(",", ":"), default=str)
        # An error may echo half a surrogate pair that the client sent.
        return Response(text.encode(errors="replace"), self.status, headers, "application/json;charset=UTF-8")


DONE: Final = Answer(status=204)


@dataclass(slots=True)
class Call:
    """The request as handlers see it: database, caller, path, query and body."""

    site: Site
    request: Request
    raw: bytes
    base: str
    """The address that the API is asked at, without a slash at the end: the site's own, or the gateway's."""
    version: str
    """2 or 3."""
    user: Row | None
    """Who asks; None where nobody we know does."""

    home: str = ""
    """The site's own address, where people open it."""

    @property
    def db(self) -> Database:
        return self.site.db

    @property
    def me(self) -> str:
        """The account of the caller; handlers that are not open are never reached without one."""
        assert self.user is not None  # noqa: S101 - see above
        return str(self.user["id"])

    def part(self, name: str) -> str:
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        return self.request.query_params.get(name, default)

    def listed(self, name: str) -> list[str]:
        """Return the values of a parameter that may be repeated or hold several values with commas between."""
        values = self.request.query_params.getlist(name)
        return [part.strip() for value in values for part in value.split(",") if part.strip()]

    def number(self, name: str, default: int) -> int:
        """Return a parameter as an integer."""
        return whole(self.query(name), name, default)

    def json(self) -> Any:
        """Return the body. Raises `JiraError` 400 if it is no JSON."""
        try:
            return json.loads(self.raw)
        except (ValueError, RecursionError):
            raise JiraError(400, "There was an error parsing JSON. Check that your request body is valid.") from None

    def object(self) -> dict[str, Any]:
        """Return the body, which must be an object. Raises `JiraError` 400."""
        return object_of(self.json())

    def unheard_of(self) -> JiraError:
        """Return Jira's error for a path that does not exist."""
        return JiraError(404, f"null for uri: {self.request.url}")

    def url(self, tail: str) -> str:
        """Return the URL of a path below this API, in the version of the request."""
        return f"{self.base}/rest/api/{self.version}/{tail}"

    def entry(self, table: str, key: Any, missing: str = "", **owner: Any) -> Row:
        """A row by its id, and by the columns that say whose it is.

        `missing` are Jira's words where there is none, with braces for the id.
        """
        words = missing or f"The {table.replace('_', ' ')} with id '{{}}' does not exist"
        return must(self.db.find(table, id=key, **owner), words.format(key))

    def account(self, reference: Any) -> Row | None:
        """Return an account by the id that clients of this deployment use: an accountId on Cloud, a name or key on Data Center."""
        if self.site.cloud:
            return self.db.find("account", id=str(reference))
        return self.db.one(f"SELECT * FROM account WHERE name = ?1 OR '{USER_KEY}' || number = ?1", str(reference))

    def account_of(self, sent: Any) -> Row | None:
        """Return the account that an object in a body names."""
        names = ("accountId", "id") if self.site.cloud else ("name", "key")
        found = [sent[name] for name in names if sent.get(name)] if isinstance(sent, dict) else []
        return self.account(found[0]) if found else None

    def chosen(self, table: str, sent: Any, **owner: Any) -> Row | None:
        """Return the row that an object in a body names by id or name, among those of `owner` if one is given."""
        if not isinstance(sent, dict):
            return None
        by = "id" if "id" in sent else "name"
        return self.db.find(table, **{by: str(sent.get(by))}, **owner)

    def project(self, key_or_id: str | None = None) -> Row:
        """Return a project, by default that of the path. Raises `JiraError` 404 if there is none that the caller may see."""
        key_or_id = self.part("key") if key_or_id is None else key_or_id
        # Cloud takes a key as it is written, Data Center in any case.
        exactly = " COLLATE BINARY" if self.site.cloud else ""
        row = self.db.one(f"SELECT * FROM project WHERE key = ?1{exactly} OR id = ?1", key_or_id)
        if row is None or not self.may("BROWSE_PROJECTS", row["id"]):
            raise JiraError(404, f"No project could be found with key '{key_or_id}'.")
        return row

    def issue(self, key_or_id: str | None = None) -> Row:
        """Return an issue, by default that of the path. Raises `JiraError` 404 if there is none that the caller may see."""
        row = self.seen(self.part("key") if key_or_id is None else key_or_id)
        return must(row, GONE if self.site.cloud else "Issue Does Not Exist")

    def seen(self, key_or_id: str) -> Row | None:
        """Return an issue; None if there is none, or if the caller may not see it."""
        row = tickets.find(self.db, key_or_id)
        if row is None or not self.may("BROWSE_PROJECTS", row["project"]):
            return None
        near = row["security"] is None or self.me in {row["reporter"], row["assignee"]}
        return row if near or self.may("SET_ISSUE_SECURITY", row["project"]) else None

    def may(self, permission: str, project: int | None = None) -> bool:
        """Tell whether the caller has a permission, in a project or (global permissions) on the site."""
        if self.user is None:
            return False
        if project is None:
            return permissions.holds_globally(self.db, self.me, permission)
        return permissions.holds(self.db, self.me, permission, project)

    def need(self, permission: str, project: int | None = None) -> None:
        """Raise Jira's error unless the caller has the permission."""
        if self.may(permission, project):
            return
        refusal = permissions.REFUSALS.get(permission, permissions.FALLBACK)
        status = refusal.cloud if self.site.cloud else refusal.server
        if refusal.field:
            raise JiraError(status, errors={refusal.field: refusal.words})
        raise JiraError(status, refusal.words)

    def cut(self, most: int = 50, largest: int = _LARGEST, least: int = 0) -> tuple[int, int]:
        """Return offset and size of the requested page; `most` is the default size."""
        return max(0, self.number("startAt", 0)), max(least, min(self.number("maxResults", most), largest))

    def numbered(
        self, name: str, rows: Sequence[T], shape: Callable[["Call", T], Any], most: int = 50, largest: int = _LARGEST
    ) -> dict[str, Any]:
        """Return a page under a name of its own, with offset and total only."""
        start, count = self.cut(most, largest)
        shown = [shape(self, row) for row in rows[start : start + count]]
        return {"maxResults": count, "startAt": start, "total": len(rows), name: shown}

    def bare_page(
        self, rows: Sequence[T], shape: Callable[["Call", T], Any], most: int = 50, largest: int = _LARGEST
    ) -> dict[str, Any]:
        """Return a page without links to other pages."""
        page = self.numbered("values", rows, shape, most, largest)
        return page | {"isLast": page["startAt"] + page["maxResults"] >= len(rows)}

    def page(self, rows: Sequence[T], shape: Callable[["Call", T], Any], most: int = 50) -> dict[str, Any]:
        """Return a page as most of Jira's lists have it, with the link to the next one."""
        page = self.bare_page(rows, shape, most)
        start, count, last = page["startAt"], page["maxResults"], page["isLast"]
        here = f"{self.base}{self.request.scope['path'].removeprefix(self.request.scope['root_path'])}"
        asked = self.request.url.remove_query_params(["startAt", "maxResults"]).query
        addresses = [f"{here}?{asked and asked + '&'}maxResults={count}&startAt={at}" for at in (start, start + count)]
        return {"self": addresses[0], **({} if last else {"nextPage": addresses[1]}), **page}


Handler = Callable[[Call], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """One row of a table of endpoints: method, path, handler, rights."""

    method: str
    path: str
    handler: Handler
    open: bool = False
    """Answers strangers too, with what strangers may see."""
    only: str = ""
    """The one deployment that has it; the other has never heard of the address."""
    need: str = ""
    """A permission without which nobody gets any further; a project's own is needed in the project of the path."""

    def answer(self, call: Call) -> Answer:
        """Run the handler if the caller may; return its response."""
        if self.only and self.only != call.site.deployment:
            raise call.unheard_of()
        if self.need in permissions.PROJECT:
            call.need(self.need, call.issue()["project"] if "/issue/{key}" in self.path else call.project()["id"])
        elif self.need:
            call.need(self.need)
        return self.handler(call)


# --- handlers of few words --------------------------------------------------------------------

Shown = Callable[[Call, T], Any]
"""The shape of a kind of thing."""


def shows(shape: Shown[T], find: Callable[[Call], T]) -> Handler:
    """Return a handler that answers with the one object that `find` returns for the path."""
    return lambda call: Answer(shape(call, find(call)))


def lists(shape: Shown[T], rows: Callable[[Call], Iterable[T]], name: str = "") -> Handler:
    """Return a handler that answers with a whole list, under a name if one is given."""

    def handler(call: Call) -> Answer:
        shown = [shape(call, row) for row in rows(call)]
        return Answer({name: shown} if name else shown)

    return handler


def pages(shape: Shown[T], rows: Callable[[Call], Sequence[T]], most: int = 50) -> Handler:
    """Return a handler that answers with a page of a list."""
    return lambda call: Answer(call.page(rows(call), shape, most))


def says(content: Any) -> Handler:
    """Return a handler that always gives the same answer."""
    return lambda _: Answer(content)


# --- what clients send ------------------------------------------------------------------------


def must(value: T | None, words: str, status: int = 404) -> T:
    """Return the value. Raises `JiraError` with these words if it is missing."""
    if value is None:
        raise JiraError(status, words)
    return value


def whole(value: Any, name: str, default: int) -> int:
    """Convert a client's value to an integer. Raises `JiraError` 400."""
    if value is None or value == "":
        return default
    try:
        return max(-_LARGEST, min(int(value), _LARGEST))
    except (TypeError, ValueError, OverflowError):
        raise JiraError(400, f"The value '{value}' of '{name}' is not a whole number.") from None


def object_of(value: Any) -> dict[str, Any]:
    """Return a client's value, which must be an object. Raises `JiraError` 400."""
    if not isinstance(value, dict):
        raise JiraError(400, "Invalid request payload. Refer to the REST API documentation and try again.")
    return value


def items_of(data: dict[str, Any], name: str) -> list[Any]:
    """Return a list inside a body; empty if it was not sent. Raises `JiraError` 400 if it is no list."""
    items = data.get(name) or []
    if not isinstance(items, list):
        raise JiraError(400, f"'{name}' must be an array.")
    return items
