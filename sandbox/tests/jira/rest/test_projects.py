"""Projects of the sandbox and their parts: made from templates, refused where Jira refuses, gone with all they hold."""

from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.rest.made import new_issue
from tests.servers.sandbox import RunningJira

SCRUM = "com.pyxis.greenhopper.jira:gh-scrum-template"


def wish(jira: RunningJira, **parts: Any) -> dict[str, Any]:
    """A project as clients ask for it."""
    lead = {"leadAccountId": jira.bot} if jira.cloud else {"lead": jira.user}
    return {"key": "DEMO", "name": "Demo", "projectTypeKey": "software", **lead, **parts}


def make(jira: RunningJira, api: httpx2.Client, **parts: Any) -> str:
    """A new project; its key."""
    made = api.post("/project", json=wish(jira, **parts))
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


def buttons(api: httpx2.Client, issue: str) -> list[str]:
    """Where a ticket can go from here."""
    return [step["name"] for step in api.get(f"/issue/{issue}/transitions").json()["transitions"]]


class TestTemplates:
    """What a project is made of follows from its template."""

    @pytest.mark.parametrize(
        ("template", "kind", "first", "ways"),
        [
            (SCRUM, "software", "To Do", ["To Do", "In Progress", "Done"]),
            (
                "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic",
                "software",
                "Backlog",
                ["Backlog", "Selected for Development", "In Progress", "Done"],
            ),
            ("", "software", "To Do", ["To Do", "In Progress", "In Review", "Done"]),
            (
                "com.atlassian.jira-core-project-templates:jira-core-project-management",
                "business",
                "To Do",
                ["Start Progress", "Done"],
            ),
            (
                "com.atlassian.jira-core-project-templates:jira-core-process-management",
                "business",
                "Open",
                ["Start Progress"],
            ),
            ("com.atlassian.jira-core-project-templates:jira-core-task-management", "business", "To Do", ["Done"]),
            (
                "com.atlassian.servicedesk:simplified-it-service-desk",
                "service_desk",
                "Waiting for support",
                ["Respond to customer", "Resolve this issue"],
            ),
        ],
    )
    def test_workflow(
        self, any_jira: RunningJira, api: httpx2.Client, template: str, kind: str, first: str, ways: list[str]
    ) -> None:
        """A new ticket stands where the template says, and has its buttons."""
        key = make(any_jira, api, projectTemplateKey=template, projectTypeKey=kind)
        issue = new_issue(api, key)

        assert api.get(f"/issue/{issue}").json()["fields"]["status"]["name"] == first
        assert buttons(api, issue) == ways
        states = {state["name"] for state in api.get(f"/project/{key}/statuses").json()[0]["statuses"]}
        assert first in states

    def test_kinds_of_issues(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """A business project has no bugs: not in its list, not in its forms, not in a ticket."""
        key = make(any_jira, api, projectTypeKey="business")
        kinds = api.get(f"/project/{key}").json()["issueTypes"]
        form = api.get(f"/issue/createmeta/{key}/issuetypes").json()
        fields = {"project": {"key": key}, "issuetype": {"name": "Bug"}, "summary": "x"}

        assert [kind["name"] for kind in kinds] == ["Task", "Sub-task"]
        assert [kind["name"] for kind in form["issueTypes" if any_jira.cloud else "values"]] == ["Task", "Sub-task"]
        assert list(api.post("/issue", json={"fields": fields}).json()["errors"]) == ["issuetype"]

    def test_a_board_comes_with_it(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Scrum brings a scrum board that shows the project's tickets."""
        key = make(any_jira, api, projectTemplateKey=SCRUM)
        issue = new_issue(api, key)
        with any_jira.client("/rest/agile/1.0") as agile:
            (board,) = agile.get("/board", params={"projectKeyOrId": key}).json()["values"]
            shown = agile.get(f"/board/{board['id']}/issue").json()["issues"]

        assert (board["type"], [each["key"] for each in shown]) == ("scrum", [issue])

    def test_a_team_manages_its_own(self, cloud_jira: RunningJira, cloud: httpx2.Client) -> None:
        """`next-gen` in the project's style, and no priority on its forms."""
        template = "com.pyxis.greenhopper.jira:gh-simplified-agility-kanban"
        key = make(cloud_jira, cloud, projectTemplateKey=template)
        project = cloud.get(f"/project/{key}").json()

        assert (project["style"], project["simplified"]) == ("next-gen", True)
        levels = cloud.get(f"/project/{key}/hierarchy").json()["hierarchy"]
        assert {level["level"] for level in levels} == {kind["hierarchyLevel"] for kind in project["issueTypes"]}
        others = cloud.get("/project/HARB/hierarchy")
        assert (others.status_code, "not simplified" in others.text) == (404, True)
        assert "priority" not in cloud.get(f"/issue/{new_issue(cloud, key)}/editmeta").json()["fields"]

    def test_new_tickets_go_to_the_lead(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Unless the project says that they go to nobody."""
        to_lead = make(any_jira, api)
        to_nobody = make(any_jira, api, key="OTHER", name="Other", assigneeType="UNASSIGNED")

        assignee = api.get(f"/issue/{new_issue(api, to_lead)}").json()["fields"]["assignee"]
        assert assignee["displayName"] == "Triage Bot"
        assert api.get(f"/issue/{new_issue(api, to_nobody)}").json()["fields"]["assignee"] is None


class TestRefused:
    """What cannot be a project, with all reasons at once."""

    def test_every_reason(self, api: httpx2.Client) -> None:
        """Key, name, lead and type, under the names that Jira's form has."""
        refused = api.post("/project", json={"key": "lower", "name": " ", "projectTypeKey": "wish"})

        assert refused.status_code == 400
        assert set(refused.json()["errors"]) == {"projectKey", "projectName", "projectLead", "projectTypeKey"}

    @pytest.mark.parametrize(
        ("parts", "field", "words"),
        [
            ({"key": "HARB"}, "projectKey", "Project 'Harbourline Platform' uses this project key."),
            ({"name": "harbourline platform"}, "projectName", "A project with that name already exists."),
            ({"key": "A"}, "projectKey", "must start with an uppercase letter"),
            ({"leadAccountId": "nobody", "lead": "nobody"}, "projectLead", "nobody does not exist"),
        ],
    )
    def test_each_reason(
        self, any_jira: RunningJira, api: httpx2.Client, parts: dict[str, str], field: str, words: str
    ) -> None:
        """In Jira's words."""
        errors = api.post("/project", json=wish(any_jira, **parts)).json()["errors"]

        assert list(errors) == [field]
        assert words in errors[field]

    def test_names_that_would_do(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """A key that is taken is answered with one that is free: 200 either way."""
        assert api.get("/projectvalidate/key?key=NEW").json() == {"errorMessages": [], "errors": {}}
        assert list(api.get("/projectvalidate/key?key=HARB").json()["errors"]) == ["projectKey"]
        assert api.get("/projectvalidate/validProjectKey?key=HARB").json() == "HARB1"
        assert api.get("/projectvalidate/validProjectName?name=Harbourline Platform").json() == "Harbourline Platform 1"
        assert any_jira.requests("GET")


class TestChanged:
    """Projects change and go."""

    def test_name_key_and_category(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """What is sent is changed, the rest stays; tickets follow the key."""
        issue = new_issue(api, make(any_jira, api))
        category = api.post("/projectCategory", json={"name": "Test", "description": "For tests."}).json()
        body = {"name": "Renamed", "key": "RENAMED", "url": "https://wiki.example", "categoryId": category["id"]}
        changed = api.put("/project/DEMO", json=body).json()

        assert (changed["key"], changed["name"], changed["url"]) == ("RENAMED", "Renamed", "https://wiki.example")
        assert changed["projectCategory"] == category
        assert changed["lead"]["displayName"] == "Triage Bot"
        assert api.get(f"/issue/{issue.replace('DEMO', 'RENAMED')}").status_code == 200
        assert list(api.put("/project/RENAMED", json={"key": "HARB"}).json()["errors"]) == ["projectKey"]

    def test_categories(self, api: httpx2.Client) -> None:
        """A name is had once; a removed category is gone from its projects."""
        made = api.post("/projectCategory", json={"name": "Test"}).json()
        path = f"/projectCategory/{made['id']}"
        api.put("/project/HARB", json={"categoryId": int(made["id"])}).raise_for_status()

        assert api.post("/projectCategory", json={"name": "test"}).status_code == 409
        assert api.put(path, json={"description": "edited"}).json()["description"] == "edited"
        assert made["id"] in [each["id"] for each in api.get("/projectCategory").json()]
        assert api.delete(path).status_code == 204
        assert api.get(path).status_code == 404
        assert "projectCategory" not in api.get("/project/HARB").json()

    def test_gone_with_everything(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Its tickets, parts and board, too; the key is free, and numbers begin anew."""
        key = make(any_jira, api, projectTemplateKey=SCRUM)
        issue = new_issue(api, key)
        api.post("/component", json={"name": "x", "project": key}).raise_for_status()

        assert api.delete(f"/project/{key}").status_code == 204
        assert api.get(f"/project/{key}").status_code == 404
        assert api.get(f"/issue/{issue}").status_code == 404
        assert api.delete(f"/project/{key}").status_code == 404
        assert new_issue(api, make(any_jira, api, projectTemplateKey=SCRUM)) == f"{key}-1"

    def test_pages(self, cloud: httpx2.Client) -> None:
        """Cloud pages, sorts and picks; Data Center knows the whole list only."""
        by_key = cloud.get("/project/search?orderBy=key").json()
        backwards = cloud.get("/project/search?orderBy=-key").json()
        picked = cloud.get("/project/search?query=harbourline platf&expand=lead").json()
        one = cloud.get("/project/search?maxResults=1").json()

        keys = [project["key"] for project in by_key["values"]]
        assert keys == [project["key"] for project in backwards["values"]][::-1]
        assert [(project["key"], "lead" in project) for project in picked["values"]] == [("HARB", True)]
        assert (one["isLast"], one["total"], len(one["values"])) == (False, len(keys), 1)
        assert cloud.get(one["nextPage"]).json()["values"][0]["key"] == keys[1]

    def test_a_few_letters(self, server_jira: RunningJira) -> None:
        """Data Center's picker: the letters in bold, how many there are, and nothing without letters."""
        with server_jira.api() as server:
            first = server.get("/project").json()[0]
            found = server.get("/projects/picker", params={"query": first["key"].lower(), "maxResults": 1}).json()
            nothing = server.get("/projects/picker", params={"query": " "}).json()

        assert found["projects"][0]["key"] == first["key"]
        assert f"(<b>{first['key']}</b>)" in found["projects"][0]["html"]
        assert found["header"] == f"Showing 1 of {found['total']} matching projects"
        assert (nothing["projects"], nothing["total"]) == ([], 0)

    def test_keys_are_as_they_are_written(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Cloud minds capitals, Data Center does not."""
        assert api.get("/project/harb").status_code == (404 if any_jira.cloud else 200)
        assert api.get("/project/10000").json()["key"] == "HARB"


class TestCatalogues:
    """Small lists that clients ask for."""

    def test_status_categories(self, api: httpx2.Client) -> None:
        """The four, by id and by key."""
        keys = [category["key"] for category in api.get("/statuscategory").json()]

        assert keys == ["undefined", "new", "indeterminate", "done"]
        assert api.get("/statuscategory/3").json() == api.get("/statuscategory/done").json()
        assert api.get("/statuscategory/late").status_code == 404

    def test_pages_of_priorities(self, cloud: httpx2.Client) -> None:
        """By id and by a part of the name; none is marked as the default here."""
        page = cloud.get("/priority/search?maxResults=1").json()

        assert (len(page["values"]), page["total"], page["isLast"]) == (1, 5, False)
        assert [each["name"] for each in cloud.get("/priority/search?id=2").json()["values"]] == ["High"]
        assert not any(each["isDefault"] for each in cloud.get("/priority/search").json()["values"])

    def test_kinds_of_links(self, api: httpx2.Client) -> None:
        """Made, renamed, removed; a name is had once."""
        body = {"name": "Causes", "inward": "is caused by", "outward": "causes"}
        made = api.post("/issueLinkType", json=body)
        path = f"/issueLinkType/{made.json()['id']}"

        assert made.status_code == 201
        assert api.post("/issueLinkType", json=body).status_code == 409
        assert set(api.post("/issueLinkType", json={}).json()["errors"]) == {"name", "inward", "outward"}
        assert api.put(path, json={"name": "Problem"}).json()["name"] == "Problem"
        assert api.delete(path).status_code == 204
        assert api.get(path).status_code == 404

    def test_labels(self, cloud: httpx2.Client) -> None:
        """Bare words, as long as some ticket carries them."""
        cloud.put("/issue/HARB-3", json={"fields": {"labels": ["aaa-first"]}}).raise_for_status()
        page = cloud.get("/label?maxResults=1").json()

        assert (page["values"], page["isLast"]) == (["aaa-first"], False)

    def test_what_clients_ask_at_login(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Settings, types of projects, links to other products, and whether the site is up."""
        assert api.get("/configuration").json()["timeTrackingEnabled"]
        assert "software" in [kind["key"] for kind in api.get("/project/type").json()]
        assert api.get("/project/type/wish").status_code == 404
        with any_jira.client(auth=None) as client:
            assert client.get("/status").json() == {"state": "RUNNING"}
            assert client.get("/rest/api/2/serverInfo").json()["baseUrl"] == any_jira.url
        with any_jira.client() as client:
            assert client.get("/rest/applinks/latest/listApplicationlinks").json() == {"list": []}
