"""JQL read without running it, its suggestions, and any field with any operator."""

import json
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jira import JIRAError

from tests.servers.sandbox import RunningJira


class TestQueries:
    """Queries as such."""

    def test_read_without_running(self, cloud: httpx2.Client) -> None:
        """The structure, or what is wrong; values are checked only where that is asked for."""
        jql = 'project = HARB AND (status in (Done, "To Do") OR NOT assignee is EMPTY) ORDER BY key DESC, created'
        asked = {"queries": [jql, "status = Nope", "project ="]}
        strict = cloud.post("/jql/parse", json=asked).json()["queries"]
        loose = cloud.post("/jql/parse", params={"validation": "none"}, json=asked).json()["queries"]
        where = strict[0]["structure"]["where"]

        assert where["operator"] == "and"
        assert where["clauses"][0] == {
            "field": {"name": "project", "encodedName": "project"},
            "operator": "=",
            "operand": {"value": "HARB", "encodedValue": "HARB"},
        }
        either = where["clauses"][1]
        assert [clause["operator"] for clause in either["clauses"]] == ["in", "not"]
        assert either["clauses"][1]["clauses"][0]["operand"] == {"keyword": "empty"}
        assert [key.get("direction") for key in strict[0]["structure"]["orderBy"]["fields"]] == ["desc", None]
        assert "The value 'Nope' does not exist" in strict[1]["errors"][0]
        assert "structure" in loose[1]
        assert "errors" in loose[2]

    def test_held_against_issues(self, cloud: httpx2.Client) -> None:
        """Which of these would be found; a wrong query spoils only itself, and what is not there matches nothing."""
        numbers = [int(cloud.get(f"/issue/{key}").json()["id"]) for key in ("HARB-3", "HARB-12")]
        jqls = ["type = Bug", "status = Done", "status = Nope", "nope = 1"]
        matches = cloud.post("/jql/match", json={"issueIds": [*numbers, 1], "jqls": jqls}).json()["matches"]

        assert [match["matchedIssues"] for match in matches] == [numbers, numbers[:1], [], []]
        assert [len(match["errors"]) for match in matches] == [0, 0, 0, 1]

    def test_all_that_is_announced_works(self, any_jira: RunningJira) -> None:
        """Fields, functions and reserved words as clients complete them; every name in the list of fields is one of queries."""
        with any_jira.api() as api:
            data = api.get("/jql/autocompletedata").json()
            names = {each["value"].strip('"').casefold() for each in data["visibleFieldNames"]}
            told = {each.get("cfid", "").casefold() for each in data["visibleFieldNames"]}
            listed = {name.casefold() for each in api.get("/field").json() for name in each["clauseNames"]}
            path = "/search/jql" if any_jira.cloud else "/search"
            for each in data["visibleFieldNames"]:
                if each["orderable"] == "true":
                    jql = f"project = HARB ORDER BY {each['value']}"
                    assert api.post(path, json={"jql": jql, "maxResults": 1}).status_code == 200, jql

        assert listed - names - told <= {"subtasks", "progress"}
        assert "currentUser()" in {each["value"] for each in data["visibleFunctionNames"]}
        assert "endOfWeek()" in {each["value"] for each in data["visibleFunctionNames"]}
        assert {"order", "and", "int"} <= set(data["jqlReservedWords"])

    @pytest.mark.parametrize(
        ("field", "begun", "first"),
        [
            ("status", "in", '"In Progress"'),
            ("component", "driv", '"Driver App"'),
            ("reporter", "Carla", '"Carla Jiménez"'),
            ("labels", "tech", '"tech-debt"'),
            ("summary", "x", None),
            ("nothing", "x", None),
        ],
    )
    def test_suggestions(self, cloud: httpx2.Client, field: str, begun: str, first: str | None) -> None:
        """Values that begin so, ready to stand in a query, with the found part marked."""
        asked = {"fieldName": field, "fieldValue": begun}
        results = cloud.get("/jql/autocompletedata/suggestions", params=asked).json()["results"]

        assert (results[0]["value"] if results else None) == first
        assert all("<b>" in each["displayName"] for each in results)

    def test_sprints_and_groups(self, large: Any) -> None:
        """Sprints by state, number and name; people by group."""
        open_ones = {
            issue.key for issue in large.search_issues("sprint in openSprints()", maxResults=False, fields="key")
        }
        by_name = {
            issue.key for issue in large.search_issues('sprint = "HARB Sprint 12"', maxResults=False, fields="key")
        }
        closed = large.search_issues("sprint in closedSprints() AND sprint not in openSprints()", maxResults=1)
        group = large.search_issues("assignee in membersOf('jira-software-users') AND key = HARB-3")

        assert open_ones == by_name
        assert len(open_ones) > 5
        assert len(closed) == 1
        assert [issue.key for issue in group] == ["HARB-3"]
        with pytest.raises(JIRAError, match="Sprint with name 'Nope' does not exist"):
            large.search_issues("sprint = Nope")


_NAMES = st.sampled_from([
    "project", "category", "projectType", "key", "id", "parent", "type", "status", "statusCategory", "resolution", "priority",
    "assignee", "creator", "watcher", "voter", "watchers", "votes", "labels", "component", "fixVersion", "affectedVersion",
    "sprint", "level", "attachments", "issueLinkType", "worklogAuthor", "summary", "environment", "comment", "text", "created",
    "lastViewed", "due", "originalEstimate", "timespent", "filter", '"Epic Link"', '"Epic Name"', '"Story Points"', "Rank", "cf[10020]",
    "cf[1]", "customfield_10016", "issue.property[a].b",
])  # fmt: skip
_OPERATORS = st.sampled_from(["=", "!=", "~", "!~", "<", ">=", "in", "not in", "is", "is not", "was", "changed"])
_VALUES = st.one_of(
    st.sampled_from([
        "HARB", "HARB-3", "Done", "Bug", "High", "EMPTY", "NULL", "10000", "-3d", '"2026-11-01"', "1.5", "2h", '"to do"',
        "currentUser()", "openSprints()", "membersOf('jira-software-users')", "linkedIssues(HARB-3)", "now()", "startOfDay(-1)",
        "releasedVersions()", "latestReleasedVersion(HARB)", "watchedIssues()", "nothing()", "software", "unresolved", "(Done)",
        "(HARB-3, EMPTY, currentUser())", '("a", b, 3)', "carla.jimenez", "offline",
    ]),
    st.text(max_size=8).map(json.dumps),
)  # fmt: skip
_CLAUSES = st.builds("{} {} {}".format, _NAMES, _OPERATORS, _VALUES)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(clauses=st.lists(_CLAUSES, min_size=1, max_size=3), word=st.sampled_from(["AND", "OR", "AND NOT"]))
def test_any_field_with_any_operator(any_jira: RunningJira, clauses: list[str], word: str) -> None:
    """Whatever stands beside whatever: tickets, or Jira's complaint in Jira's shape."""
    jql = f" {word} ".join(clauses)
    with any_jira.api() as api:
        answer = api.post("/search/jql" if any_jira.cloud else "/search", json={"jql": jql, "maxResults": 5})

    assert answer.status_code in {200, 400}, jql
    assert answer.status_code == 200 or answer.json()["errorMessages"][0]
