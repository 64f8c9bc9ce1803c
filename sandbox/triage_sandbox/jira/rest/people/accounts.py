"""Endpoints for accounts and the caller's preferences; administrators create and delete accounts."""

import secrets
import sqlite3
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, USER_KEY, Answer, Call, JiraError, Route, must, says
from triage_sandbox.jira.ground import identity
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import properties
from triage_sandbox.jira.rest.people import groups
from triage_sandbox.jira.shapes import Shape

_UNKNOWN: Final = "Specified user does not exist or you do not have required permissions"
_PRODUCT: Final = {"key": "jira-software", "name": "Jira Software"}


def _one(call: Call) -> Row:
    """Somebody by accountId (Cloud), by name or key (Server)."""
    cloud = call.site.cloud
    if cloud and {"username", "key"} & call.request.query_params.keys():
        raise JiraError(400, "The query parameter 'username' is not supported in GDPR strict mode.")
    reference = call.query("accountId") if cloud else call.query("username") or call.query("key")
    if not reference:
        need = "'accountId' query parameter needs" if cloud else "username or key query parameters need"
        raise JiraError(400, f"Either the {need} to be provided")
    return must(call.account(reference), _UNKNOWN if cloud else f"The user named '{reference}' does not exist")


def _whole(call: Call, row: Row) -> Shape:
    """Somebody with their groups and products: how many always, which ones only where they are expanded."""
    expand = call.listed("expand")
    mine = {"groups": groups.of_account(call, row["id"]), "applicationRoles": [_PRODUCT]}
    lists = {name: {"size": len(items), "items": items if name in expand else []} for name, items in mine.items()}
    locale = {} if call.site.cloud and row["id"] != call.me else {"locale": "en_GB"}
    return shapes.person(call, row) | locale | lists | {"expand": "groups,applicationRoles"}


def one(call: Call) -> Answer:
    row = _one(call)
    if not call.may("USER_PICKER") and row["id"] != call.me:
        raise JiraError(403, "You do not have permission to browse users.")
    return Answer(_whole(call, row))


def myself(call: Call) -> Answer:
    return Answer(_whole(call, call.entry("account", call.me)))


def several(call: Call) -> Answer:
    """Return a page of accounts by id; unknown ones are left out."""
    ids = call.request.query_params.getlist("accountId")
    if not ids:
        raise JiraError(400, "The 'accountId' query parameter needs to be provided")
    return Answer(call.page(call.db.of_ids("account", ids), shapes.person, 10))


def migration(call: Call) -> Answer:
    """Return the accountIds of people by user name or key."""
    sql = f"SELECT * FROM account WHERE name = ?1 OR '{USER_KEY}' || number = ?1"
    found = (call.db.one(sql, name) for name in (*call.listed("username"), *call.listed("key")))
    rows = [row for row in found if row is not None]
    return Answer([{"username": row["name"], "key": shapes.user_key(row), "accountId": row["id"]} for row in rows])


def groups_of(call: Call) -> Answer:
    return Answer(groups.of_account(call, _one(call)["id"]))


def create(call: Call) -> Answer:
    data = call.object()
    email, shown = str(data.get("emailAddress") or ""), str(data.get("displayName") or "")
    name = str(data.get("name") or (email if call.site.cloud else ""))
    _check_new(call, name, email, shown)
    account = identity.add_account(call.db, name, email=email, shown=shown)
    secret = str(data.get("password") or secrets.token_urlsafe())
    call.db.insert("secret", {"account": account, "value": secret})
    return Answer(_whole(call, call.entry("account", account)), 201)


def _check_new(call: Call, name: str, email: str, shown: str) -> None:
    errors = {} if "@" in email else {"emailAddress": "You must specify a valid email address."}
    if not call.site.cloud:
        errors |= {} if name else {"name": "You must specify a username."}
        errors |= {} if shown else {"displayName": "You must specify a full name."}
    if call.db.one("SELECT 1 FROM account WHERE name = ?1 OR id = ?2", name, identity.account_id(name)):
        errors["username"] = "A user with that username already exists."
    if errors:
        raise JiraError(400, errors=errors)


def delete(call: Call) -> Answer:
    """Delete an account. Of one that owns something Data Center refuses that, and Cloud keeps a former user."""
    row = _one(call)
    try:
        call.db.run("DELETE FROM account WHERE id = ?", row["id"])
    except sqlite3.IntegrityError:
        if not call.site.cloud:
            words = f"Cannot delete user '{row['name']}' because there are issues, comments or components of theirs."
            raise JiraError(400, errors={"username": words}) from None
        former: dict[str, Any] = {"shown": "Former user", "active": False, "email": "", "email_visible": False}
        call.db.update("account", row["id"], former)
    return DONE


# --- preferences ------------------------------------------------------------------------------

_LIKED: Final = "preference"


def preference(call: Call) -> Answer:
    """Return a preference of the caller as a bare JSON string."""
    return Answer(_preference(call))


def prefer(call: Call) -> Answer:
    """Set a preference. Jira keeps strings; another JSON value is kept as its text."""
    value = call.json()
    text = value if isinstance(value, str) else call.raw.decode("utf-8", "replace")
    properties.put(call.db, _LIKED, call.entry("account", call.me)["number"], _key(call), text)
    return DONE


def unprefer(call: Call) -> Answer:
    _preference(call)
    mine = call.entry("account", call.me)["number"]
    call.db.run("DELETE FROM property WHERE entity = ? AND owner = ? AND key = ?", _LIKED, mine, _key(call))
    return DONE


def _preference(call: Call) -> Any:
    key = _key(call)
    value = properties.value(call.db, _LIKED, call.entry("account", call.me)["number"], key)
    return must(value, f"The preference with key '{key}' was not found.")


def _key(call: Call) -> str:
    return must(call.query("key") or None, "The key of the preference is not provided.")


def address(call: Call) -> Answer:
    """Refuse the address: only approved apps get it, and this site has none."""
    raise JiraError(400, f"The calling app is not approved to use {call.request.url.path}.")


ROUTES: Final = (
    Route("GET", f"{API}/myself", myself),
    Route("GET", f"{API}/mypreferences", preference),
    Route("PUT", f"{API}/mypreferences", prefer),
    Route("DELETE", f"{API}/mypreferences", unprefer),
    Route("GET", f"{API}/mypreferences/locale", says({"locale": "en_GB"})),
    Route("GET", f"{API}/user", one),
    Route("POST", f"{API}/user", create, need="ADMINISTER"),
    Route("DELETE", f"{API}/user", delete, need="ADMINISTER"),
    Route("GET", f"{API}/user/bulk", several, only="cloud"),
    Route("GET", f"{API}/user/bulk/migration", migration, only="cloud"),
    Route("GET", f"{API}/user/email", address, only="cloud"),
    Route("GET", f"{API}/user/email/bulk", address, only="cloud"),
    Route("GET", f"{API}/user/groups", groups_of),
)
