"""Searching the sandbox: all three forms, what queries can say, the truth of the larger past, and an index that lags."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jira import JIRA, JIRAError

from tests.servers.sandbox import LARGE, RunningJira
from triage_sandbox.company import DemoTicket, load_project, load_tickets
from triage_sandbox.company.past import TICKETS, past
from triage_sandbox.company.plans import DUPLICATES, LOOKALIKES
from triage_sandbox.jira import Fault, Story, jira_app
from triage_sandbox.jira.ground.lag import Lag

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
PAST = past(LARGE, load_project(), first=len(load_tickets()) + 1)
ALL = (*load_tickets(), *PAST.tickets)
OPEN = {"To Do", "In Progress", "In Review"}
HOUR = 3_600_000
LINKED: dict[str, set[str]] = {
    kind: {t.key for t in ALL if any(link.type == kind for link in t.links)}
    | {link.to for t in ALL for link in t.links if link.type == kind}
    for kind in ("Blocks", "Relates", "Duplicate")
}


@pytest.fixture
def large(large_jira: RunningJira) -> Iterator[Any]:
    """The package on the site with the larger past."""
    client: Any = JIRA(large_jira.url, basic_auth=large_jira.login, max_retries=0)
    yield client
    client.close()


@pytest.fixture
def api(cloud_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Cloud's API."""
    with cloud_jira.api() as client:
        yield client


def keys(page: dict[str, Any]) -> list[str]:
    """Of the issues on a page."""
    return [issue["key"] for issue in page["issues"]]


def found(api: httpx2.Client, jql: str, **more: Any) -> list[str]:
    """Keys that Cloud's search finds."""
    answer = api.post("/search/jql", json={"jql": jql, "fields": ["key"], "maxResults": 1000, **more})
    assert answer.status_code == 200, answer.text
    return keys(answer.json())


class TestTruth:
    """Queries over hundreds of tickets find what the tickets say, and nothing else."""

    @pytest.mark.parametrize(
        ("jql", "holds"),
        [
            ("labels = security", lambda t: "security" in t.labels),
            ("labels not in (security, offline)", lambda t: t.labels and not {"security", "offline"} & set(t.labels)),
            ("labels is EMPTY AND component = Customs", lambda t: not t.labels and "Customs" in t.components),
            ("component in (Booking, Monitoring)", lambda t: {"Booking", "Monitoring"} & set(t.components)),
            (
                "priority > Medium AND statusCategory != Done",
                lambda t: t.priority in {"High", "Highest"} and t.status in OPEN,
            ),
            (
                'priority in (Low, "Lowest") OR type = Epic',
                lambda t: t.priority in {"Low", "Lowest"} or t.type == "Epic",
            ),
            ("assignee = oskar.lindqvist", lambda t: t.assignee == "oskar.lindqvist"),
            ("assignee != oskar.lindqvist", lambda t: t.assignee not in {None, "oskar.lindqvist"}),
            ("assignee is EMPTY", lambda t: t.assignee is None),
            ("resolution = Unresolved", lambda t: t.status in OPEN),
            ("resolution in (Fixed, Unresolved)", lambda t: t.status in OPEN or t.resolution == "Fixed"),
            ("fixVersion in releasedVersions()", lambda t: {"2026.9", "2026.10"} & set(t.fix_versions)),
            ("fixVersion = earliestUnreleasedVersion(HARB)", lambda t: "2026.12" in t.fix_versions),
            ("fixVersion in unreleasedVersions(HARB)", lambda t: "2026.12" in t.fix_versions),
            ("component in componentsLeadByUser(priya.raman)", lambda t: "Booking" in t.components),
            ("project in projectsLeadByUser(nadia.ferreira)", lambda _: True),
            ("issuetype in subTaskIssueTypes()", lambda t: t.type == "Sub-task"),
            ("parent is not EMPTY AND NOT type = Sub-task", lambda t: t.parent and t.type != "Sub-task"),
            ('"Epic Link" is not EMPTY AND type = Story', lambda t: t.parent and t.type == "Story"),
            ("comment is not EMPTY", lambda t: t.comments),
            ("issueLinkType = Blocks", lambda t: t.key in LINKED["Blocks"]),
            ("created < -200d", lambda t: t.created_days_ago >= 200),
            ("created >= -30d AND created < -10d", lambda t: 10 <= t.created_days_ago < 30),
            ("projectType = software AND key <= HARB-20", lambda t: int(t.key[5:]) <= 20),
            ("NOT (status = Done OR labels = security)", lambda t: t.status in OPEN and "security" not in t.labels),
            (
                'reporter in (carla.jimenez, "Rory McAllister")',
                lambda t: t.reporter in {"carla.jimenez", "rory.mcallister"},
            ),
        ],
    )
    def test_finds_exactly(self, large: Any, jql: str, holds: Callable[[DemoTicket], object]) -> None:
        """Held against the tickets themselves."""
        issues = large.search_issues(f"project = HARB AND ({jql}) ORDER BY key ASC", maxResults=False, fields="key")

        assert [issue.key for issue in issues] == [ticket.key for ticket in ALL if holds(ticket)]

    @pytest.mark.parametrize(
        ("order", "key"),
        [
            ("created ASC", lambda issue: issue.fields.created),
            ("updated", lambda issue: [-ord(char) for char in issue.fields.updated]),
            ("priority", lambda issue: int(issue.fields.priority.id)),
            ("Rank ASC", lambda issue: issue.fields.customfield_10019),
            ("summary ASC", lambda issue: issue.fields.summary),
            ("assignee ASC", lambda issue: issue.fields.assignee.displayName),
        ],
    )
    def test_sorts(self, large: Any, order: str, key: Callable[[Any], Any]) -> None:
        """By what the field means; times and priorities with the largest first unless a query says otherwise."""
        jql = f"project = HARB AND assignee is not EMPTY ORDER BY {order}"
        issues = large.search_issues(jql, maxResults=80, fields="*all")
        seen = [key(issue) for issue in issues]

        assert len(seen) == 80
        assert seen == sorted(seen)

    def test_pages_cover_everything_once(self, large: Any, large_jira: RunningJira) -> None:
        """By token or by offset; Server tells the total."""
        jql = "project = HARB ORDER BY status ASC, created DESC"
        issues = large.search_issues(jql, maxResults=False, fields="summary")

        assert sorted(issue.key for issue in issues) == sorted(ticket.key for ticket in ALL)
        if large_jira.cloud:
            assert large.approximate_issue_count("project = HARB") == len(ALL)
        else:
            assert large.search_issues(jql, maxResults=1).total == len(ALL)


