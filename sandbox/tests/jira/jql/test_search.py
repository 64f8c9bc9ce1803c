"""Searching the sandbox: all three forms, what queries can say, the truth of the larger past, and an index that lags."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.jql.asked import found
from tests.servers.sandbox import LARGE, RunningJira
from triage_sandbox.company import DemoTicket, load_project, load_tickets
from triage_sandbox.company.past import TICKETS, past
from triage_sandbox.company.plans import DUPLICATES, LOOKALIKES
from triage_sandbox.jira import Fault, Story, jira_app

PAST = past(LARGE, load_project(), first=len(load_tickets()) + 1)
ALL = (*load_tickets(), *PAST.tickets)
OPEN = {"To Do", "In Progress", "In Review"}
LINKED: dict[str, set[str]] = {
    kind: {t.key for t in ALL if any(link.type == kind for link in t.links)}
    | {link.to for t in ALL for link in t.links if link.type == kind}
    for kind in ("Blocks", "Relates", "Duplicate")
}


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

    def test_server_refuses_leading_stars(self, server_jira: RunningJira, cloud: httpx2.Client) -> None:
        """Cloud leaves them out of the query."""
        with server_jira.api() as server:
            assert "not allowed to start with '*'" in server.get("/search", params={"jql": "text ~ '*abel'"}).text
        assert found(cloud, "summary ~ '*Safari'") == ["HARB-12"]

    def test_a_token_that_never_ends(self, cloud_jira: RunningJira, cloud: httpx2.Client) -> None:
        """On request each page tells of a next one, and it is the same again."""
        cloud_jira.fault(Fault(do="repeat_token", path="/search/jql", count=3))
        page: dict[str, Any] = {}
        seen = []
        for _ in range(4):
            token = {"nextPageToken": page["nextPageToken"]} if "nextPageToken" in page else {}
            page = cloud.post("/search/jql", json={"jql": "key = HARB-3", **token}).json()
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


def test_a_site_that_begins_with_the_past_alone() -> None:
    """Without the company's own tickets the past counts from one, and every parent and link is there."""
    app = jira_app(seed=Story.of_company(tickets=False, generated=3))
    db = app.site.db
    alone = past(3, load_project())

    assert db.value("SELECT count(*) FROM ticket WHERE key LIKE 'HARB-%'") == len(alone.tickets)
    assert db.value("SELECT count(*) FROM link") == len({(t.key, link) for t in alone.tickets for link in t.links})
    assert db.value("SELECT count(*) FROM issue WHERE parent IS NOT NULL") == sum(bool(t.parent) for t in alone.tickets)
    db.close()
