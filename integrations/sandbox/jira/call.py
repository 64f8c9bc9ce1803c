"""One request on its way to a handler, and the answer on its way back."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from integrations.sandbox.jira.database import Database, Row
from integrations.sandbox.jira.site import Site

GONE: Final = "Issue does not exist or you do not have permission to see it."
_LARGEST: Final = 2**31 - 1
LOGIN_FAILED: Final = {"X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}


class JiraError(Exception):
    """What Jira says when it says no."""

    def __init__(self, status: int, *messages: str, errors: Mapping[str, str] | None = None) -> None:
        super().__init__(status, messages, errors)
        self.status = status
        self.content = {"errorMessages": list(messages), "errors": dict(errors or {})}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a handler gives back."""

    content: Any = None
    """JSON; bytes go out as they are."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, extra: Mapping[str, str]) -> Response:
        """As HTTP."""
        headers = {**self.headers, **extra}
        if self.status == 204:
            return Response(status_code=204, headers=headers)
        if isinstance(self.content, bytes):
            return Response(self.content, self.status, headers)
        text = json.dumps(self.content, ensure_ascii=False, separators=(",", ":"), default=str)
        return Response(text, self.status, headers, "application/json;charset=UTF-8")


DONE: Final = Answer(status=204)


@dataclass(slots=True)
class Call:
    """What a handler may ask of a request."""

    site: Site
    request: Request
    raw: bytes
    base: str
    """The site's address, without a slash at the end."""
    version: str
    """2 or 3."""
    user: Row | None
    """Who asks; None where nobody we know does."""

    @property
    def db(self) -> Database:
        """The data."""
        return self.site.db

    @property
    def me(self) -> str:
        """The account that asks; endpoints that are not open are never reached by strangers."""
        assert self.user is not None  # noqa: S101 - see above
        return str(self.user["id"])

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        """A parameter of the query string."""
        return self.request.query_params.get(name, default)

    def listed(self, name: str) -> list[str]:
        """A parameter that may be repeated, or hold several values with commas between."""
        values = self.request.query_params.getlist(name)
        return [part.strip() for value in values for part in value.split(",") if part.strip()]

    def number(self, name: str, default: int) -> int:
        """A parameter that is a whole number."""
        return whole(self.query(name), name, default)

    def json(self) -> Any:
        """The body. 400 where it is no JSON."""
        try:
            return json.loads(self.raw)
        except (ValueError, RecursionError):
            raise JiraError(400, "There was an error parsing JSON. Check that your request body is valid.") from None

    def object(self) -> dict[str, Any]:
        """The body, which must be an object."""
        body = self.json()
        if not isinstance(body, dict):
            raise JiraError(400, "Invalid request payload. Refer to the REST API documentation and try again.")
        return body

    def only_cloud(self) -> None:
        """404 on Server, as for an address that it has never heard of."""
        if not self.site.cloud:
            raise JiraError(404, f"null for uri: {self.request.url}")

    def url(self, tail: str) -> str:
        """An address of this API in the version that was asked."""
        return f"{self.base}/rest/api/{self.version}/{tail}"

    def project(self, key_or_id: str) -> Row:
        """A project. 404 where there is none, or nobody we know asks."""
        row = self.db.one("SELECT * FROM project WHERE key = ? OR id = ?", key_or_id, key_or_id)
        if row is None or self.user is None:
            raise JiraError(404, f"No project could be found with key '{key_or_id}'.")
        return row

    def issue(self, key_or_id: str) -> Row:
        """An issue. 404 where there is none, or nobody we know asks."""
        row = find_issue(self.db, key_or_id)
        if row is None or self.user is None:
            raise JiraError(404, GONE if self.site.cloud else "Issue Does Not Exist")
        return row


Handler = Callable[[Call], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """One line of a table of endpoints."""

    method: str
    path: str
    handler: Handler
    open: bool = False
    """Answers strangers too, with what strangers may see."""


def find_issue(db: Database, key_or_id: str) -> Row | None:
    """By `HARB-42` or by id."""
    if key_or_id.isdecimal():
        return db.one("SELECT * FROM ticket WHERE id = ?", int(key_or_id[:18]))
    key, _, number = key_or_id.rpartition("-")
    if not number.isdecimal():
        return None
    sql = "SELECT * FROM ticket WHERE project = (SELECT id FROM project WHERE key = ?) AND number = ?"
    return db.one(sql, key, int(number[:18]))


def whole(value: Any, name: str, default: int) -> int:
    """A number that a client sent; 400 for what is none."""
    if value is None or value == "":
        return default
    try:
        return max(-_LARGEST, min(int(value), _LARGEST))
    except (TypeError, ValueError, OverflowError):
        raise JiraError(400, f"The value '{value}' of '{name}' is not a whole number.") from None


def items_of(data: dict[str, Any], name: str) -> list[Any]:
    """A list inside a body, empty where it was not sent; 400 for what is no list."""
    items = data.get(name) or []
    if not isinstance(items, list):
        raise JiraError(400, f"'{name}' must be an array.")
    return items


def caller(site: Site, authorization: str) -> Row | None:
    """The account behind an Authorization header, None where it proves nothing."""
    name, secret = _credentials(authorization)
    if not site.strict:
        return _account(site.db, name) or _account(site.db, site.bot)
    if not secret:
        return None
    if name:
        account = _account(site.db, name)
        return account if account is not None and secret in _secrets(site, account) else None
    owner = next((user for user, known in site.users.items() if known == secret), "")
    return _account(site.db, owner)


def _credentials(authorization: str) -> tuple[str, str]:
    """Name and secret of Basic, no name and the token of Bearer."""
    scheme, _, rest = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return "", rest.strip()
    try:
        name, _, secret = base64.b64decode(rest, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return name, secret


def _account(db: Database, name: str) -> Row | None:
    return db.one("SELECT * FROM account WHERE (name = ? OR email = ?) AND active", name, name)


def _secrets(site: Site, account: Row) -> set[str]:
    return {site.users[name] for name in (account["name"], account["email"]) if name in site.users}