class TestPast:
    """The larger past itself, and the truth that is kept apart from it."""

    def test_the_same_number_the_same_past(self) -> None:
        """Every time; another number is another past."""
        assert past(LARGE, load_project(), first=71) == PAST
        assert past(LARGE + 1, load_project(), first=71) != PAST
        assert len(PAST.tickets) == TICKETS

    @pytest.mark.parametrize("number", [1, 2, 3, LARGE])
    def test_the_truth_is_not_in_the_tickets(self, number: int) -> None:
        """Thirty twins and fifteen that only sound alike: the later one behind the earlier, in other words, not linked."""
        made = past(number, load_project())
        by_key = {ticket.key: ticket for ticket in made.tickets}
        pairs = [(by_key[a], by_key[b]) for a, b in (*made.truth.duplicates, *made.truth.lookalikes)]

        assert (len(made.truth.duplicates), len(made.truth.lookalikes)) == (DUPLICATES, LOOKALIKES)
        assert len({ticket.summary for ticket in made.tickets}) > TICKETS * 0.95
        for elder, later in pairs:
            assert elder.created_days_ago >= later.created_days_ago
            assert elder.summary != later.summary
            assert elder.components == later.components
            assert not {link.to for link in (*elder.links, *later.links)} & {elder.key, later.key}
        assert not any(ticket.resolution == "Duplicate" for ticket in made.tickets)

    def test_work_is_uneven(self) -> None:
        """Somebody has much more to do than somebody else, and some of it lies about."""
        load = [ticket.assignee for ticket in PAST.tickets if ticket.status in OPEN]
        counts = sorted(load.count(name) for name in set(load))

        assert counts[-1] >= 3 * counts[0]
        assert None in load


