"""The sandbox's JQL: what real Jira understands is understood, and what it refuses is refused in its words."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.servers.sandbox import RunningJira
from triage_sandbox.company import DemoTicket, load_project
from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.ground.stamps import milliseconds_of
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.search import search
from triage_sandbox.jira.jql.syntax import JqlError
from triage_sandbox.jira.seed.story import Story, plant

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
NADIA = "5f3c91a7e04b2d68c1f01c22"


def ticket(number: int, summary: str, description: str = "", **more: object) -> DemoTicket:
    """One of the few tickets that these queries look for."""
    usual: dict[str, object] = {
        "key": f"HARB-{number}",
        "type": "Bug",
        "status": "To Do",
        "priority": "Medium",
        "reporter": "carla.jimenez",
        "created_days_ago": number * 10,
        "updated_days_ago": number,
    }
    return DemoTicket(**{**usual, "summary": summary, "description": description, **more})  # type: ignore[arg-type]  # the usual values are typed where they are declared


TICKETS = (
    ticket(
        1, "Invoices cannot be exported", "The CSV export fails with ORA-00942 (table missing).", priority="Highest"
    ),
    ticket(2, "Label printer prints null", "Street is null on every label.", labels=["printer"], type="Task"),
    ticket(3, "Print labels in A6", status="Done", resolution="Fixed", assignee="nadia.ferreira", priority="Low"),
    ticket(
        4,
        "Exporting customs papers",
        status="In Progress",
        assignee="oskar.lindqvist",
        components=["Customs"],
        labels=["printer", "export"],
        comments=[{"author": "priya.raman", "text": "Please export again tomorrow.", "days_ago": 3}],
    ),
)


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    """Nadia, looking at four tickets."""
    db = Database(":memory:")
    plant(db, Story(project=load_project(), tickets=TICKETS), milliseconds_of(NOW))
    yield Asker(db, NADIA, NOW)
    db.close()


def numbers(jql: str, asker: Asker) -> list[int]:
    """The tickets' numbers in the order of the answer; their ids begin at 10000."""
    return [issue - 9999 for issue in search(jql, asker).ids(asker, 100, 0)]


@pytest.mark.parametrize(
    ("jql", "expected"),
    [
        ("", [4, 3, 2, 1]),
        ("project = HARB", [4, 3, 2, 1]),
        ('PROJECT = "Harbourline Platform" order by KEY asc', [1, 2, 3, 4]),
        ("key = HARB-2", [2]),
        ("issuekey in (harb-1, HARB-3)", [3, 1]),
        ("key > HARB-2", [4, 3]),
        ("status = Done", [3]),
        ("status != 'To Do'", [4, 3]),
        ("statusCategory = 'In Progress' OR statusCategory = new", [4, 2, 1]),
        ("statusCategory != Done AND NOT status = 'In Progress'", [2, 1]),
        ("resolution = EMPTY", [4, 2, 1]),
        ("resolution is not EMPTY", [3]),
        ("assignee is null", [2, 1]),
        ("assignee = currentUser()", [3]),
        ("assignee != currentUser()", [4]),
        ("assignee in (currentUser(), EMPTY)", [3, 2, 1]),
        ("assignee not in (currentUser())", [4]),
        ('assignee = "Oskar Lindqvist"', [4]),
        ("reporter = carla.jimenez", [4, 3, 2, 1]),
        ("priority > Medium", [1]),
        ("priority <= Medium", [4, 3, 2]),
        ("type = Task", [2]),
        ("issuetype not in (Task, Story)", [4, 3, 1]),
        ("labels = printer", [4, 2]),
        ("labels = Printer", []),
        ("labels != export", [2]),
        ("labels is EMPTY", [3, 1]),
        ("labels in (export, nothing)", [4]),
        ("component = Customs", [4]),
        ("component is EMPTY AND labels is EMPTY", [3, 1]),
        ("summary ~ label", [3, 2]),
        ("summary ~ 'print label'", [3, 2]),
        ("summary ~ 'print null'", [2]),
        (r'summary ~ "\"label printer\""', [2]),
        (r'summary ~ "\"printer label\""', []),
        ("text ~ export", [4, 1]),
        ("text ~ 'exp*'", [4, 1]),
        ("text ~ 'orders exp*'", []),
        ("comment ~ tomorrow", [4]),
        ("description ~ 'ORA-00942'", [1]),
        (r'description ~ "table missing\\)"', [1]),
        ("summary !~ label", [4, 1]),
        ("text ~ 'the invoices'", [1]),
        ("text ~ '!!! ???'", []),
        ("created >= -25d", [2, 1]),
        ("created < startOfDay(-25) ", [4, 3]),
        ("updated >= -1w2d AND updated <= now()", [4, 3, 2, 1]),
        ("created >= '2026-11-01'", [1]),
        ("created > '2026/11/10 00:00'", [1]),
        ("created > endOfDay()", []),
        ("due is EMPTY ORDER BY priority DESC, key ASC", [1, 2, 4, 3]),
        ("project = HARB ORDER BY updated", [1, 2, 3, 4]),
        ("project = HARB ORDER BY created ASC", [4, 3, 2, 1]),
        ("(status = Done OR status = 'To Do') AND priority = Low", [3]),
        ("status = Done OR status = 'To Do' AND priority = Highest", [3, 1]),
        ("NOT (status = Done OR labels = printer)", [1]),
        ("project = HARB && (type = Bug || type = Task) ORDER BY assignee ASC, id ASC", [3, 4, 1, 2]),
    ],
)
def test_queries_find(asker: Asker, jql: str, expected: list[int]) -> None:
    """The tickets that real Jira would show, in its order."""
    assert numbers(jql, asker) == expected


