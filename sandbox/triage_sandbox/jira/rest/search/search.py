"""Endpoints that search by JQL: Cloud's enhanced search, the classic search, and counts."""

from collections.abc import Collection
from typing import Any, Final

from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, items_of, whole
from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.ground.stamps import moment
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.search import NOTHING, Search, search
from triage_sandbox.jira.jql.syntax import JqlError
from triage_sandbox.jira.jql.tokens import bare
from triage_sandbox.jira.rest.issues.issue import names_of, rendered, schemas_of
from triage_sandbox.jira.rest.tokens import offset_of, token_of
from triage_sandbox.jira.shapes import Shape

MOST_IDS: Final = 5000
MOST_ISSUES: Final = 100
"""Cloud gives smaller pages once it has to read more than ids and keys."""
MOST_CLASSIC: Final = 1000
RECONCILE_LIMIT: Final = 50
PROPERTIES_LIMIT: Final = 5
_LIGHT: Final = frozenset({"id", "key"})


def _asked(call: Call) -> dict[str, Any]:
    """The parameters, from the body of a POST or the query of a GET, as one shape."""
    if call.request.method == "POST":
        data = call.object()
        expand = data.get("expand") or ""  # Cloud takes a string here, Server a list
        split = [part.strip() for part in expand.split(",")] if isinstance(expand, str) else items_of(data, "expand")
        lists = {name: _listed(data, name) for name in ("fields", "properties", "reconcileIssues")}
        return {**data, **lists, "expand": [str(part) for part in split if part]}
    lists = {name: call.listed(name) for name in ("fields", "expand", "properties", "reconcileIssues")}
    return {**call.request.query_params, **lists}


def _listed(data: dict[str, Any], name: str) -> list[Any]:
    """A list; the `jira` package sends a string where it holds one property."""
    value = data.get(name)
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else items_of(data, name)


def plan_of(call: Call, jql: Any, asker: Asker) -> Search:
    """Compile a query. Raises `JiraError` 400 with Jira's message."""
    text = "" if jql is None else str(jql)
    try:
        return search(text, asker)
    except JqlError as e:
        if call.site.cloud and bare(text):
            return NOTHING  # seen on real sites: words without any operator find nothing and are no error
        raise JiraError(400, str(e)) from None


def asker_of(call: Call, reconciled: Collection[int] = ()) -> Asker:
    """Return the caller of a search, with the issues to show although the index lags (`reconcileIssues`)."""
    me = None if call.user is None else str(call.user["id"])
    now = call.site.now()
    hidden = call.site.lag.hidden(call.db, now) - set(reconciled) if call.site.lag else ()
    seen, cleared = _rights(call, me)
    return Asker(call.db, me, moment(now), call.site.cloud, seen, cleared, hidden)


def _rights(call: Call, me: str | None) -> tuple[set[int] | None, set[int] | None]:
    """The projects whose issues the caller sees, and where also those with a level; None: everywhere."""
    if me is None:
        return None, None
    seen = permissions.projects_with(call.db, me, "BROWSE_PROJECTS")
    everywhere = len(seen) == call.db.value("SELECT count(*) FROM project")
    levels = call.db.one("SELECT 1 FROM security_level") is not None
    cleared = permissions.projects_with(call.db, me, "SET_ISSUE_SECURITY") if levels else None
    return None if everywhere else seen, cleared


def _bounded(call: Call, jql: Any, asker: Asker) -> Search:
    plan = plan_of(call, jql, asker)
    if not plan.bounded:
        raise JiraError(
            400, "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
        )
    return plan


