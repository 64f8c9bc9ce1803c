"""Endpoints for the customers of a service desk; the list of organizations is always empty."""

import re
from typing import Any, Final
from uuid import uuid4

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, items_of, must
from triage_sandbox.jira.desk.desks import of_path
from triage_sandbox.jira.desk.shapes import paged, person, spoken
from triage_sandbox.jira.seed.desks import AGENT


def new_customer(call: Call) -> Answer:
    """Create a customer account, which may only raise requests."""
    data = call.object()
    if not (call.may("ADMINISTER") or call.may(AGENT)):
        raise JiraError(403, "You do not have permission to create customers.")
    email = str(data.get("email") or "").strip()
    name = str(data.get("displayName") or data.get("fullName") or "").strip() or email
    if not re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", email):
        raise JiraError(400, "The email address is not valid.")
    if call.db.one("SELECT 1 FROM account WHERE email = ?1 OR name = ?1", email) is not None:
        raise JiraError(400, f"An account already exists for this email: {email}")
    account = f"qm:{uuid4()}" if call.site.cloud else f"customer-{uuid4().hex[:12]}"
    row = {"id": account, "name": email, "shown": name, "email": email, "email_visible": 1, "active": 1}
    call.db.insert("account", row | {"kind": "customer"})
    return Answer(person(call, call.entry("account", account)), 201)


def customers(call: Call) -> Answer:
    desk, asked = of_path(call), call.query("query").casefold()
    sql = "SELECT a.* FROM customer c JOIN account a ON a.id = c.account WHERE c.desk = ? ORDER BY a.shown"
    rows = [row for row in call.db.all(sql, desk["id"]) if asked in f"{row['shown']} {row['email']}".casefold()]
    return Answer(paged(call, rows, person))


def named(call: Call, data: dict[str, Any]) -> list[str]:
    """Return the accounts that a body lists by the deployment's ids."""
    found = []
    for name in items_of(data, "accountIds") or items_of(data, "usernames"):
        row = must(call.account(name), f"The user '{name}' does not exist.", 400)
        found.append(str(row["id"]))
    return found


def add_customers(call: Call) -> Answer:
    each_named(call, "INSERT OR IGNORE INTO customer (desk, account) VALUES (?, ?)", of_path(call)["id"])
    return DONE


def remove_customers(call: Call) -> Answer:
    each_named(call, "DELETE FROM customer WHERE desk = ? AND account = ?", of_path(call)["id"])
    return DONE


def each_named(call: Call, sql: str, owner: int) -> None:
    """Execute a statement with the owner's id and the account, for each account that the body lists."""
    for account in named(call, call.object()):
        call.db.run(sql, owner, account)


def organizations(call: Call) -> Answer:
    """Return an empty page: this site has no organizations."""
    if "desk" in call.request.path_params:
        of_path(call)
    return Answer(paged(call, [], person))


_DESK: Final = "servicedesk/{desk}"

ROUTES: Final = (
    spoken("POST", "customer", new_customer, experimental=True),
    spoken("GET", f"{_DESK}/customer", customers, experimental=True, team=True),
    spoken("POST", f"{_DESK}/customer", add_customers, team=True),
    spoken("DELETE", f"{_DESK}/customer", remove_customers, team=True),
    spoken("GET", "organization", organizations, experimental=True),
    spoken("GET", f"{_DESK}/organization", organizations, experimental=True),
)
