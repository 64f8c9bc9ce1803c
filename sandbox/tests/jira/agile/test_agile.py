"""The sandbox's boards and sprints, driven by the unmodified `jira` package, then asked by hand for what it hides."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from jira import JIRA, JIRAError

from tests.servers.sandbox import RunningJira

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
SPRINT = "customfield_10020"
DATES = {"startDate": "2026-11-01T09:00:00.000+01:00", "endDate": "2026-11-15T09:00:00Z"}


@pytest.fixture
def jira(any_jira: RunningJira) -> Iterator[Any]:
    """The package as people use it, apart from its retries."""
    client: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0)
    yield client
    client.close()


@pytest.fixture
def agile(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The interface of boards."""
    with any_jira.client("/rest/agile/1.0") as client:
        yield client


@pytest.fixture
def board(jira: Any) -> Any:
    """A scrum board of our own over the company's project."""
    saved = jira.create_filter("mine", "all of it", "project = HARB", favourite=True)
    return jira.create_board("my board", saved.id)


def keys(answer: httpx2.Response) -> list[str]:
    """The tickets on a page."""
    answer.raise_for_status()
    return [issue["key"] for issue in answer.json()["issues"]]


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


class TestBoards:
    """What a board shows."""

    def test_every_ticket_has_its_place(self, agile: httpx2.Client) -> None:
        """Done, in a sprint or in the backlog; epics stand beside the board."""
        board = keys(agile.get("/board/1/issue", params={"maxResults": 100}))
        backlog = keys(agile.get("/board/1/backlog", params={"maxResults": 100}))
        sprints = [key for number in (1, 2, 3) for key in keys(agile.get(f"/sprint/{number}/issue"))]

        assert {"HARB-1", "HARB-2"}.isdisjoint(board)
        assert set(backlog) | set(sprints) <= set(board)
        assert set(backlog).isdisjoint(keys(agile.get("/board/1/sprint/2/issue")))
        assert len(board) == 68
        assert keys(agile.get("/board/1/issue", params={"jql": "key = HARB-7 ORDER BY created"})) == ["HARB-7"]

    def test_everybody_has_the_usual_load(self, any_jira: RunningJira) -> None:
        """No person has more than a handful of open tickets in the sprint that runs, and many have some."""
        sql = (
            "SELECT count(*) FROM issue i JOIN status s ON s.id = i.status"
            " WHERE sprint = 2 AND s.category != 'done' GROUP BY assignee"
        )
        loads = [row[0] for row in any_jira.app.site.db.all(sql)]

        assert len(loads) >= 8
        assert max(loads) <= 5

    def test_a_ticket_as_boards_see_it(self, any_jira: RunningJira, agile: httpx2.Client) -> None:
        """With its sprints and its epic, in wiki markup on both deployments."""
        with any_jira.api("2") as api:
            made = {**BUG, "summary": "both", "description": "*bold*", SPRINT: 3}
            key = api.post("/issue", json={"fields": made}).json()["key"]
        agile.post("/epic/HARB-1/issue", json={"issues": [key]})
        ticket = agile.get(f"/issue/{key}").json()

        assert ticket["self"].endswith(f"/rest/agile/1.0/issue/{ticket['id']}")
        fields = ticket["fields"]
        assert (fields["sprint"]["id"], fields["epic"]["key"], fields["flagged"]) == (3, "HARB-1", False)
        assert fields["description"] == "*bold*"
        assert "closedSprints" not in fields
        carried = keys(agile.get("/sprint/2/issue", params={"jql": "sprint = 1"}))[0]
        assert [each["id"] for each in agile.get(f"/issue/{carried}").json()["fields"]["closedSprints"]] == [1]

    def test_configuration(self, any_jira: RunningJira, agile: httpx2.Client) -> None:
        """Filter, columns and the fields for points and rank; a kanban board has no points and no sprints."""
        scrum, kanban = (agile.get(f"/board/{number}/configuration").json() for number in (1, 2))

        assert [column["name"] for column in scrum["columnConfig"]["columns"]] == ["To Do", "In Progress", "Done"]
        assert [len(column["statuses"]) for column in scrum["columnConfig"]["columns"]] == [1, 2, 1]
        assert scrum["estimation"]["field"]["displayName"] == "Story Points"
        assert scrum["ranking"] == {"rankCustomFieldId": 10019}
        assert "estimation" not in kanban
        assert agile.get("/board/2/sprint").status_code == 400
        assert ("location" in scrum) is any_jira.cloud

    def test_a_team_plans_on_its_own_board(self, agile: httpx2.Client) -> None:
        """The board of a project that its team manages has sprints, too."""
        made = {"name": "simple board", "type": "agility", "filterId": 10000}
        board = agile.post("/board", json=made).json()

        assert board["type"] == "simple"
        assert agile.post("/sprint", json={"name": "ours", "originBoardId": board["id"]}).status_code == 201
        assert [each["name"] for each in agile.get(f"/board/{board['id']}/sprint").json()["values"]] == ["ours"]

    def test_what_hangs_on_a_board(self, agile: httpx2.Client) -> None:
        """Projects, releases, epics; quick filters: none."""
        pages = {name: agile.get(f"/board/1/{name}").json() for name in ("project", "version", "epic", "quickfilter")}

        assert [each["key"] for each in pages["project"]["values"]] == ["HARB"]
        assert [each["name"] for each in pages["version"]["values"]] == ["2026.9", "2026.10", "2026.12"]
        assert [each["key"] for each in pages["epic"]["values"]] == ["HARB-1", "HARB-2"]
        assert pages["quickfilter"]["values"] == []
        assert all(page["isLast"] for page in pages.values())

    def test_a_board_that_is_none(self, agile: httpx2.Client) -> None:
        """404 for all that would hang on it; a new one needs a name, a kind and a filter that can be seen."""
        for path in ("", "/issue", "/backlog", "/sprint", "/configuration", "/epic", "/project"):
            assert agile.get(f"/board/99999999{path}").status_code == 404
        for body in ({"name": "x", "type": "scrum", "filterId": 1}, {"name": "", "type": "scrum", "filterId": 10000},
                     {"name": "x", "type": "wall", "filterId": 10000}):  # fmt: skip
            assert agile.post("/board", json=body).status_code == 400

    def test_properties(self, agile: httpx2.Client) -> None:
        """Boards and sprints hold them as tickets do."""
        for path in ("/board/1", "/sprint/2"):
            assert agile.put(f"{path}/properties/mine", json={"a": 1}).status_code == 201
            assert agile.put(f"{path}/properties/mine", json={"a": 2}).status_code == 200
            assert agile.get(f"{path}/properties/mine").json() == {"key": "mine", "value": {"a": 2}}
            assert [each["key"] for each in agile.get(f"{path}/properties").json()["keys"]] == ["mine"]
            assert agile.delete(f"{path}/properties/mine").status_code == 204
            assert agile.get(f"{path}/properties/mine").status_code == 404

    def test_estimates(self, agile: httpx2.Client) -> None:
        """In points, by the field that the board names."""
        asked = {"boardId": 1}
        assert agile.get("/issue/HARB-3/estimation", params=asked).json() == {"fieldId": "customfield_10016"}
        agile.put("/issue/HARB-3/estimation", params=asked, json={"value": "8.0"})

        assert agile.get("/issue/HARB-3/estimation", params=asked).json()["value"] == 8
        assert agile.put("/issue/HARB-3/estimation", params=asked, json={"value": "large"}).status_code == 400


