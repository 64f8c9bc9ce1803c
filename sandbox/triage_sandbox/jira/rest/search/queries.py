"""Endpoints about JQL itself: parse a query, match it against issues, complete it."""

import re
from typing import Final

from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, items_of, whole
from triage_sandbox.jira.jql import table
from triage_sandbox.jira.jql.functions import FUNCTIONS
from triage_sandbox.jira.jql.kinds import Column, Kind, Members
from triage_sandbox.jira.jql.moments import NAMES
from triage_sandbox.jira.jql.parser import parse
from triage_sandbox.jira.jql.search import search
from triage_sandbox.jira.jql.syntax import (
    Clause,
    Condition,
    Empty,
    Function,
    JqlError,
    Literal,
    MissingValueError,
    Not,
    Operand,
    Query,
    Several,
)
from triage_sandbox.jira.jql.tokens import RESERVED, bare
from triage_sandbox.jira.rest.search.search import asker_of
from triage_sandbox.jira.shapes import Shape, marked

_MOST_MATCHED: Final = 1000


def parsed(call: Call) -> Answer:
    """Return the syntax trees of queries, or their errors if they are validated."""
    strict = call.query("validation", "strict") == "strict"
    asker = asker_of(call)
    answers: list[Shape] = []
    for jql in map(str, items_of(call.object(), "queries")):
        try:
            query = parse(jql)
            if strict:
                search(jql, asker)
            answers.append({"query": jql, "structure": _structure(query)})
        except JqlError as e:
            answers.append({"query": jql, "errors": [str(e)]})
    return Answer({"queries": answers})


def _structure(query: Query) -> Shape:
    shape: Shape = {} if query.where is None else {"where": _condition(query.where)}
    keys = [
        {"field": _field(key.field), **({"direction": key.direction.lower()} if key.direction else {})}
        for key in query.order
    ]
    return shape | ({"orderBy": {"fields": keys}} if keys else {})


def _condition(condition: Condition) -> Shape:
    match condition:
        case Clause(field, operator, operand):
            return {"field": _field(field), "operator": operator.lower(), "operand": _operand(operand)}
        case Not(part):
            return {"operator": "not", "clauses": [_condition(part)]}
        case _:
            return {"operator": condition.word.lower(), "clauses": [_condition(part) for part in condition.parts]}


def _field(name: str) -> Shape:
    return {"name": name, "encodedName": _encoded(name)}


def _encoded(text: str) -> str:
    plain = re.fullmatch(r"\w+|cf\[\d+\]", text) and text.casefold() not in RESERVED
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _operand(operand: Operand) -> Shape:
    match operand:
        case Literal(text):
            return {"value": text, "encodedValue": _encoded(text)}
        case Function(name, arguments):
            return {"function": name, "arguments": list(arguments)}
        case Empty():
            return {"keyword": "empty"}
        case Several(members):
            return {"values": [_operand(member) for member in members]}


def matched(call: Call) -> Answer:
    """Return which of these issues each of these queries finds."""
    data, asker = call.object(), asker_of(call)
    issues = [whole(issue, "issueIds", 0) for issue in items_of(data, "issueIds")]
    if len(issues) > _MOST_MATCHED:
        raise JiraError(400, f"At most {_MOST_MATCHED} issues can be checked.")
    matches: list[Shape] = []
    for jql in items_of(data, "jqls"):
        try:
            found, errors = search(str(jql), asker).among(asker, issues), []
        except JqlError as e:
            found, errors = [], [] if isinstance(e, MissingValueError) or bare(str(jql)) else [str(e)]
        matches.append({"matchedIssues": found, "errors": errors})
    return Answer({"matches": matches})


# --- completion -------------------------------------------------------------------------------


def reference(call: Call) -> Answer:
    """Return all JQL fields, functions and reserved words."""
    system = [_told(name, name, kind) for name, kind in table.SYSTEM.items()]
    rows = call.db.all("SELECT * FROM custom_field ORDER BY name")
    own = [
        _told(row["name"], f"{row['name']} - cf[{row['id']}]", kind) | {"cfid": f"cf[{row['id']}]"}
        for row in rows
        if (kind := table.custom_kind(row)) is not None
    ]
    functions = [
        {
            "value": f"{function.name}()",
            "displayName": f"{function.name}()",
            "isList": _yes(function.several),
            "types": [_JAVA[function.gives]],
        }
        for function in FUNCTIONS.values()
    ]
    times = [{"value": f"{name}()", "displayName": f"{name}()", "types": ["java.util.Date"]} for name in NAMES]
    return Answer(
        {
            "visibleFieldNames": [*system, *own],
            "visibleFunctionNames": [*functions, *times],
            "jqlReservedWords": sorted(RESERVED),
        }
    )


def _yes(value: object) -> str:
    return "true" if value else "false"


def _told(value: str, shown: str, kind: Kind) -> Shape:
    return {
        "value": _encoded(value),
        "displayName": shown,
        "orderable": _yes(kind.order),
        "searchable": _yes(kind.operators),
        "auto": _yes(_names(kind)),
        "operators": sorted(operator.lower() for operator in kind.operators),
        "types": [kind.java],
    }


_JAVA: Final = {kind.domain.name: kind.java for kind in table.SYSTEM.values() if isinstance(kind, Column | Members)}


def _names(kind: Kind | None) -> str:
    """SQL for the words that can stand behind a field."""
    return kind.domain.names if isinstance(kind, Column | Members) else ""


def suggestions(call: Call) -> Answer:
    """Return values of a field that begin with the given text."""
    name, begun = call.query("fieldName"), call.query("fieldValue").strip('"').casefold()
    sql = _names(table.find(name, call.db))
    known = sorted({str(row[0]) for row in call.db.all(sql)}, key=str.casefold) if sql else []
    found = [word for word in known if word.casefold().startswith(begun)]
    shown = [{"value": _encoded(word), "displayName": marked(word, begun)} for word in found[:15]]
    return Answer({"results": shown})


_JQL: Final = f"{API}/jql"

ROUTES: Final = (
    Route("POST", f"{_JQL}/parse", parsed, only="cloud"),
    Route("POST", f"{_JQL}/match", matched, only="cloud"),
    Route("GET", f"{_JQL}/autocompletedata", reference),
    Route("POST", f"{_JQL}/autocompletedata", reference),
    Route("GET", f"{_JQL}/autocompletedata/suggestions", suggestions),
)