def enhanced(call: Call) -> Answer:
    """Search as Cloud does: pages by token, without a total."""
    data = _asked(call)
    asker = asker_of(call, _reconciled(data))
    if len(data["properties"]) > PROPERTIES_LIMIT:
        raise JiraError(400, f"The number of properties to return must not exceed {PROPERTIES_LIMIT}.")
    plan = _bounded(call, data.get("jql"), asker)
    names = [str(name) for name in data["fields"]] or ["id"]
    largest = MOST_IDS if set(names) <= _LIGHT and not data["expand"] else MOST_ISSUES
    most = max(1, min(whole(data.get("maxResults"), "maxResults", 50), largest))
    asked = str(data.get("jql"))
    start = offset_of(asked, str(data.get("nextPageToken") or ""))
    found = plan.ids(asker, most + 1, start)
    ids = found[:most]
    page: Shape = {
        "issues": [{"id": str(issue)} for issue in ids] if names == ["id"] else _shown(call, ids, names, data)
    }
    page |= _described(call, names, data)
    if call.request.scope.get("repeat_token"):  # a fault seen on real sites: the same page for ever
        return Answer(page | {"nextPageToken": token_of(asked, start), "isLast": False})
    if len(found) > most:
        return Answer(page | {"nextPageToken": token_of(asked, start + most), "isLast": False})
    return Answer(page | {"isLast": True})


def _reconciled(data: dict[str, Any]) -> set[int]:
    """The issues that the caller knows to be there."""
    sent = data["reconcileIssues"]
    if len(sent) > RECONCILE_LIMIT:
        raise JiraError(400, f"The number of issues to reconcile must not exceed {RECONCILE_LIMIT}.")
    return {whole(issue, "reconcileIssues", 0) for issue in sent}


def _described(call: Call, names: list[str], data: dict[str, Any]) -> Shape:
    """`expand=names,schema` of a whole page stands beside its issues."""
    chosen = fields.wanted(call, names, "*navigable")
    both = {"names": names_of, "schema": schemas_of}
    return {name: shape(chosen) for name, shape in both.items() if name in data["expand"]}


def _shown(call: Call, ids: list[int], names: list[str], data: dict[str, Any]) -> list[Shape]:
    """The issues in the order in which they were found."""
    chosen = fields.wanted(call, names, "*navigable")
    expand = [part for part in data["expand"] if part not in {"names", "schema"}]
    properties = [str(name) for name in data["properties"]]
    page = Issues(call, call.db.of_ids("ticket", ids))
    return [rendered(page, row, chosen, expand, properties) for row in page.rows]


def classic(call: Call) -> Answer:
    """Search as Data Center does: by offset, with a total. Cloud answers 410."""
    if call.site.cloud:
        raise JiraError(
            410,
            "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full migration"
            " guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046",
        )
    data, asker = _asked(call), asker_of(call)
    start = max(0, whole(data.get("startAt"), "startAt", 0))
    most = max(0, min(whole(data.get("maxResults"), "maxResults", 50), MOST_CLASSIC))
    plan, warnings = _checked(call, data, asker)
    names = [str(name) for name in data["fields"]] or ["*navigable"]
    issues = _shown(call, plan.ids(asker, most, start), names, data)
    total = len(issues) if not start and len(issues) < most else plan.count(asker)
    page = {"startAt": start, "maxResults": most, "total": total, "issues": issues}
    return Answer({"expand": "names,schema", **page, **_described(call, names, data), **warnings})


def _checked(call: Call, data: dict[str, Any], asker: Asker) -> tuple[Search, Shape]:
    """The query; where the client does not want it validated, a wrong one finds nothing and warns."""
    try:
        return plan_of(call, data.get("jql"), asker), {}
    except JiraError as e:
        if str(data.get("validateQuery", "true")).casefold() not in {"false", "warn", "none"}:
            raise
        return NOTHING, {"warningMessages": e.content["errorMessages"]}


def count(call: Call) -> Answer:
    """Return the number of matches, which Cloud calls approximate and which is exact here."""
    asker = asker_of(call)
    return Answer({"count": _bounded(call, call.object().get("jql"), asker).count(asker)})


_SEARCH: Final = f"{API}/search"

ROUTES: Final = (
    Route("GET", f"{_SEARCH}/jql", enhanced, open=True, only="cloud"),
    Route("POST", f"{_SEARCH}/jql", enhanced, open=True, only="cloud"),
    Route("GET", _SEARCH, classic, open=True),
    Route("POST", _SEARCH, classic, open=True),
    Route("POST", f"{_SEARCH}/approximate-count", count, open=True, only="cloud"),
)
