"""Lists the issues of a board, its backlog, a sprint or an epic, by offset or by page token."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from triage_sandbox.jira.agile import boards
from triage_sandbox.jira.agile import sprints as sprints_over_rest
from triage_sandbox.jira.agile.boards import AGILE
from triage_sandbox.jira.call import Answer, Call, JiraError, Route
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import fields, reading, sprints
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.issue.page import Issues
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.parser import parse
from triage_sandbox.jira.jql.search import Search, planned
from triage_sandbox.jira.jql.syntax import Both, Condition, JqlError, Order, Query
from triage_sandbox.jira.rest.issues.issue import rendered
from triage_sandbox.jira.rest.search.search import asker_of
from triage_sandbox.jira.rest.tokens import offset_of, token_of
from triage_sandbox.jira.shapes import Shape

SOFTWARE: Final = "/rest/software/1.0"
"""The same lists on Cloud, which ask for the next page by token."""
_MOST: Final = 100
_BY_RANK: Final = (Order("Rank", "ASC"),)
_NOT_DONE: Final = "(SELECT category FROM status WHERE id = i.status) != 'done'"
_NOT_BEGUN: Final = "(SELECT category FROM status WHERE id = i.status) = 'new'"
_EPICS: Final = "SELECT e.id FROM issue e JOIN issue_type t ON t.id = e.type WHERE t.name = 'Epic'"
_NO_EPIC: Final = f"i.id NOT IN ({_EPICS})"


@dataclass(frozen=True, slots=True)
class Which:
    """Selects the tickets of a list: those that a board's filter finds, and SQL conditions on `issue i`."""

    saved: Condition | None = None
    sql: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()

    def also(self, sql: str, *values: Any) -> Self:
        """Return the selection with one more condition."""
        return replace(self, sql=(*self.sql, sql), values=(*self.values, *values))


def find_epic(call: Call, key_or_id: str) -> Row:
    """Return an epic by id or key. Raises `JiraError` 404 if it is none."""
    row = call.issue(key_or_id)
    if call.entry("issue_type", row["type"])["name"] != "Epic":
        raise JiraError(404, "The requested epic could not be found or you do not have permission to view it.")
    return row


def epic_of_path(call: Call) -> Row:
    return find_epic(call, call.part("epic"))


Lister = Callable[[Call], Which]


# --- which tickets ----------------------------------------------------------------------------


def _of_board(call: Call) -> Which:
    """What the board's filter finds; epics stand beside a scrum board, not on it."""
    board = boards.of_path(call)
    saved = Which(parse(call.db.value("SELECT jql FROM filter WHERE id = ?", board["filter"])).where)
    return saved.also(_NO_EPIC) if boards.plans(board) else saved


def _of_backlog(call: Call) -> Which:
    if not boards.plans(boards.of_path(call)):
        return _of_board(call).also(_NOT_BEGUN)
    return _of_board(call).also(_NOT_DONE).also("i.sprint IS NULL")


def _within(call: Call) -> Which:
    """All tickets, or those of the board that the path names."""
    return _of_board(call) if "board" in call.request.path_params else Which()


def _of_sprint(call: Call) -> Which:
    sprint = sprints_over_rest.of_path(call)["id"]
    return _within(call).also("i.id IN (SELECT issue FROM issue_sprint WHERE sprint = ?)", sprint)


def _of_epic(call: Call) -> Which:
    key = call.request.path_params.get("epic")
    if key is None:
        return _within(call).also(_NO_EPIC).also(f"(i.parent IS NULL OR i.parent NOT IN ({_EPICS}))")
    return _within(call).also("i.parent = ?", find_epic(call, key)["id"])


def _plan(call: Call, which: Which, asker: Asker) -> Search:
    """What the caller asks among them; by rank unless asked otherwise."""
    try:
        asked = parse(call.query("jql"))
        parts = tuple(part for part in (which.saved, asked.where) if part is not None)
        plan = planned(Query(Both("AND", parts) if parts else None, asked.order or _BY_RANK), asker)
    except JqlError as e:
        raise JiraError(400, str(e)) from None
    return replace(plan, where=" AND ".join((plan.where, *which.sql)), values=(*plan.values, *which.values))


# --- how they are shown -----------------------------------------------------------------------


def _current(page: Issues, row: Row) -> Shape | None:
    open_ones = [sprint for sprint in page.related("sprints", row) if sprint["state"] != "closed"]
    return sprints.shape(page.call, open_ones[0]) if open_ones else None


def _closed(page: Issues, row: Row) -> list[Shape] | None:
    return [
        sprints.shape(page.call, each) for each in page.related("sprints", row) if each["state"] == "closed"
    ] or None


def _epic(page: Issues, row: Row) -> Shape | None:
    return page.one("ticket", row["parent"], epic_of) or None