class TestEpics:
    """Epics as boards see them."""

    def test_what_is_known_of_one(self, agile: httpx2.Client) -> None:
        """Name, colour and whether it is done can be changed one by one."""
        before = agile.get("/epic/HARB-1").json()
        assert (before["name"], before["done"]) == (before["summary"], False)
        agile.post("/epic/HARB-1", json={"name": "Paperless", "color": {"key": "color_4"}})
        agile.post("/epic/HARB-1", json={"done": True})

        after = agile.get(f"/epic/{before['id']}").json()
        assert after == {**before, "name": "Paperless", "color": {"key": "color_4"}, "done": True}
        done = agile.get("/board/1/epic", params={"done": "true"}).json()["values"]
        assert [each["key"] for each in done] == ["HARB-1"]
        assert agile.post("/epic/HARB-1", json={"color": {"key": "red"}}).status_code == 400

    def test_in_and_out(self, agile: httpx2.Client) -> None:
        """What leaves an epic is among those without one; epics and plain tickets take nothing of this kind."""
        inside = keys(agile.get("/epic/HARB-1/issue"))
        agile.post("/epic/none/issue", json={"issues": inside[:1]})

        assert keys(agile.get("/board/1/epic/HARB-1/issue")) == inside[1:]
        without = keys(agile.get("/board/1/epic/none/issue", params={"maxResults": 100}))
        assert inside[0] in without
        assert set(inside[1:]).isdisjoint(without)
        assert agile.post("/epic/HARB-1/issue", json={"issues": ["HARB-2"]}).status_code == 400
        assert agile.get("/epic/HARB-3").status_code == 404
        assert agile.get("/epic/HARB-99999999").status_code == 404

    def test_order(self, agile: httpx2.Client) -> None:
        """The second one first."""
        assert agile.put("/epic/HARB-2/rank", json={"rankBeforeEpic": "HARB-1"}).status_code == 204

        assert [each["key"] for each in agile.get("/board/1/epic").json()["values"]] == ["HARB-2", "HARB-1"]


