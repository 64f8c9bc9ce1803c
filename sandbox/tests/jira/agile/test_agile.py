"""The sandbox's boards and sprints, driven by the unmodified `jira` package, then asked by hand for what it hides."""

from typing import Any

import httpx2
import pytest
from jira import JIRAError

from sandbox.tests.jira.agile.asked import BUG, SPRINT
from tests.servers.sandbox import RunningJira

DATES = {"startDate": "2026-11-01T09:00:00.000+01:00", "endDate": "2026-11-15T09:00:00Z"}


def found(jira: Any, jql: str, **more: Any) -> list[str]:
    """What each deployment's own search finds."""
    search = jira.enhanced_search_issues if jira._is_cloud else jira.search_issues
    return [issue.key for issue in search(jql, **more)]


class TestPackage:
    """What the `jira` package does, call by call."""

    def test_boards(self, jira: Any) -> None:
        """Both boards of the project, by kind, by part of the name, and none of a project that has none."""
        assert [(board.id, board.type) for board in jira.boards()] == [(1, "scrum"), (2, "kanban")]
        assert [board.id for board in jira.boards(type="kanban")] == [2]
        assert [board.id for board in jira.boards(name="FLOW", projectKeyOrID="HARB")] == [2]
        assert list(jira.boards(projectKeyOrID="HELP")) == []

    def test_sprints(self, jira: Any) -> None:
        """Closed, active, future, in this order, and those of some states alone."""
        assert [sprint.state for sprint in jira.sprints(1)] == ["closed", "active", "future"]
        assert [sprint.name for sprint in jira.sprints(1, state="active,future")] == [
            "HARB Sprint 12",
            "HARB Sprint 13",
        ]
        assert jira.sprint(2).originBoardId == 1
        assert jira.sprint_info(1, 1)["completeDate"].endswith("Z")
        assert set(jira.sprints_by_name(1)) == {"HARB Sprint 11", "HARB Sprint 12", "HARB Sprint 13"}

    def test_a_board_is_made_of_a_filter(self, jira: Any, board: Any) -> None:
        """It is there until it is deleted, and its filter cannot go before."""
        assert isinstance(board.id, int)
        assert [saved.name for saved in jira.favourite_filters()] == ["mine"]
        saved = jira.favourite_filters()[0]
        with pytest.raises(JIRAError, match="used by a board"):
            saved.delete()
        board.delete()
        saved.delete()
        assert board.id not in [each.id for each in jira.boards()]

    def test_a_sprint_from_plan_to_end(self, jira: Any, board: Any) -> None:
        """Planned, filled, begun, finished: what was not done is in the backlog again and remembers the sprint."""
        sprint = jira.create_sprint("Week 45", board.id, goal="ship it")
        assert (sprint.state, sprint.goal) == ("future", "ship it")
        issue = jira.create_issue(**BUG, summary="to do")
        jira.add_issues_to_sprint(sprint.id, [issue.key])
        assert found(jira, f"sprint = {sprint.id}") == [issue.key]
        assert jira.update_sprint(sprint.id, "Week 45", state="active", **DATES)["state"] == "active"
        assert issue.key in found(jira, "sprint in openSprints() AND sprint = 'Week 45'")
        assert jira.update_sprint(sprint.id, "Week 45", state="closed", **DATES)["state"] == "closed"
        assert found(jira, f'sprint in closedSprints() AND sprint = "Week 45" AND key = {issue.key}') == [issue.key]
        assert issue.key not in found(jira, "sprint in openSprints()", maxResults=100)

    def test_the_field_of_a_ticket(self, jira: Any) -> None:
        """Objects on Cloud, what Java prints on Data Center; set by number, gone in the backlog."""
        field = next(each for each in jira.fields() if each["name"] == "Sprint")
        assert field["schema"]["custom"] == "com.pyxis.greenhopper.jira:gh-sprint"
        assert field["id"] == SPRINT
        issue = jira.create_issue(**BUG, summary="planned", **{SPRINT: 2})
        (held,) = issue.raw["fields"][SPRINT]
        if jira._is_cloud:
            assert {"id": 2, "name": "HARB Sprint 12", "state": "active", "boardId": 1}.items() <= held.items()
        else:
            assert held.startswith("com.atlassian.greenhopper.service.sprint.Sprint@")
            assert "[id=2,rapidViewId=1,state=ACTIVE,name=HARB Sprint 12," in held
        issue.update(fields={SPRINT: 3})
        assert "HARB Sprint 13" in str(issue.raw["fields"][SPRINT])
        jira.move_to_backlog([issue.key])
        assert jira.issue(issue.key).raw["fields"][SPRINT] is None
        assert issue.key in found(jira, "project = HARB AND sprint is EMPTY", maxResults=100)

    def test_rank(self, jira: Any) -> None:
        """Before and behind another one, as text that sorts; a ticket beside itself stays."""
        start = found(jira, "project = HARB ORDER BY Rank", maxResults=4)
        assert start == ["HARB-1", "HARB-2", "HARB-3", "HARB-4"]
        jira.rank("HARB-9", next_issue="HARB-2")
        jira.rank("HARB-1", prev_issue="HARB-3")
        jira.rank("HARB-4", next_issue="HARB-4")

        ranked = found(jira, "project = HARB ORDER BY Rank ASC", maxResults=5)
        assert ranked == ["HARB-9", "HARB-2", "HARB-3", "HARB-1", "HARB-4"]
        assert found(jira, "project = HARB ORDER BY Rank DESC", maxResults=100)[-1] == "HARB-9"

    def test_epics(self, jira: Any) -> None:
        """A new epic takes tickets in, named by a list or with commas; both deployments find them by their own field."""
        name = {} if jira._is_cloud else {"customfield_10011": "Labels"}
        epic = jira.create_issue(project="HARB", issuetype="Epic", summary="Labels that last", **name)
        jira.add_issues_to_epic(epic.id, "HARB-3,HARB-4")
        jira.add_issues_to_epic(epic.key, ["HARB-70"])

        assert set(found(jira, f'"Epic Link" = {epic.key}')) == {"HARB-3", "HARB-4", "HARB-70"}
        issue = jira.issue("HARB-3").raw["fields"]
        assert (issue["parent"]["key"] if jira._is_cloud else issue["customfield_10014"]) == epic.key

    def test_data_center_lists_its_own_fields_apart(self, server_jira: RunningJira) -> None:
        """By which clients there find the number of Epic Name."""
        with server_jira.api() as api:
            known = {field["name"]: field["numericId"] for field in api.get("/customFields").json()["values"]}

        assert {"Epic Name": 10011, "Epic Link": 10014, "Sprint": 10020, "Rank": 10019}.items() <= known.items()

    def test_two_sprints_of_one_name(self, jira: Any, board: Any) -> None:
        """They are allowed, and both are meant by the name."""
        numbers = [jira.create_sprint("Twin", board.id).id for _ in range(2)]
        with pytest.raises(JIRAError, match="multiple sprints"):
            jira.sprints_by_name(board.id)
        for number, key in zip(numbers, ("HARB-3", "HARB-4"), strict=True):
            jira.add_issues_to_sprint(number, [key])

        assert set(found(jira, "sprint = Twin")) == {"HARB-3", "HARB-4"}


