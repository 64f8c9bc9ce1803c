"""Endpoints for the parts of a filter: shares, favourites, columns, owner."""

from typing import Final
from urllib.parse import parse_qs

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of, must
from triage_sandbox.jira.issue.fields.fields import visible
from triage_sandbox.jira.rest.search.filters import ONE, add_share, favour, of_path, own, shape
from triage_sandbox.jira.rest.search.filters import shares as shares_of


def star(call: Call) -> Answer:
    """Make the filter a favourite of the caller (PUT), or no longer (DELETE)."""
    row = of_path(call)
    favour(call, row["id"], wanted=call.request.method == "PUT")
    return Answer(shape(call, row))


def shares(call: Call) -> Answer:
    must(call.db.find("filter", id=call.part("filter")), "The filter does not exist.")
    return Answer(shares_of(call, of_path(call)))


def share(call: Call) -> Answer:
    row = own(call)
    add_share(call, row["id"], call.object())
    return Answer(shares_of(call, row), 201)


def one_share(call: Call) -> Answer:
    for each in shares_of(call, of_path(call)):
        if str(each["id"]) == call.part("share"):
            return Answer(each)
    raise JiraError(404, "The share permission does not exist.")


def unshare(call: Call) -> Answer:
    """Delete a share permission."""
    own(call)
    one_share(call)
    call.db.run("DELETE FROM share WHERE id = ?", call.part("share"))
    return DONE


def columns(call: Call) -> Answer:
    """Return the columns of a filter. Raises `JiraError` 404 if it has none of its own."""
    row = of_path(call)
    if not row["columns"]:
        raise JiraError(404, "No columns are set for this filter.")
    names = {field.id: field.name for field in visible(call)}
    return Answer([{"label": names.get(name, "Key"), "value": name} for name in row["columns"].split()])


def set_columns(call: Call) -> Answer:
    """Set the columns of a filter, sent as a form or as JSON."""
    row = own(call)
    if call.request.headers.get("content-type", "").startswith("application/json"):
        sent = [str(name) for name in items_of(call.object(), "columns")]
    else:
        sent = parse_qs(call.raw.decode(errors="replace")).get("columns", [])
    known = {field.id for field in visible(call)} | {"issuekey"}
    if unknown := [name for name in sent if name not in known]:
        raise JiraError(400, f"The field '{unknown[0]}' cannot be shown as a column.")
    call.db.run("UPDATE filter SET columns = ? WHERE id = ?", " ".join(sent), row["id"])
    return Answer(b"")


def reset_columns(call: Call) -> Answer:
    """Remove a filter's own columns."""
    call.db.run("UPDATE filter SET columns = '' WHERE id = ?", own(call)["id"])
    return DONE


def give(call: Call) -> Answer:
    """Change the owner, who must not have a filter of this name."""
    row, owner = own(call), call.account_of(call.object())
    if owner is None:
        raise JiraError(404, "The user does not exist.")
    same = "SELECT 1 FROM filter WHERE owner = ? AND name = ? AND id != ?"
    if call.db.one(same, owner["id"], row["name"], row["id"]) is not None:
        raise JiraError(400, "The new owner has a filter with the same name.")
    call.db.run("UPDATE filter SET owner = ? WHERE id = ?", owner["id"], row["id"])
    return DONE


ROUTES: Final = (
    Route("PUT", f"{ONE}/favourite", star, only="cloud"),
    Route("DELETE", f"{ONE}/favourite", star, only="cloud"),
    Route("GET", f"{ONE}/permission", shares),
    Route("POST", f"{ONE}/permission", share),
    Route("GET", f"{ONE}/permission/{{share}}", one_share),
    Route("DELETE", f"{ONE}/permission/{{share}}", unshare),
    Route("GET", f"{ONE}/columns", columns),
    Route("PUT", f"{ONE}/columns", set_columns),
    Route("DELETE", f"{ONE}/columns", reset_columns),
    Route("PUT", f"{ONE}/owner", give, only="cloud"),
)