class TestRank:
    """PUT /issue/rank."""

    def test_several_keep_their_order(self, agile: httpx2.Client) -> None:
        """A block of tickets goes between two others."""
        agile.put("/issue/rank", json={"issues": ["HARB-30", "HARB-20", "HARB-10"], "rankAfterIssue": "HARB-3"})

        assert keys(agile.get("/board/1/issue", params={"maxResults": 5})) == [
            "HARB-3",
            "HARB-30",
            "HARB-20",
            "HARB-10",
            "HARB-4",
        ]

    def test_again_and_again_at_one_place(self, agile: httpx2.Client) -> None:
        """There is always room before the first one."""
        for number in range(60, 4, -1):
            agile.put("/issue/rank", json={"issues": [f"HARB-{number}"], "rankAfterIssue": "HARB-3"})

        shown = keys(agile.get("/board/1/issue", params={"maxResults": 57, "fields": "summary"}))
        assert shown == ["HARB-3", *(f"HARB-{number}" for number in range(5, 61))]

    @pytest.mark.parametrize(
        "body",
        [
            {"issues": ["HARB-3"]},
            {"issues": ["HARB-3"], "rankBeforeIssue": "HARB-4", "rankAfterIssue": "HARB-5"},
            {"issues": ["HARB-3"], "rankBeforeIssue": "HARB-4", "rankCustomFieldId": 1},
            {"rankBeforeIssue": "HARB-4"},
        ],
    )
    def test_what_cannot_be(self, agile: httpx2.Client, body: dict[str, Any]) -> None:
        """One anchor, some tickets, and the field that ranks."""
        assert agile.put("/issue/rank", json=body).status_code == 400


class TestByToken:
    """Cloud's newer lists."""

    def test_pages_follow_each_other(self, cloud_jira: RunningJira) -> None:
        """Every ticket once; a token belongs to the list that gave it."""
        with cloud_jira.client("/rest/software/1.0") as client:
            seen: list[str] = []
            asked: dict[str, Any] = {"maxResults": 30, "fields": "summary"}
            for _ in range(5):
                page = client.get("/board/1/issue", params=asked).json()
                seen += [issue["key"] for issue in page["issues"]]
                if page["isLast"]:
                    break
                asked["nextPageToken"] = page["nextPageToken"]

            assert len(seen) == len(set(seen)) == 68
            assert client.get("/board/1/issue/approximate-count").json() == {"count": 68}
            assert client.get("/board/1/backlog", params=asked).status_code == 400
            assert client.get("/sprint/2/issue").json()["isLast"]

    def test_data_center_has_none(self, server_jira: RunningJira) -> None:
        """404, as for an address that it has never heard of."""
        with server_jira.client("/rest/software/1.0") as client:
            assert client.get("/board/1/issue").status_code == 404


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