class TestSprints:
    """The rules of a sprint's life."""

    @pytest.fixture
    def sprint(self, agile: httpx2.Client) -> int:
        """A sprint that has not begun."""
        answer = agile.post("/sprint", json={"name": "next", "originBoardId": 1})
        assert answer.status_code == 201
        number: int = answer.json()["id"]
        return number

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({"state": "closed"}, "from the state 'future' to 'closed'"),
            ({"state": "active"}, "must have a start date and an end date"),
            ({"state": "active", **DATES}, "has an active sprint already"),
            ({"state": "begun"}, "to 'begun'"),
            ({"name": "x" * 31}, "no longer than 30"),
            ({"name": " "}, "must be specified"),
            ({"startDate": "tomorrow"}, "is not a date"),
            ({"startDate": DATES["endDate"], "endDate": DATES["startDate"]}, "must be after"),
        ],
    )
    def test_what_cannot_be(self, agile: httpx2.Client, sprint: int, body: dict[str, str], words: str) -> None:
        """Refused with a word of why, and nothing has changed."""
        before = agile.get(f"/sprint/{sprint}").json()
        answer = agile.post(f"/sprint/{sprint}", json=body)

        assert answer.status_code == 400
        assert words in answer.text
        assert agile.get(f"/sprint/{sprint}").json() == before

    def test_several_at_once(self, any_jira: RunningJira, agile: httpx2.Client, sprint: int) -> None:
        """Where the site allows parallel sprints, a second one begins."""
        any_jira.app.site.parallel_sprints = True
        try:
            started = agile.post(f"/sprint/{sprint}", json={"state": "active", **DATES})
        finally:
            any_jira.app.site.parallel_sprints = False

        assert started.json()["state"] == "active"
        assert started.json()["startDate"] == "2026-11-01T08:00:00.000Z"

    def test_full_and_partial_updates(self, agile: httpx2.Client, sprint: int) -> None:
        """POST changes what it names, PUT forgets what it does not name."""
        agile.post(f"/sprint/{sprint}", json={"goal": "all green", **DATES})
        assert agile.post(f"/sprint/{sprint}", json={"name": "renamed"}).json()["goal"] == "all green"
        left = agile.put(f"/sprint/{sprint}", json={"name": "again"}).json()

        assert (left["name"], left["state"], left.get("goal", ""), left.get("startDate")) == (
            "again",
            "future",
            "",
            None,
        )

    def test_a_closed_sprint_keeps_its_dates(self, agile: httpx2.Client) -> None:
        """Only its name and goal change, and nothing moves into it."""
        before = agile.get("/sprint/1").json()
        after = agile.post("/sprint/1", json={"name": "over", **DATES}).json()

        assert after == {**before, "name": "over"}
        assert agile.post("/sprint/1/issue", json={"issues": ["HARB-3"]}).status_code == 400

    def test_deleting(self, any_jira: RunningJira, agile: httpx2.Client, sprint: int) -> None:
        """Its tickets are in the backlog again; Data Center keeps what has begun."""
        agile.post(f"/sprint/{sprint}/issue", json={"issues": ["HARB-70"]})
        assert agile.delete(f"/sprint/{sprint}").status_code == 204
        assert agile.get(f"/sprint/{sprint}").status_code == 404
        assert agile.get("/issue/HARB-70", params={"fields": "sprint"}).json()["fields"] == {"sprint": None}
        assert agile.delete("/sprint/2").status_code == (204 if any_jira.cloud else 400)

    def test_swap(self, agile: httpx2.Client, sprint: int) -> None:
        """Two future sprints change places."""
        agile.post(f"/sprint/{sprint}/swap", json={"sprintToSwapWith": 3})

        order = [each["id"] for each in agile.get("/board/1/sprint").json()["values"]]
        assert order == [1, 2, sprint, 3]

    def test_a_move_is_told(self, any_jira: RunningJira, agile: httpx2.Client, sprint: int) -> None:
        """The changelog names the sprint that a ticket came into."""
        agile.post(f"/sprint/{sprint}/issue", json={"issues": ["HARB-70"]})
        with any_jira.api("2") as api:
            histories = api.get("/issue/HARB-70", params={"expand": "changelog"}).json()["changelog"]["histories"]

        items = [item for history in histories for item in history["items"] if item["field"] == "Sprint"]
        assert [(item["toString"], item["to"], item["fieldtype"]) for item in items] == [
            ("next", str(sprint), "custom")
        ]
        assert [item.get("fieldId") for item in items] == [SPRINT if any_jira.cloud else None]

    def test_at_most_fifty(self, agile: httpx2.Client) -> None:
        """More in one request are refused, as are none and unknown ones; those before the unknown one stay."""
        many = [f"HARB-{number}" for number in range(3, 54)]

        assert agile.post("/sprint/3/issue", json={"issues": many}).status_code == 400
        assert agile.post("/sprint/3/issue", json={"issues": []}).status_code == 400
        assert agile.post("/backlog/issue", json={"issues": ["NOSUCH-1"]}).status_code == 404
        assert agile.post("/sprint/99/issue", json={"issues": ["HARB-3"]}).status_code == 404

    def test_a_wrong_value_of_the_field(self, any_jira: RunningJira) -> None:
        """A name, a closed sprint and one that is none are refused beside the field."""
        with any_jira.api("2") as api:
            words = [
                api.put("/issue/HARB-70", json={"fields": {SPRINT: value}}).json()["errors"][SPRINT]
                for value in ("HARB Sprint 12", 1, 99)
            ]

        assert words[0] == "Number value expected as the Sprint id."
        assert "active or future" in words[1]
        assert "does not exist" in words[2]


class TestPermission:
    """Who plans."""

    def test_strangers_and_members(self, any_jira: RunningJira, agile: httpx2.Client) -> None:
        """Strangers are sent away; those who may not manage sprints see them and change nothing."""
        with any_jira.client("/rest/agile/1.0", auth=None) as stranger:
            assert stranger.get("/board").status_code == 401
        any_jira.app.site.db.run(
            "INSERT INTO denial (account, permission) VALUES ('64d9037cb1e5a82f4609286c', 'MANAGE_SPRINTS_PERMISSION')"
        )

        assert agile.post("/sprint/2", json={"name": "mine"}).status_code == 403
        assert agile.post("/sprint", json={"name": "mine", "originBoardId": 1}).status_code == 403
        assert agile.get("/sprint/2").json()["name"] == "HARB Sprint 12"
