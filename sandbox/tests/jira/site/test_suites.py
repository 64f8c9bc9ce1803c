"""What suites of other Jira clients expect of a site, and the sandbox once did otherwise."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.rest.made import new_issue
from sandbox.tests.jira.rest.test_projects import make
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.database import Database

ACCOUNT = re.compile(r"[0-9a-f]{24}|\d{5,6}:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
KEY = re.compile(r"JIRAUSER\d{5,}")
UNKNOWN = "98765"


@pytest.fixture
def large(large_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API of the site with the larger past."""
    with large_jira.api() as client:
        yield client


class TestPeople:
    """Ids as real sites give them: suites check their form, clients tell a key from a name by it."""

    def test_account_ids(self, cloud: httpx2.Client) -> None:
        """24 hexadecimal digits or digits, a colon and a UUID: those of the demo and of new people."""
        made = cloud.post("/user", json={"emailAddress": "new@example.com", "products": []}).json()
        people = [*cloud.get("/users/search?maxResults=1000").json(), made, cloud.get("/myself").json()]

        assert len(people) > 10
        assert [person["accountId"] for person in people if not ACCOUNT.fullmatch(person["accountId"])] == []
        assert len({":" in person["accountId"] for person in people}) == 2

    def test_user_keys(self, server: httpx2.Client) -> None:
        """A number behind the word, another one for each; by it one is found."""
        made = server.post("/user", json={"name": "new", "emailAddress": "n@example.com", "displayName": "New"}).json()
        people = [*server.get("/user/search?username=.&maxResults=1000").json(), made]

        assert [person["key"] for person in people if not KEY.fullmatch(person["key"])] == []
        assert len({person["key"] for person in people}) == len({person["name"] for person in people})
        assert server.get("/user", params={"key": made["key"]}).json()["name"] == "new"

    def test_a_file_from_before_the_numbers(self, tmp_path: Path) -> None:
        """A site that was kept by an older sandbox opens, and its people have keys."""
        path = tmp_path / "jira.sqlite"
        old = sqlite3.connect(path)
        old.executescript(
            "CREATE TABLE issue (id INTEGER); CREATE TABLE account (id TEXT PRIMARY KEY, name TEXT);"
            "INSERT INTO account VALUES ('acc-1', 'ada'), ('acc-2', 'ben')"
        )
        old.close()
        found = Database(path)
        found.insert("account", {"id": "acc-3", "name": "cy"})

        assert [row["number"] for row in found.all("SELECT number FROM account ORDER BY id")] == [10100, 10200, 10300]
        found.close()

    def test_preferences(self, api: httpx2.Client) -> None:
        """One string per key, the caller's own; 404 for what was never set and without a key."""
        path = "/mypreferences?key=user.notifications.mimetype"

        assert (api.get(path).status_code, api.delete(path).status_code) == (404, 404)
        assert api.put(path, json="html").status_code == 204
        assert api.get(path).json() == "html"
        assert api.delete(path).status_code == 204
        assert (api.get(path).status_code, api.get("/mypreferences").status_code) == (404, 404)


class TestCatalogues:
    """Kinds and priorities."""

    def test_the_first_kind_is_one_that_anybody_can_create(self, api: httpx2.Client) -> None:
        """Suites take the first of the list; an epic needs fields that they do not send."""
        kinds = api.get("/issuetype").json()

        assert (kinds[0]["name"] != "Epic", kinds[0]["subtask"]) == (True, False)
        assert "Epic" in {kind["name"] for kind in kinds}

    def test_what_is_not_there_cannot_be_removed(self, api: httpx2.Client) -> None:
        """404 for an unknown kind and an unknown priority."""
        assert api.delete(f"/issuetype/{UNKNOWN}").status_code == 404
        assert api.delete(f"/priority/{UNKNOWN}").status_code == 404

    def test_a_kind_in_use_needs_another_one(self, api: httpx2.Client) -> None:
        """404 without one, 409 where it does not fit, and the issues become what was named."""
        kinds = {kind["name"]: kind["id"] for kind in api.get("/issuetype").json()}
        issue = new_issue(api, "HARB", "Story")
        path = f"/issuetype/{kinds['Story']}"

        assert api.delete(path).status_code == 404
        assert api.delete(path, params={"alternativeIssueTypeId": kinds["Sub-task"]}).status_code == 409
        assert api.delete(path, params={"alternativeIssueTypeId": kinds["Task"]}).status_code == 204
        assert api.get(f"/issue/{issue}").json()["fields"]["issuetype"]["name"] == "Task"
        assert "Story" not in {kind["name"] for kind in api.get("/issuetype").json()}

    def test_a_priority_in_use_stays(self, cloud: httpx2.Client) -> None:
        """Its issues would need another one."""
        assert cloud.delete("/priority/3").status_code == 400
        assert cloud.get("/priority/3").status_code == 200


