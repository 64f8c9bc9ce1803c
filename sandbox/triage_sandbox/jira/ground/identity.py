"""Authenticates a request by Basic, a personal access token or a session cookie, and finds its account."""

import base64
import binascii
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.requests import Request

from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.site import Site

COOKIE: Final = "JSESSIONID"
LOGIN_FAILED: Final = {"X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}
_NOBODY: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """An account that is created when a site starts, with its secret."""

    name: str
    """A user name or an address."""
    secret: str
    admin: bool = False
    scoped: bool = False
    """The secret opens the gateway's address only, as those of service accounts do."""


def identify(site: Site, request: Request) -> tuple[Row | None, Mapping[str, str]]:
    """Return the caller's account, and the header that tells a client that its credentials failed."""
    if request.scope.get("stranger"):
        return None, LOGIN_FAILED
    authorization, cookie = request.headers.get("authorization", ""), _cookie(request)
    if cookie in site.sessions and not authorization:
        return _account(site.db, site.sessions[cookie]), _NOBODY
    if not authorization and site.strict:
        return None, _NOBODY
    user = _by_header(site, authorization, gateway=bool(request.scope.get("gateway")))
    return user, LOGIN_FAILED if user is None else _NOBODY


def signed_in(site: Site, name: str, secret: str) -> Row | None:
    """Return the account of this name and secret, None if they do not match."""
    account = _account(site.db, name)
    if not site.strict:
        return account or _account(site.db, site.bot)
    if account is None or _secret(site, "account = ? AND value = ?", account["id"], secret, gateway=False) is None:
        return None
    return account


def open_session(site: Site, account: Row) -> str:
    """Start a session; return the value of its cookie."""
    value = secrets.token_hex(16).upper()
    site.sessions[value] = account["id"]
    return value


def close_session(site: Site, request: Request) -> None:
    site.sessions.pop(_cookie(request), None)


def _cookie(request: Request) -> str:
    try:
        found = SimpleCookie(request.headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _by_header(site: Site, authorization: str, *, gateway: bool) -> Row | None:
    name, secret = _credentials(authorization)
    if not site.strict:
        return _account(site.db, name) or _account(site.db, site.bot)
    if not secret:
        return None
    if not name:
        row = _secret(site, "value = ?", secret, gateway=gateway)
        return None if row is None else _account(site.db, row["account"])
    account = _account(site.db, name)
    if account is None:
        return None
    row = _secret(site, "account = ? AND value = ?", account["id"], secret, gateway=gateway)
    return None if row is None else account


def _secret(site: Site, where: str, *values: str, gateway: bool) -> Row | None:
    """A secret that is still good; using it is written down."""
    now = site.now()
    row = site.db.one(f"SELECT * FROM secret WHERE {where} AND (expires IS NULL OR expires > ?)", *values, now)
    if row is None or (row["scoped"] and not gateway):
        return None
    if row["name"] is not None:
        site.db.run("UPDATE secret SET used = ? WHERE id = ?", now, row["id"])
    return row


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
    sql = "SELECT * FROM account WHERE (id = ?1 OR name = ?1 OR email = ?1) AND active ORDER BY name = ?1 DESC"
    return db.one(sql, name)


# --- how accounts come to be ------------------------------------------------------------------


def admit(db: Database, login: Login) -> str:
    """Let an account in by this secret too; the account is created if there is none. Return its id."""
    row = db.one("SELECT * FROM account WHERE name = ?1 OR email = ?1", login.name)
    account = row["id"] if row is not None else add_account(db, login.name, admin=login.admin)
    if login.admin:
        permissions.enrol(db, account, admin=True)
    known = db.one("SELECT 1 FROM secret WHERE account = ? AND value = ?", account, login.secret)
    if known is None:
        db.insert("secret", {"account": account, "value": login.secret, "scoped": login.scoped})
    return str(account)


def add_account(db: Database, name: str, *, email: str = "", shown: str = "", admin: bool = False) -> str:
    """Create an account by user name or address; return its id, which follows from the name and is equal on all sites."""
    local = name.partition("@")[0]
    account = account_id(name)
    row = {
        "id": account,
        "name": name,
        "shown": shown or local,
        "email": email or (name if "@" in name else f"{name}@example.com"),
        "email_visible": True,
        "active": True,
        "kind": "atlassian",
    }
    db.insert("account", row)
    permissions.enrol(db, account, admin=admin)
    return account


def account_id(name: str) -> str:
    return sha256(name.casefold().encode()).hexdigest()[:24]