class TestForms:
    """What the forms of searching take and give."""

    def test_light_and_heavy_pages(self, large_cloud_jira: RunningJira) -> None:
        """Five thousand ids, a hundred issues, and at most five properties."""
        with large_cloud_jira.api() as api:
            ids = api.post("/search/jql", json={"jql": "project = HARB", "maxResults": 5000}).json()
            heavy = api.post(
                "/search/jql", json={"jql": "project = HARB", "maxResults": 5000, "fields": ["summary"]}
            ).json()

            assert (len(ids["issues"]), ids["isLast"]) == (len(ALL), True)
            assert (len(heavy["issues"]), heavy["isLast"]) == (100, False)
            many = {"jql": "project = HARB", "properties": [f"p{number}" for number in range(6)]}
            assert api.post("/search/jql", json=many).status_code == 400

    def test_names_and_types_stand_beside_the_issues(self, any_jira: RunningJira) -> None:
        """Once for the page, of the fields that were asked for."""
        path = "/search/jql" if any_jira.cloud else "/search"
        with any_jira.api() as api:
            asked = {"jql": "key = HARB-3", "fields": "summary,labels", "expand": "names,schema"}
            page = api.get(path, params=asked).json()

        assert page["names"] == {"summary": "Summary", "labels": "Labels"}
        assert page["schema"]["labels"]["items"] == "string"
        assert "names" not in page["issues"][0]

    def test_bare_words_are_no_error_on_cloud(self, cloud_jira: RunningJira, server_jira: RunningJira) -> None:
        """Seen on real sites: a query that is none finds nothing there; Server says what is wrong."""
        with cloud_jira.api() as cloud, server_jira.api() as server:
            assert found(cloud, "this is not jql") == []
            assert cloud.post("/search/jql", json={"jql": "project = "}).status_code == 400
            assert server.get("/search", params={"jql": "this is not jql"}).status_code == 400

    def test_a_query_that_is_not_to_be_checked(self, server_jira: RunningJira) -> None:
        """Server finds nothing, and warns."""
        with server_jira.api() as api:
            page = api.get("/search", params={"jql": "status = Nope", "validateQuery": "false"}).json()

        assert (page["total"], page["issues"]) == (0, [])
        assert "The value 'Nope' does not exist for the field 'status'." in page["warningMessages"]

    def test_server_refuses_leading_stars(self, server_jira: RunningJira, api: httpx2.Client) -> None:
        """Cloud leaves them out of the query."""
        with server_jira.api() as server:
            assert "not allowed to start with '*'" in server.get("/search", params={"jql": "text ~ '*abel'"}).text
        assert found(api, "summary ~ '*Safari'") == ["HARB-12"]

    def test_a_token_that_never_ends(self, cloud_jira: RunningJira, api: httpx2.Client) -> None:
        """On request each page tells of a next one, and it is the same again."""
        cloud_jira.fault(Fault(do="repeat_token", path="/search/jql", count=3))
        page: dict[str, Any] = {}
        seen = []
        for _ in range(4):
            token = {"nextPageToken": page["nextPageToken"]} if "nextPageToken" in page else {}
            page = api.post("/search/jql", json={"jql": "key = HARB-3", **token}).json()
            seen.append((page["issues"], page.get("nextPageToken"), page["isLast"]))

        assert seen[0] == seen[1] == seen[2]
        assert seen[0][2] is False
        assert seen[3] == (seen[0][0], None, True)

    def test_saved_searches_stand_in_queries(self, any_jira: RunningJira) -> None:
        """By number or name, negated, inside one another; not for ever."""
        path = "/search/jql" if any_jira.cloud else "/search"
        with any_jira.api() as api:
            first = api.post("/filter", json={"name": "ours", "jql": "labels = offline ORDER BY created"}).json()["id"]
            api.post("/filter", json={"name": "theirs", "jql": f"filter = {first} AND type != Epic"})

            def total(jql: str) -> int:
                return len(api.post(path, json={"jql": jql, "maxResults": 100}).json()["issues"])

            assert total(f"filter = {first}") == sum("offline" in ticket.labels for ticket in load_tickets())
            assert total("filter = theirs") == total(f"filter in ({first}) AND type != Epic")
            assert total(f"project = HARB AND filter != {first}") == 70 - total("filter = ours")
            api.put(f"/filter/{first}", json={"name": "ours", "jql": "filter = theirs"})
            assert "nested too deeply" in api.post(path, json={"jql": "filter = ours"}).text
            assert api.post(path, json={"jql": "filter = nobodys"}).status_code == 400