class TestProjects:
    """Workflows, roles, components."""

    @pytest.mark.parametrize("template", ["gh-simplified-scrum-classic", "gh-simplified-kanban-classic"])
    def test_a_board_s_workflow_has_no_screens(
        self, server_jira: RunningJira, server: httpx2.Client, template: str
    ) -> None:
        """Data Center asks for a resolution in classic workflows alone; in a simplified one it sets it by itself."""
        key = make(server_jira, server, projectTemplateKey=f"com.pyxis.greenhopper.jira:{template}")
        issue = new_issue(server, key)
        steps = server.get(f"/issue/{issue}/transitions?expand=transitions.fields").json()["transitions"]
        done = next(step for step in steps if step["to"]["statusCategory"]["key"] == "done")

        assert done["fields"] == {}
        assert server.post(f"/issue/{issue}/transitions", json={"transition": {"id": done["id"]}}).status_code == 204
        assert server.get(f"/issue/{issue}").json()["fields"]["resolution"]["name"] == "Done"

    def test_roles_of_a_team_managed_project(self, large_jira: RunningJira, large: httpx2.Client) -> None:
        """On Cloud Administrator, Member and Viewer, each of that project alone; others have the site's."""
        roles = large.get("/project/PACK/role").json()
        if not large_jira.cloud:
            assert roles.keys() == large.get("/project/HARB/role").json().keys()
            return
        details = large.get("/project/PACK/roledetails").json()
        one = large.get(roles["Member"]).json()

        assert set(roles) == {"Administrator", "Member", "Viewer"} == {role["name"] for role in details}
        assert one["scope"] == {"type": "PROJECT", "project": {"id": large.get("/project/PACK").json()["id"]}}
        assert "Administrators" in large.get("/project/HARB/role").json()
        assert "scope" not in large.get("/project/HARB/roledetails").json()[0]

    def test_pages_of_components_carry_what_is_documented(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Each deployment has its own page, with the keys of its document and no others."""
        both = {"self", "id", "name", "description", "lead", "assigneeType", "project"}
        cloud = {"issueCount", "isAssigneeTypeValid", "realAssigneeType", "projectId", "assignee", "realAssignee"}
        ours, theirs = "/project/HARB/component", "/component/page?projectIds=HARB"
        path, other = (ours, theirs) if any_jira.cloud else (theirs, ours)
        page = api.get(path).json()
        keys = {key for component in page["values"] for key in component}

        assert (page["total"], api.get(other).status_code) == (8, 404)
        assert both <= keys <= both | (cloud if any_jira.cloud else {"archived", "deleted"})

    def test_actors_carry_what_is_documented(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """People and groups with a role, by the keys of each deployment's document."""
        roles = api.get("/project/HARB/role").json()
        actors = [actor for url in roles.values() for actor in api.get(url).json()["actors"]]
        keys = {key for actor in actors for key in actor}

        assert keys == {"id", "displayName", "type", "name", *(("actorUser", "actorGroup") if any_jira.cloud else ())}


class TestSearch:
    """Queries and filters."""

    @pytest.mark.parametrize("word", ["OR", "AND"])
    def test_a_query_of_two_thousand_clauses(self, server: httpx2.Client, word: str) -> None:
        """Posted, Data Center takes it: a client asks for all its keys at once."""
        clauses = [f"key {'=' if word == 'OR' else '!='} HARB-{number}" for number in range(1, 41)] * 50
        query = f"project = HARB AND ({f' {word} '.join(clauses)})"
        answer = server.post("/search", json={"jql": query, "maxResults": 100, "validateQuery": False})

        assert answer.status_code == 200
        assert answer.json()["total"] == (40 if word == "OR" else 30)

    def test_a_filter_without_a_description_has_none(self, api: httpx2.Client) -> None:
        """The key is left out, not empty."""
        bare = api.post("/filter", json={"name": "bare", "jql": "project = HARB"}).json()
        told = api.post("/filter", json={"name": "told", "jql": "project = HARB", "description": "all"}).json()

        assert ("description" in bare, told["description"]) == (False, "all")


class TestBulkMove:
    """Many issues to another project by one request (Cloud)."""

    def test_issues_move(self, cloud_jira: RunningJira, cloud: httpx2.Client) -> None:
        """New keys in the other project, the old ones still lead there; the task tells of each."""
        key = make(cloud_jira, cloud)
        issues = [new_issue(cloud, "HARB"), new_issue(cloud, "HARB")]
        task = cloud.post("/bulk/issues/move", json=moving(cloud, key, [*issues, "HARB-99999"]))
        told = cloud.get(f"/bulk/queue/{task.json()['taskId']}").json()
        now = [cloud.get(f"/issue/{issue}").json() for issue in issues]

        assert (task.status_code, told["status"], told["progressPercent"]) == (201, "COMPLETE", 100)
        assert [issue["key"].partition("-")[0] for issue in now] == [key, key]
        assert [issue["fields"]["issuetype"]["name"] for issue in now] == ["Bug", "Bug"]
        assert told["processedAccessibleIssues"] == [int(issue["id"]) for issue in now]
        assert (told["totalIssueCount"], told["invalidOrInaccessibleIssueCount"]) == (3, 1)

    @pytest.mark.parametrize(
        "sent",
        [
            {},
            {"targetToSourcesMapping": {}},
            {"targetToSourcesMapping": {"HARB,10004": {}}},
            {"targetToSourcesMapping": {"HARB,10004": {"issueIdsOrKeys": []}}},
            {"targetToSourcesMapping": {"HARB,10004": ["HARB-1"]}},
            {"targetToSourcesMapping": {"NOSUCH,10004": {"issueIdsOrKeys": ["HARB-1"]}}},
            {"targetToSourcesMapping": {"HARB,99999": {"issueIdsOrKeys": ["HARB-1"]}}},
            {"targetToSourcesMapping": {"HARB,10005": {"issueIdsOrKeys": ["HARB-1"]}}},
            {"targetToSourcesMapping": {"HARB,10004": {"issueIdsOrKeys": ["HARB-1"] * 1001}}},
        ],
    )
    def test_what_cannot_be_meant_is_refused(self, cloud: httpx2.Client, sent: dict[str, Any]) -> None:
        """No target, no issue, an unknown project or kind, a sub-task without a parent, too many."""
        assert cloud.post("/bulk/issues/move", json=sent).status_code == 400

    def test_a_task_that_is_not_there(self, cloud: httpx2.Client) -> None:
        """404."""
        assert cloud.get("/bulk/queue/1").status_code == 404


def moving(api: httpx2.Client, project: str, issues: list[str]) -> dict[str, Any]:
    """A request that makes them bugs of this project."""
    bug = next(kind["id"] for kind in api.get("/issuetype").json() if kind["name"] == "Bug")
    inferred = dict.fromkeys(
        ("inferClassificationDefaults", "inferFieldDefaults", "inferStatusDefaults", "inferSubtaskTypeDefault"), True
    )
    return {"targetToSourcesMapping": {f"{project},{bug}": {"issueIdsOrKeys": issues, **inferred}}}