@pytest.mark.parametrize(
    ("jql", "words"),
    [
        ("this is not jql", "Expecting either 'EMPTY' or 'NULL' but got 'jql'"),
        ("project", "Expecting operator but got the end of the query"),
        ("project =", "Expecting either a value, list or function but got the end of the query"),
        ("project = INT", "'INT' is a reserved JQL word. You must surround it in quotation marks"),
        ('project = "HARB', "The quoted string 'HARB' has not been completed. (line 1, character 11)"),
        ("project = HARB status = Done", "Expecting either 'OR' or 'AND' but got 'status'. (line 1, character 16)"),
        ("project = HARB\nAND ?", "The character '?' is a reserved JQL character"),
        ("project = HARB\nAND ?", "(line 2, character 5)"),
        (r'summary ~ "a\q"', r"'\q' is an illegal JQL escape sequence"),
        ("(project = HARB", "Expecting ')' before the end of the query"),
        ("status in (Done", "Expecting ')' before the end of the list"),
        ("status in Done", "does not support the non-list value '\"Done\"' for field 'status'"),
        ("assignee is Nadia", "Expecting either 'EMPTY' or 'NULL' but got 'Nadia'"),
        ("project = NOPE", "The value 'NOPE' does not exist for the field 'project'."),
        ("status = Nope", "The value 'Nope' does not exist for the field 'status'."),
        ("assignee = nobody.at.all", "The value 'nobody.at.all' does not exist for the field 'assignee'."),
        ("key = HARB-999", "An issue with key 'HARB-999' does not exist for field 'key'."),
        ("colour = red", "Field 'colour' does not exist or you do not have permission to view it."),
        ("issue.property[triage].case = 'case-1'", "Field 'issue.property[triage].case' does not exist or"),
        ("summary = x", "The operator '=' is not supported by the 'summary' field."),
        ("status ~ x", "The operator '~' is not supported by the 'status' field."),
        ("status > Done", "The operator '>' is not supported by the 'status' field."),
        ("assignee = membersOf(x)", "does not support the list value 'membersOf(x)' for field 'assignee'"),
        ("assignee in membersOf(x)", "'membersOf' can not generate a list of usernames for group 'x'"),
        ("assignee in openSprints()", "A value provided by the function 'openSprints' is invalid for the field"),
        ("assignee = nobody()", "Unable to find JQL function 'nobody()'."),
        ("key in linkedIssues()", "expected between '1' and '2' arguments but received '0'"),
        ("key in linkedIssues(HARB-1, likes)", "Issue link type 'likes' could not be found"),
        ("summary ~ ' '", "does not support searching for an empty string"),
        ("status = (Done, 'To Do')", "Operator '=' does not support the list value '(Done, To Do)' for field 'status'"),
        ("created > soon", "Date value 'soon' for field 'created' is invalid."),
        ("created > startOfDay(abc)", "Duration for function 'startOfDay'"),
        ("created > -999999w", "too far away"),
        ("status was Done", "The operator 'was' is not supported by the 'status' field."),
        ("assignee changed after -1d", "The operator 'changed' is not supported by the 'assignee' field."),
        ("project = HARB ORDER BY colour", "Not able to sort using field 'colour'."),
        ("project = HARB ORDER BY labels", "Not able to sort using field 'labels'."),
        ("project = HARB ORDER BY " + ",".join(["key"] * 8), "maximum number of fields to sort by is 7"),
        ("(" * 60 + "project = HARB" + ")" * 60, "nested too deeply"),
        ("NOT " * 10_000 + "project = HARB", "nested too deeply"),
        (" AND ".join(["project = HARB"] * 5001), "too many clauses"),
    ],
)
def test_wrong_queries_are_told_why(asker: Asker, jql: str, words: str) -> None:
    """The message names the place and the cure, as Jira's does."""
    with pytest.raises(JqlError) as told:
        search(jql, asker)

    assert words in str(told.value)


