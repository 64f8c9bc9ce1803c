"""Builds the four endpoints of properties for any resource that has them."""

from collections.abc import Callable
from functools import partial

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route
from triage_sandbox.jira.issue import properties

Owner = Callable[[Call], tuple[str, int, str]]
"""Whose properties the path means: kind, id, and the address below which they stand."""


def routes(path: str, owner: Owner, need: str = "") -> tuple[Route, ...]:
    """Return the routes of entity properties below a path; `need` is the permission to change them."""
    return (
        Route("GET", f"{path}/properties", partial(_keys, owner)),
        Route("GET", f"{path}/properties/{{property}}", partial(_one, owner)),
        Route("PUT", f"{path}/properties/{{property}}", partial(_put, owner), need=need),
        Route("DELETE", f"{path}/properties/{{property}}", partial(_delete, owner), need=need),
    )


def _keys(owner: Owner, call: Call) -> Answer:
    entity, number, self = owner(call)
    found = properties.listed(call.db, entity, number)
    return Answer({"keys": [{"self": f"{self}/properties/{item['key']}", "key": item["key"]} for item in found]})


def _one(owner: Owner, call: Call) -> Answer:
    key = call.part("property")
    known = {item["key"]: item for item in properties.listed(call.db, *owner(call)[:2])}
    if key not in known:
        raise _unknown(key)
    return Answer(known[key])


def _put(owner: Owner, call: Call) -> Answer:
    """Set one property: 201 where it is new, 200 where it was there."""
    entity, number, _ = owner(call)
    new = properties.put(call.db, entity, number, call.part("property"), call.json())
    return Answer(b"", 201 if new else 200)


def _delete(owner: Owner, call: Call) -> Answer:
    entity, number, _ = owner(call)
    key = call.part("property")
    sql = "DELETE FROM property WHERE entity = ? AND owner = ? AND key = ? RETURNING 1"
    if call.db.value(sql, entity, number, key) is None:
        raise _unknown(key)
    return DONE


def _unknown(key: str) -> JiraError:
    return JiraError(404, f"The property '{key}' does not exist.")
