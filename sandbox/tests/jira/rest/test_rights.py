"""What a caller may not do is refused as Jira refuses it, and what they may is told beforehand."""

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from tests.servers.sites import running
from triage_sandbox.jira import Login, Story

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
PLAIN = ("plain", "plain-secret")
LINK = {"type": {"name": "Relates"}, "inwardIssue": {"key": "HARB-3"}, "outwardIssue": {"key": "HARB-4"}}
REFUSALS = [  # what is missing, what is tried, and what Cloud and Data Center answer
    ("ADD_COMMENTS", "POST", "/issue/HARB-3/comment", {"body": "words"}, 400, 400),
    ("DELETE_ISSUES", "DELETE", "/issue/HARB-3", None, 403, 403),
    ("TRANSITION_ISSUES", "POST", "/issue/HARB-3/transitions", {"transition": {"id": "41"}}, 400, 400),
    ("MODIFY_REPORTER", "PUT", "/issue/HARB-3", {"fields": {"reporter": None}}, 400, 400),
    ("LINK_ISSUES", "POST", "/issueLink", LINK, 404, 401),
    ("ADMINISTER_PROJECTS", "POST", "/component", {"name": "x", "project": "HARB"}, 403, 401),
    ("ADMINISTER_PROJECTS", "POST", "/version", {"name": "x", "project": "HARB"}, 403, 401),
    ("ADMINISTER_PROJECTS", "PUT", "/project/HARB", {"name": "x"}, 403, 401),
    ("ADMINISTER_PROJECTS", "POST", "/project/HARB/role/10001", {"group": ["jira-software-users"]}, 403, 401),
]


def deny(jira: RunningJira, *permissions: str, project: str = "HARB") -> None:
    """Take permissions from the bot, in a project."""
    with jira.client() as door:
        body = {"user": jira.user, "deny": permissions, "project": project}
        assert door.post("/__sandbox__/permissions", json=body).status_code == 204


def told(answer: httpx2.Response) -> str:
    """Everything that a refusal says."""
    body = answer.json()
    return " ".join([*body["errorMessages"], *body["errors"].values()])