def test_strangers_find_nothing(asker: Asker) -> None:
    """Without a name there is nothing to see, and no error either."""
    stranger = Asker(asker.db, None, NOW)

    assert search("project = HARB", stranger).count(stranger) == 0


def quoted(text: str) -> str:
    """Any text as a literal of JQL."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


WORDS = st.sampled_from(["Done", "HARB", "'To Do'", '"a \\"b\\" c"', "Bug", "High", "EMPTY", "printer", "x*", "HARB-1"])
DATES = st.sampled_from(["-14d", "'4w 2d'", "now()", "startOfWeek(-1)", "endOfMonth('-1d')", "'2026-11-01'", "-30m"])
VALID_CLAUSES = st.one_of(
    st.builds("{} {} {}".format, st.sampled_from(["created", "updated", "due"]), st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), DATES),
    st.builds("{} ~ {}".format, st.sampled_from(["text", "summary", "description", "comment"]), st.text().filter(str.strip).map(quoted)),
    st.builds("labels {} {}".format, st.sampled_from(["=", "!="]), st.text(min_size=1).map(quoted)),
    st.builds("{} is {}".format, st.sampled_from(["assignee", "resolution", "component"]), st.sampled_from(["EMPTY", "NOT NULL"])),
    st.sampled_from([
        "project = HARB", "status in (Done, 'To Do')", "priority >= High", "type not in (Bug)", "statusCategory != Done",
        "assignee in (currentUser(), EMPTY)", "key <= HARB-3", "component = Customs",
    ]),
)  # fmt: skip


def _combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def joined(members: Sequence[str], word: str) -> str:
        return "(" + f" {word} ".join(members) + ")"

    several = st.builds(joined, st.lists(parts, min_size=1, max_size=4), st.sampled_from(["AND", "OR", "and", "||"]))
    return st.one_of(several, parts.map("NOT {}".format), parts.map("!({})".format))


QUERIES = st.builds(
    "{}{}".format,
    st.recursive(VALID_CLAUSES, _combined, max_leaves=12),
    st.sampled_from(["", " ORDER BY created DESC", " order by priority, key asc"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(jql=QUERIES)
def test_every_valid_query_runs(asker: Asker, jql: str) -> None:
    """Whatever the grammar allows is answered, and a page is never longer than the count."""
    plan = search(jql, asker)

    assert len(plan.ids(asker, 100, 0)) == plan.count(asker)


FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "project",
                "=",
                "!~",
                "(",
                ")",
                ",",
                "AND",
                "NOT",
                "IN",
                "IS",
                "ORDER BY",
                "'",
                '"',
                "\\",
                "~",
                "[1]",
                "was",
            ]
        ),
        WORDS,
        DATES,
        st.text(max_size=6),
    ),
    max_size=14,
).map(" ".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(jql=st.one_of(FRAGMENTS, st.text(max_size=60)))
def test_garbage_is_an_error_or_an_answer(asker: Asker, jql: str) -> None:
    """No text whatsoever ends in anything but tickets or Jira's complaint."""
    with suppress(JqlError):
        assert search(jql, asker).count(asker) >= 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(jql=st.one_of(FRAGMENTS, st.text(max_size=40)))
def test_over_http_garbage_is_never_500(cloud_jira: RunningJira, jql: str) -> None:
    """200 or 400, in Jira's shape, whatever the text."""
    with cloud_jira.api() as api:
        answer = api.post("/search/jql", content=json.dumps({"jql": jql}), headers={"content-type": "application/json"})

    assert answer.status_code in {200, 400}
    assert answer.status_code == 200 or answer.json()["errorMessages"]
