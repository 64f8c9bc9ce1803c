"""Boards over HTTP: their tickets, configuration, properties and estimates; epics, rank, and pages by token."""

from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.agile.asked import BUG, SPRINT
from tests.servers.sandbox import RunningJira


def keys(answer: httpx2.Response) -> list[str]:
    """The tickets on a page."""
    answer.raise_for_status()
    return [issue["key"] for issue in answer.json()["issues"]]


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