class TestMissing:
    """One permission is missing; everything else is there."""

    def test_what_cannot_be_seen_is_not_there(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """404 for the project and its tickets, and searches find none of them: never 403, which would tell."""
        deny(any_jira, "BROWSE_PROJECTS")
        path = "/search/jql" if any_jira.cloud else "/search"

        assert api.get("/project/HARB").status_code == 404
        assert api.get("/issue/HARB-3").status_code == 404
        assert "HARB" not in [project["key"] for project in api.get("/project").json()]
        found = api.get(path, params={"jql": "labels is not EMPTY", "fields": "key"}).json()["issues"]
        assert [issue for issue in found if issue["key"].startswith("HARB")] == []
        assert api.post("/issue", json={"fields": {**BUG, "summary": "x"}}).json()["errors"].keys() == {"project"}
        assert api.get("/project/HELP").status_code == 200

    def test_creating(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """400 at the field `project`, and no form offers it."""
        deny(any_jira, "CREATE_ISSUES")
        refused = api.post("/issue", json={"fields": {**BUG, "summary": "x"}})

        assert (refused.status_code, set(refused.json()["errors"])) == (400, {"project"})
        assert api.get("/issue/HARB-71").status_code == 404

    def test_assigning(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """The field is on no form; a new ticket goes without; giving it to somebody is refused."""
        deny(any_jira, "ASSIGN_ISSUES")
        me = {"accountId": any_jira.bot} if any_jira.cloud else {"name": any_jira.user}
        with_me = api.post("/issue", json={"fields": {**BUG, "summary": "x", "assignee": me}})

        assert with_me.json()["errors"] == {
            "assignee": "Field 'assignee' cannot be set. It is not on the appropriate screen, or unknown."
        }
        assert "assignee" not in api.get("/issue/HARB-3/editmeta").json()["fields"]
        assert api.post("/issue", json={"fields": {**BUG, "summary": "x"}}).status_code == 201
        assert api.put("/issue/HARB-3/assignee", json=me).status_code == (403 if any_jira.cloud else 401)

    def test_editing(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """There is no form at all, so every field is refused."""
        deny(any_jira, "EDIT_ISSUES")
        refused = api.put("/issue/HARB-3", json={"fields": {"summary": "x"}})

        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["summary"])
        assert api.get("/issue/HARB-3/editmeta").json() == {"fields": {}}

    @pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: f"{refusal[0]}{refusal[2]}")
    def test_each_refusal(self, any_jira: RunningJira, refusal: tuple[str, str, str, object, int, int]) -> None:
        """Each answer has the status of its deployment, and words."""
        permission, method, path, body, cloud, server = refusal
        deny(any_jira, permission)
        with any_jira.api("2") as api:
            refused = api.request(method, path, json=body)

        assert refused.status_code == (cloud if any_jira.cloud else server)
        assert told(refused)

    def test_attaching(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """403, and the ticket has no more files than before."""
        deny(any_jira, "CREATE_ATTACHMENTS")
        files = {"file": ("x.txt", b"x")}
        sent = api.post("/issue/HARB-3/attachments", files=files, headers={"X-Atlassian-Token": "no-check"})

        assert sent.status_code == 403
        assert api.get("/issue/HARB-3?fields=attachment").json()["fields"]["attachment"] == []

    def test_looking_people_up(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Searches find nobody, and others cannot be read."""
        with any_jira.client() as door:
            door.post("/__sandbox__/permissions", json={"user": any_jira.user, "deny": ["USER_PICKER"]})
        name = "accountId=712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4" if any_jira.cloud else "username=oskar.lindqvist"
        asked = "query=os" if any_jira.cloud else "username=os"

        assert api.get(f"/user/search?{asked}").json() == []
        assert api.get(f"/user?{name}").status_code == 403
        assert api.get("/myself").status_code == 200

    def test_what_was_taken_comes_back(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """The same door gives it back; elsewhere it was never gone."""
        deny(any_jira, "BROWSE_PROJECTS")
        assert api.get("/issue/HARB-3").status_code == 404

        deny(any_jira)
        assert api.get("/issue/HARB-3").status_code == 200

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"user": "nobody", "deny": []},
            {"user": "triage.bot", "deny": ["FLY"]},
            {"user": "triage.bot", "project": "X"},
        ],
    )
    def test_nonsense_takes_nothing(self, cloud_jira: RunningJira, body: object) -> None:
        """An unknown person, permission or project is a 400."""
        with cloud_jira.client() as door:
            assert door.post("/__sandbox__/permissions", json=body).status_code == 400


class TestTold:
    """What the caller may is told before they try."""

    def test_my_permissions(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """By project, by ticket, or anywhere; Cloud wants them named, Data Center tells all."""
        deny(any_jira, "ASSIGN_ISSUES")
        names = {"permissions": "ASSIGN_ISSUES,CREATE_ISSUES"}

        for where in ({"projectKey": "HARB"}, {"issueKey": "HARB-3"}):
            found = api.get("/mypermissions", params={**names, **where}).json()["permissions"]
            assert {name: each["havePermission"] for name, each in found.items()} == {
                "ASSIGN_ISSUES": False,
                "CREATE_ISSUES": True,
            }
        assert api.get("/mypermissions", params=names).json()["permissions"]["ASSIGN_ISSUES"]["havePermission"]
        everything = api.get("/mypermissions", params={"projectKey": "HARB"})
        assert everything.status_code == (400 if any_jira.cloud else 200)
        assert api.get("/mypermissions", params={"permissions": "FLY"}).status_code == 400

    def test_permissions_of_projects(self, cloud_jira: RunningJira) -> None:
        """Cloud answers for many at once, and an empty question with nothing."""
        deny(cloud_jira, "CREATE_ISSUES")
        with cloud_jira.api() as api:
            harb = int(api.get("/project/HARB").json()["id"])
            asked = [{"permissions": ["CREATE_ISSUES", "ADD_COMMENTS"], "projects": [harb]}]
            checked = api.post(
                "/permissions/check", json={"globalPermissions": ["ADMINISTER"], "projectPermissions": asked}
            )

            assert checked.json()["globalPermissions"] == ["ADMINISTER"]
            assert [part["projects"] for part in checked.json()["projectPermissions"]] == [[], [harb]]
            assert api.post("/permissions/check", json={}).json() == {"globalPermissions": [], "projectPermissions": []}
            permitted = api.post("/permissions/project", json={"permissions": ["CREATE_ISSUES"]}).json()["projects"]
            assert "HARB" not in [project["key"] for project in permitted]


class TestGranted:
    """Rights come from roles and schemes, as in Jira."""

    @pytest.mark.parametrize("deployment", ["cloud", "server"])
    def test_a_role_gives_and_its_loss_takes(self, deployment: str) -> None:
        """A plain user works because all users are in a role; out of it they see nothing."""
        logins = (Login(name="chief", secret="s", admin=True), Login(name=PLAIN[0], secret=PLAIN[1]))
        traits = {"deployment": deployment, "seed": Story.of_company(tickets=False), "logins": logins}
        with running(tls=None, **traits) as jira, jira.api(auth=("chief", "s")) as chief, jira.api(auth=PLAIN) as plain:
            assert plain.post("/issue", json={"fields": {**BUG, "summary": "x"}}).status_code == 201
            assert plain.delete("/issue/HARB-1").status_code == 403
            assert plain.post("/project", json={}).status_code == 403

            users = {"group": "jira-software-users"}
            assert chief.delete("/project/HARB/role/10000", params=users).status_code == 204
            assert plain.get("/project/HARB").status_code == 404
            assert plain.post("/issue", json={"fields": {**BUG, "summary": "x"}}).status_code == 400
            me = plain.get("/myself").json()
            key = me["accountId"] if jira.cloud else me["name"]
            assert chief.post("/project/HARB/role/10002", json={"user": [key]}).status_code == 200
            assert plain.delete("/issue/HARB-1").status_code == 204

    def test_a_grant_of_the_scheme(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Taken away from the role it is gone for all of them, and can be granted again."""
        scheme = api.get("/project/HARB/permissionscheme").json()["id"]
        grants = api.get(f"/permissionscheme/{scheme}/permission").json()["permissions"]
        mine = [grant for grant in grants if grant["permission"] == "DELETE_ISSUES"]
        for grant in mine:
            assert api.delete(f"/permissionscheme/{scheme}/permission/{grant['id']}").status_code == 204

        assert api.delete("/issue/HARB-3").status_code == 403
        holder = {"type": "group", "parameter": "jira-administrators"}
        made = api.post(
            f"/permissionscheme/{scheme}/permission", json={"permission": "DELETE_ISSUES", "holder": holder}
        )
        assert made.status_code == 201
        assert made.json()["holder"]["parameter"] == "jira-administrators"
        assert api.delete("/issue/HARB-3").status_code == 204
        assert any_jira.requests("POST")
