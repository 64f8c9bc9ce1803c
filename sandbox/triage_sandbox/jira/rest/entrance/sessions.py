"""Endpoints for sessions and personal access tokens."""

import secrets
from datetime import UTC
from typing import Any, Final

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, must, whole
from triage_sandbox.jira.ground import identity
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import moment, stamp
from triage_sandbox.jira.shapes import Shape

_DAY: Final = 86_400_000
_STRANGER: Final = "You are not authenticated. Authentication required to perform this operation."


def _login_info(call: Call) -> Shape:
    return {"loginCount": 1, "previousLoginTime": stamp(call.site.started)}


def session(call: Call) -> Answer:
    """Return the caller's session, the older way to ask who the caller is."""
    if call.user is None:
        raise JiraError(401, _STRANGER)
    me = call.entry("account", call.me)
    name = me["email"] if call.site.cloud else me["name"]
    self = f"{call.base}/rest/api/latest/user?username={name}"
    return Answer({"self": self, "name": name, "loginInfo": _login_info(call)})


def login(call: Call) -> Answer:
    """Start a session for a name and password; sets the cookie."""
    data = call.object()
    account = identity.signed_in(call.site, str(data.get("username")), str(data.get("password")))
    value = identity.open_session(call.site, must(account, "Login failed", 401))
    cookie = f"{identity.COOKIE}={value}; Path={call.site.context_path or '/'}; HttpOnly"
    body = {"session": {"name": identity.COOKIE, "value": value}, "loginInfo": _login_info(call)}
    return Answer(body, headers={"set-cookie": cookie})


def logout(call: Call) -> Answer:
    if call.user is None:
        raise JiraError(401, _STRANGER)
    identity.close_session(call.site, call.request)
    return DONE


def drop_websudo(_: Call) -> Answer:
    """Answer 204: this site asks for no second password."""
    return DONE


# --- personal access tokens -------------------------------------------------------------------


def _token(row: Row) -> Shape:
    times = {"createdAt": row["created"], "lastAccessedAt": row["used"], "expiringAt": row["expires"]}
    shown = {name: moment(at).astimezone(UTC).isoformat(timespec="milliseconds") for name, at in times.items() if at}
    return {"id": row["id"], "name": row["name"], **shown}


def tokens(call: Call) -> Answer:
    """Return the caller's personal access tokens, without the tokens themselves."""
    sql = "SELECT * FROM secret WHERE account = ? AND name IS NOT NULL ORDER BY id"
    return Answer([_token(row) for row in call.db.all(sql, call.me)])


def create_token(call: Call) -> Answer:
    """Create a personal access token; only this answer shows it."""
    data: dict[str, Any] = call.object()
    name = str(data.get("name") or "").strip()
    days = whole(data.get("expirationDuration"), "expirationDuration", 0)
    if not name or days < 0:
        raise JiraError(400, "A token needs a name and a duration in days that is not negative.")
    now, value = call.site.now(), secrets.token_urlsafe(33)
    columns = {"account": call.me, "name": name, "value": value, "created": now}
    number = call.db.insert("secret", columns | {"expires": now + days * _DAY if days else None})
    return Answer(_token(call.entry("secret", number)) | {"rawToken": value}, 201)


def revoke_token(call: Call) -> Answer:
    sql = "DELETE FROM secret WHERE id = ? AND account = ? AND name IS NOT NULL RETURNING 1"
    if call.db.value(sql, call.part("id"), call.me) is None:
        raise JiraError(404, "The token does not exist.")
    return DONE


_TOKENS: Final = "/rest/pat/latest/tokens"

ROUTES: Final = (
    *(
        route
        for version in ("1", "latest")
        for route in (
            Route("GET", f"/rest/auth/{version}/session", session, open=True),
            Route("POST", f"/rest/auth/{version}/session", login, open=True),
            Route("DELETE", f"/rest/auth/{version}/session", logout, open=True),
            Route("DELETE", f"/rest/auth/{version}/websudo", drop_websudo),
        )
    ),
    Route("GET", _TOKENS, tokens, only="server"),
    Route("POST", _TOKENS, create_token, only="server"),
    Route("DELETE", f"{_TOKENS}/{{id}}", revoke_token, only="server"),
)