class TestLag:
    """The index comes behind the data."""

    @pytest.fixture
    def late(self, cloud_jira: RunningJira) -> Iterator[RunningJira]:
        """A Cloud whose clock stands still, at the same moment in every run: the index's whims follow it."""
        site = cloud_jira.app.site
        site.clock.frozen = 1_900_000_000_000
        yield cloud_jira
        site.clock.frozen = None
        site.clock.skew = 0

    def ticket(self, api: httpx2.Client) -> tuple[str, int]:
        """A new ticket: its key and its id."""
        made = api.post("/issue", json={"fields": {**BUG, "summary": "late", "labels": ["late"]}}).json()
        return made["key"], int(made["id"])

    def test_by_key_at_once_by_search_later(self, late: RunningJira, api: httpx2.Client) -> None:
        """Unless the search is told what must be there; counts lag, too."""
        with late.client() as door:
            assert door.post("/__sandbox__/lag", json={"milliseconds": 3000}).status_code == 204
            assert door.post("/__sandbox__/lag", json={"way": "backwards"}).status_code == 400
        key, number = self.ticket(api)
        count = {"jql": "labels = late"}

        assert api.get(f"/issue/{key}").status_code == 200
        assert found(api, "labels = late") == []
        assert api.post("/search/approximate-count", json=count).json()["count"] == 0
        assert found(api, "labels = late", reconcileIssues=[number]) == [key]
        late.app.site.clock.advance(2999)
        assert found(api, "labels = late") == []
        late.app.site.clock.advance(1)
        assert found(api, "labels = late") == [key]

    def test_some_later_than_others(self, late: RunningJira, api: httpx2.Client) -> None:
        """With jitter each has its own time, the same in every run, and never a later one than told."""
        late.app.site.lag = Lag(way="jitter", milliseconds=10_000)
        tickets = {self.ticket(api)[0] for _ in range(12)}
        seen = []
        for _ in range(5):
            seen.append(set(found(api, "labels = late")))
            late.app.site.clock.advance(2500)

        assert seen[0] < seen[1] < seen[2] < seen[4]
        assert seen[4] == tickets
        assert all(earlier <= later for earlier, later in pairwise(seen))

    def test_what_was_found_can_vanish(self, late: RunningJira, api: httpx2.Client) -> None:
        """As on real sites: found, gone, found again, and settled in the end."""
        late.app.site.lag = Lag(way="flicker", milliseconds=8000)
        key, _ = self.ticket(api)
        seen = []
        for _ in range(30):
            seen.append(key in found(api, "labels = late"))
            late.app.site.clock.advance(400)

        assert any(before and not after for before, after in pairwise(seen))
        assert all(seen[20:])

    def test_reset_catches_up(self, late: RunningJira, api: httpx2.Client) -> None:
        """No lag is left behind."""
        late.app.site.lag = Lag(milliseconds=HOUR)
        late.reset()
        key, _ = self.ticket(api)

        assert found(api, "labels = late") == [key]


class TestQueries:
    """Queries as such."""

    def test_read_without_running(self, api: httpx2.Client) -> None:
        """The structure, or what is wrong; values are checked only where that is asked for."""
        jql = 'project = HARB AND (status in (Done, "To Do") OR NOT assignee is EMPTY) ORDER BY key DESC, created'
        asked = {"queries": [jql, "status = Nope", "project ="]}
        strict = api.post("/jql/parse", json=asked).json()["queries"]
        loose = api.post("/jql/parse", params={"validation": "none"}, json=asked).json()["queries"]
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

    def test_held_against_issues(self, api: httpx2.Client) -> None:
        """Which of these would be found; a wrong query spoils only itself, and what is not there matches nothing."""
        numbers = [int(api.get(f"/issue/{key}").json()["id"]) for key in ("HARB-3", "HARB-12")]
        jqls = ["type = Bug", "status = Done", "status = Nope", "nope = 1"]
        matches = api.post("/jql/match", json={"issueIds": [*numbers, 1], "jqls": jqls}).json()["matches"]

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
    def test_suggestions(self, api: httpx2.Client, field: str, begun: str, first: str | None) -> None:
        """Values that begin so, ready to stand in a query, with the found part marked."""
        asked = {"fieldName": field, "fieldValue": begun}
        results = api.get("/jql/autocompletedata/suggestions", params=asked).json()["results"]

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


def test_a_site_that_begins_with_the_past_alone() -> None:
    """Without the company's own tickets the past counts from one, and every parent and link is there."""
    app = jira_app(seed=Story.of_company(tickets=False, generated=3))
    db = app.site.db
    alone = past(3, load_project())

    assert db.value("SELECT count(*) FROM ticket WHERE key LIKE 'HARB-%'") == len(alone.tickets)
    assert db.value("SELECT count(*) FROM link") == len({(t.key, link) for t in alone.tickets for link in t.links})
    assert db.value("SELECT count(*) FROM issue WHERE parent IS NOT NULL") == sum(bool(t.parent) for t in alone.tickets)
    db.close()