def epic_of(call: Call, row: Row) -> Shape:
    """Return a ticket as an epic, as boards show it; empty if it is no epic."""
    if call.entry("issue_type", row["type"])["name"] != "Epic":
        return {}
    known = call.db.one("SELECT color, done FROM epic WHERE issue = ?", row["id"])
    named = "SELECT v.value FROM custom_value v JOIN custom_field f ON f.id = v.field WHERE issue = ? AND kind = 'epic_name'"
    return {
        "id": row["id"],
        "key": row["key"],
        "self": f"{call.base}{AGILE}/epic/{row['id']}",
        "name": call.db.value(named, row["id"]) or row["summary"],
        "summary": row["summary"],
        "color": {"key": "color_1" if known is None else known["color"]},
        "done": known is not None and bool(known["done"]),
    }


_AGILE_FIELDS: Final = (
    Field("flagged", "Flagged", "boolean", "", reading.constant(value=False)),
    Field("sprint", "Sprint", "sprint", "", _current),
    Field("closedSprints", "Closed Sprints", "array of sprint", "", _closed),
    Field("epic", "Epic", "epic", "", _epic),
)
"""What boards show of every ticket beside its own fields."""


def _shown(call: Call, rows: Iterable[Row]) -> list[Shape]:
    asked = set(call.listed("fields"))
    every = not asked or bool(asked & {"*all", "*navigable"})
    own = tuple(each for each in _AGILE_FIELDS if f"-{each.id}" not in asked and (every or each.id in asked))
    chosen, page = (*fields.wanted(call, call.listed("fields"), "*navigable"), *own), Issues(call, rows)
    return [_one_shown(page, row, chosen) for row in page.rows]


def _one_shown(page: Issues, row: Row, chosen: tuple[Field, ...]) -> Shape:
    shown = rendered(page, row, chosen, page.call.listed("expand"))
    shown["self"] = f"{page.call.base}{AGILE}/issue/{row['id']}"
    if shown["fields"].get("closedSprints", ()) is None:
        del shown["fields"]["closedSprints"]
    return shown


def _listed(which: Lister) -> Callable[[Call], Answer]:
    """A page by number of place, with a total."""

    def handler(call: Call) -> Answer:
        asker = asker_of(call)
        plan = _plan(call, which(call), asker)
        start, most = call.cut(largest=_MOST)
        issues = _shown(call, call.db.of_ids("ticket", plan.ids(asker, most, start)))
        page = {"expand": "schema,names", "startAt": start, "maxResults": most, "total": plan.count(asker)}
        return Answer(page | {"issues": issues})

    return handler


def _followed(which: Lister) -> Callable[[Call], Answer]:
    """A page by token, without a total."""

    def handler(call: Call) -> Answer:
        asker, asked = asker_of(call), f"{call.request.url.path}?{call.query('jql')}"
        plan = _plan(call, which(call), asker)
        start = offset_of(asked, call.query("nextPageToken"))
        most = max(1, min(call.number("maxResults", 50), _MOST))
        found = plan.ids(asker, most + 1, start)
        page = {"expand": "schema,names", "issues": _shown(call, call.db.of_ids("ticket", found[:most]))}
        if len(found) > most:
            return Answer(page | {"nextPageToken": token_of(asked, start + most), "isLast": False})
        return Answer(page | {"isLast": True})

    return handler


def _counted(which: Lister) -> Callable[[Call], Answer]:
    def handler(call: Call) -> Answer:
        asker = asker_of(call)
        return Answer({"count": _plan(call, which(call), asker).count(asker)})

    return handler


def one(call: Call) -> Answer:
    """Return one ticket with its fields on boards."""
    return Answer(_shown(call, [call.issue()])[0])


_LISTS: Final[tuple[tuple[str, Lister], ...]] = (
    ("board/{board}/issue", _of_board),
    ("board/{board}/backlog", _of_backlog),
    ("board/{board}/sprint/{sprint}/issue", _of_sprint),
    ("board/{board}/epic/none/issue", _of_epic),
    ("board/{board}/epic/{epic}/issue", _of_epic),
    ("sprint/{sprint}/issue", _of_sprint),
    ("epic/none/issue", _of_epic),
    ("epic/{epic}/issue", _of_epic),
)

ROUTES: Final = (
    *(Route("GET", f"{AGILE}/{path}", _listed(which)) for path, which in _LISTS),
    *(Route("GET", f"{SOFTWARE}/{path}", _followed(which), only="cloud") for path, which in _LISTS),
    *(
        Route("GET", f"{SOFTWARE}/{path}/approximate-count", _counted(which), only="cloud")
        for path, which in _LISTS[:2]
    ),
    Route("GET", f"{AGILE}/issue/{{key}}", one),
)
