"""JSON shapes that only the service desk API uses: its dates, pages, people and errors."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import Answer, Call, Handler, JiraError, Route
from triage_sandbox.jira.desk import desks
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import moment, stamp
from triage_sandbox.jira.shapes import Shape

DESK: Final = "/rest/servicedeskapi"
_MOST: Final = 100


class DeskError(JiraError):
    """A `JiraError` in the shape of the service desk API: one message."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(status, words)
        key = "sd.validation.error" if status == 400 else "sd.error"
        self.content = {"errorMessage": words, "i18nErrorMessage": {"i18nKey": key, "parameters": []}}


def spoken(method: str, path: str, handler: Handler, *, experimental: bool = False, team: bool = False) -> Route:
    """A line of a table of endpoints, whose errors are told as the service desk tells them.

    Data Center answers 412 where an interface is experimental and the client has not opted in. Where it is the
    team's, the path names a desk, and 403 is for all others.
    """

    def wrapped(call: Call) -> Answer:
        opted = call.request.headers.get("x-experimentalapi") in {"opt-in", "true"}
        if experimental and not call.site.cloud and not opted:
            raise DeskError(412, "This resource is experimental. Opt in by the header X-ExperimentalApi.")
        try:
            if team:
                desks.need_agent(call, desks.of_path(call)["project"])
            return handler(call)
        except DeskError:
            raise
        except JiraError as e:
            messages = [*e.content["errorMessages"], *(f"{name}: {words}" for name, words in e.errors.items())]
            raise DeskError(e.status, " ".join(messages)) from None

    return Route(method, f"{DESK}/{path}", wrapped)


def date(milliseconds: int) -> Shape:
    """Return a moment in the four formats of the service desk API."""
    when = moment(milliseconds)
    return {
        "iso8601": f"{when:%Y-%m-%dT%H:%M:%S}+0000",
        "jira": stamp(milliseconds),
        "friendly": f"{when:%d/%b/%y} {when.hour % 12 or 12}:{when:%M} {'AM' if when.hour < 12 else 'PM'}",
        "epochMillis": milliseconds,
    }


def person(call: Call, row: Row) -> Shape:
    body = shapes.person(call, row)
    links = {"jiraRest": body["self"], "avatarUrls": body["avatarUrls"], "self": body["self"]}
    kept = ("accountId", "name", "key", "emailAddress", "displayName", "active", "timeZone")
    return {name: body[name] for name in kept if name in body} | {"_links": links}


def address(call: Call, tail: str) -> str:
    """Return the URL of a path below the service desk API."""
    return f"{call.base}{DESK}/{tail}"


def paged(call: Call, rows: Sequence[Any], shown: Callable[[Call, Any], Any], expands: Iterable[str] = ()) -> Shape:
    """Return a page by `start` and `limit`."""
    start, limit = max(0, call.number("start", 0)), max(1, min(call.number("limit", 50), _MOST))
    values = [shown(call, row) for row in rows[start : start + limit]]
    last = start + limit >= len(rows)
    here = f"{call.base}{call.request.scope['path'].removeprefix(call.request.scope.get('root_path', ''))}"
    links = {"self": here, "base": call.base, "context": ""}
    links |= {} if last else {"next": f"{here}?limit={limit}&start={start + limit}"}
    links |= {"prev": f"{here}?limit={limit}&start={max(0, start - limit)}"} if start else {}
    page = {"size": len(values), "start": start, "limit": limit, "isLastPage": last}
    return {"_expands": list(expands), **page, "_links": links, "values": values}
