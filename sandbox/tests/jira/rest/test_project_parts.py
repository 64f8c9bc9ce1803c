"""Components, versions and properties of a project."""

from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.rest.made import new_issue
from tests.servers.sandbox import RunningJira


class TestParts:
    """Components and versions."""

    def test_component(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Made, found, counted; its tickets go where the caller says."""
        made = api.post("/component", json={"name": "Cellar", "project": "HARB", "description": "Dark."}).json()
        other = api.post("/component", json={"name": "Roof", "project": "HARB"}).json()
        fields = {"components": [{"id": made["id"]}]}
        api.put("/issue/HARB-3", json={"fields": fields}).raise_for_status()

        assert (made["assigneeType"], made["isAssigneeTypeValid"]) == ("PROJECT_DEFAULT", True)
        assert list(api.post("/component", json={"name": "cellar", "project": "HARB"}).json()["errors"]) == ["name"]
        assert api.get(f"/component/{made['id']}/relatedIssueCounts").json()["issueCount"] == 1
        pages = "/project/HARB/component" if any_jira.cloud else "/component/page"
        paged = api.get(f"{pages}?query={'dark' if any_jira.cloud else 'cellar'}").json()
        counted = 1 if any_jira.cloud else None  # Data Center's pages count no tickets
        assert [(part["name"], part.get("issueCount")) for part in paged["values"]] == [("Cellar", counted)]
        assert api.delete(f"/component/{made['id']}", params={"moveIssuesTo": other["id"]}).status_code == 204
        assert api.get(f"/component/{made['id']}").status_code == 404
        left = api.get("/issue/HARB-3?fields=components").json()["fields"]["components"]
        assert [part["name"] for part in left] == ["Roof"]
        if any_jira.cloud:
            found = api.get("/component?projectIdsOrKeys=HARB&query=roof").json()["values"]
            assert [part["id"] for part in found] == [other["id"]]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": "x"}, "project"),
            ({"project": "HARB"}, "name"),
            ({"project": "HARB", "name": "x" * 256}, "name"),
            ({"project": "HARB", "name": "x", "assigneeType": "ANYBODY"}, "assigneeType"),
            ({"project": "HARB", "name": "x", "leadAccountId": "nobody"}, "leadAccountId"),
        ],
    )
    def test_a_component_is_refused(self, api: httpx2.Client, body: object, field: str) -> None:
        """400 at the part that is wrong."""
        refused = api.post("/component", json=body)

        assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])

    def test_versions_have_an_order(self, api: httpx2.Client) -> None:
        """Their own: first, last, before or behind another one."""
        before = [version["name"] for version in api.get("/project/HARB/versions").json()]
        made = api.post("/version", json={"name": "Next", "project": "HARB"}).json()

        def moved(where: dict[str, str]) -> list[str]:
            api.post(f"/version/{made['id']}/move", json=where).raise_for_status()
            return [version["name"] for version in api.get("/project/HARB/versions").json()]

        assert moved({"position": "Last"}) == [*before, "Next"]
        assert moved({"position": "First"}) == ["Next", *before]
        assert moved({"position": "Later"}) == [before[0], "Next", *before[1:]]
        assert moved({"position": "Earlier"}) == ["Next", *before]
        first = api.get("/project/HARB/versions").json()[1]
        assert moved({"after": first["self"]}) == [before[0], "Next", *before[1:]]
        assert api.post(f"/version/{made['id']}/move", json={}).status_code == 400

    @pytest.mark.parametrize("where", [{"position": ["First"]}, {"position": "Middle"}, {"after": "itself"}])
    def test_no_place_for_a_version(self, api: httpx2.Client, where: dict[str, Any]) -> None:
        """Behind itself, or where nobody knows: 400 and all stay where they are."""
        before = api.get("/project/HARB/versions").json()
        where = {"after": before[0]["self"]} if "after" in where else where

        assert api.post(f"/version/{before[0]['id']}/move", json=where).status_code == 400
        assert api.get("/project/HARB/versions").json() == before

    def test_a_version_lives(self, api: httpx2.Client) -> None:
        """Dates, release, counts; what is open goes on to the next one."""
        old = api.post("/version", json={"name": "A", "project": "HARB", "startDate": "2026-01-01"}).json()
        new = api.post("/version", json={"name": "B", "projectId": 10000}).json()
        fields = {"fixVersions": [{"id": old["id"]}]}
        issue = new_issue(api, "HARB")
        api.put(f"/issue/{issue}", json={"fields": fields}).raise_for_status()

        assert api.get(f"/version/{old['id']}/relatedIssueCounts").json()["issuesFixedCount"] == 1
        assert api.get(f"/version/{old['id']}/unresolvedIssueCount").json()["issuesUnresolvedCount"] == 1
        states = api.get(f"/version/{old['id']}?expand=issuesstatus").json()["issuesStatusForFixVersion"]
        assert states == {"unmapped": 0, "toDo": 1, "inProgress": 0, "done": 0}
        body = {"released": True, "releaseDate": "2026-02-01", "moveUnfixedIssuesTo": new["self"]}
        released = api.put(f"/version/{old['id']}", json=body).json()
        assert (released["released"], released["userReleaseDate"]) == (True, "01/Feb/26")
        held = api.get(f"/issue/{issue}?fields=fixVersions").json()["fields"]["fixVersions"]
        assert [version["name"] for version in held] == ["B"]

    @pytest.mark.parametrize(
        ("way", "path", "body"),
        [
            ("POST", "removeAndSwap", {"moveFixIssuesTo": "{0}"}),
            ("PUT", "mergeto/{0}", None),
            ("DELETE", "?moveFixIssuesTo={0}", None),
        ],
    )
    def test_a_version_gives_its_tickets_away(
        self, api: httpx2.Client, way: str, path: str, body: dict[str, str] | None
    ) -> None:
        """By three endpoints; afterwards it is gone."""
        old, new = (api.post("/version", json={"name": name, "project": "HARB"}).json()["id"] for name in "AB")
        api.put("/issue/HARB-70", json={"fields": {"fixVersions": [{"id": old}]}}).raise_for_status()
        sent = None if body is None else {name: value.format(new) for name, value in body.items()}

        separator = "" if path.startswith("?") else "/"
        assert api.request(way, f"/version/{old}{separator}{path.format(new)}", json=sent).status_code == 204
        assert api.get(f"/version/{old}").status_code == 404
        held = api.get("/issue/HARB-70?fields=fixVersions").json()["fields"]["fixVersions"]
        assert [version["id"] for version in held] == [new]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": "x"}, "project"),
            ({"project": "HARB"}, "name"),
            ({"project": "HARB", "name": "x", "releaseDate": "soon"}, "releaseDate"),
            ({"project": "HARB", "name": "x", "released": "yes"}, "released"),
            ({"project": "HARB", "name": "x", "startDate": "2026-02-01", "releaseDate": "2026-01-01"}, "startDate"),
        ],
    )
    def test_a_version_is_refused(self, api: httpx2.Client, body: object, field: str) -> None:
        """400 at the part that is wrong."""
        refused = api.post("/version", json=body)

        assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])

    def test_properties(self, api: httpx2.Client) -> None:
        """A project keeps what clients leave with it."""
        assert api.put("/project/HARB/properties/k", json={"list": [1, None]}).status_code == 201
        assert api.get("/project/10000/properties/k").json() == {"key": "k", "value": {"list": [1, None]}}
        assert api.delete("/project/HARB/properties/k").status_code == 204
        assert api.get("/project/HARB/properties/k").status_code == 404
