"""The unmodified `jira` package sets up a site and works in it: Cloud over TLS, and Data Center under /jira."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jira import JIRA, JIRAError

from tests.servers.sandbox import RunningJira
from tests.servers.sites import running
from triage_sandbox.jira import Login, Story

NAMES = {"cloud": ("admin@example.com", "user@example.com"), "server": ("admin", "user")}
TRAITS: dict[str, dict[str, Any]] = {
    "cloud": {"deployment": "cloud"},
    "server": {"deployment": "server", "context_path": "/jira"},
}


class Site:
    """A running Jira, and how the package comes into it."""

    def __init__(self, jira: RunningJira, kind: str, trusted: Path | None) -> None:
        self.kind = kind
        self.cloud = kind == "cloud"
        self.url = jira.url + jira.app.site.context_path
        self.names = NAMES[kind]
        self.options = {"verify": False if trusted is None else str(trusted)}

    def login(self, name: str, **how: Any) -> Any:
        """A client as people make one, apart from its retries."""
        how = how or {"basic_auth": (name, "secret")}
        return JIRA(server=self.url, options=self.options, max_retries=0, **how)


@pytest.fixture(scope="module", params=["cloud", "server"])
def site(request: pytest.FixtureRequest, certificate: Path) -> Iterator[Site]:
    """Both deployments, each with an administrator and a plain user."""
    kind = str(request.param)
    admin, user = NAMES[kind]
    logins = (Login(name=admin, secret="secret", admin=True), Login(name=user, secret="secret"))
    story = Story.of_company(tickets=False)
    with running(tls=certificate, seed=story, logins=logins, **TRAITS[kind]) as jira:
        yield Site(jira, kind, certificate)


@pytest.fixture(scope="module")
def admin(site: Site) -> Iterator[Any]:
    """The package with all rights, two projects already made with it."""
    client = site.login(site.names[0], basic_auth=(site.names[0], "secret"), validate=True)
    for key in ("CLIA", "CLIB"):
        client.create_project(key, f"Client {key}")
    yield client
    client.close()


@pytest.fixture(scope="module")
def user(site: Site, admin: Any) -> Iterator[Any]:
    """The package as somebody who only works there, in the projects that the administrator made."""
    client = site.login(site.names[1])
    yield client
    client.close()


@pytest.fixture(scope="module")
def issue(admin: Any) -> Any:
    """A ticket in the second project."""
    return admin.create_issue(project="CLIB", summary="one", issuetype={"name": "Bug"})


class TestComingIn:
    """How the package logs in, and what it learns first."""

    def test_everything_stands_below_the_address_it_was_given(self, site: Site, admin: Any, issue: Any) -> None:
        """Links to issues, people and files begin with it, the context path included."""
        assert admin.server_info()["baseUrl"] == site.url
        assert admin._is_cloud is site.cloud
        assert issue.self.startswith(f"{site.url}/rest/api/2/issue/")
        assert issue.fields.reporter.self.startswith(f"{site.url}/rest/api/2/user?")
        assert admin.session().raw["self"].startswith(site.url)
        admin.kill_websudo()

    def test_a_cookie_is_as_good_as_a_password(self, site: Site, admin: Any) -> None:
        """The package fetches a session and shows its cookie."""
        with pytest.warns(DeprecationWarning, match="Cookie based"):
            other = site.login("", auth=(site.names[0], "secret"))

        assert other.myself() == admin.myself()
        assert "JSESSIONID" in other._session.cookies
        other.close()

    def test_a_personal_token_is_as_good_as_a_password(self, site: Site, admin: Any) -> None:
        """Data Center makes them on request, the raw token comes once; Cloud knows nothing of them."""
        wish = {"name": "laptop", "expirationDuration": 1}
        if site.cloud:
            with pytest.raises(JIRAError) as unknown:
                admin._session.post(f"{site.url}/rest/pat/latest/tokens", json=wish)
            assert unknown.value.status_code == 404
            return
        made = admin._session.post(f"{site.url}/rest/pat/latest/tokens", json=wish).json()
        other = site.login("", token_auth=made["rawToken"])

        assert other.myself() == admin.myself()
        other.close()

    def test_wrong_passwords(self, site: Site) -> None:
        """The package says 401."""
        with pytest.raises(JIRAError) as refused:
            site.login("", basic_auth=("nobody", "wrong"), validate=True)

        assert refused.value.status_code == 401

    def test_an_address_that_is_none(self, admin: Any) -> None:
        """404 with words."""
        with pytest.raises(JIRAError) as lost:
            admin.find("woopsydoodle/{0}", "666")

        assert (lost.value.status_code, bool(lost.value.text)) == (404, True)


class TestProjects:
    """Projects as the package makes and finds them."""

    def test_projects_expand(self, admin: Any) -> None:
        """What is not asked for is not there."""
        assert {"CLIA", "CLIB"} <= {project.key for project in admin.projects()}
        assert not any(hasattr(project, "projectKeys") for project in admin.projects())
        assert admin.project("CLIB", expand="projectKeys").projectKeys == ["CLIB"]

    def test_a_project_comes_and_goes(self, admin: Any, user: Any) -> None:
        """Made once; a second one of that name is refused; gone with its tickets; its key is free again."""
        admin.create_project("CLIX", "Client X")
        admin.create_issue(project="CLIX", summary="short life", issuetype={"name": "Task"})
        with pytest.raises(JIRAError, match="A project with that name already exists"):
            admin.create_project("CLIY", "Client X")
        with pytest.raises(JIRAError) as refused:
            user.create_project("CLIZ", "not allowed")
        assert refused.value.status_code == 403

        assert admin.delete_project("CLIX")
        with pytest.raises(JIRAError, match="No project could be found with key 'CLIX'"):
            admin.project("CLIX")
        admin.create_project("CLIX", "Client X")
        assert admin.delete_project("CLIX")

    def test_schemes(self, site: Site, admin: Any) -> None:
        """What the package looks for before it makes a project, and what it finds in one."""
        assert admin.project_permissionscheme("CLIB").name == "Default Permission Scheme"
        assert admin.project_notification_scheme("CLIB").name == "Default Notification Scheme"
        assert len(admin.issue_type_schemes()) == 2
        assert admin.get_issue_type_scheme_associations("10001")[0]["lead"]
        with pytest.raises(JIRAError) as none:
            admin.project_issue_security_level_scheme("CLIB")
        assert none.value.status_code == 404
        if not site.cloud:
            assert admin.project_workflow_scheme("CLIB").name == "CLIB: Software Simplified Workflow Scheme"
            assert admin.project_priority_scheme("CLIB").name == "Default priority scheme"
            assert "Scrum software development" in admin.templates()

    def test_statuses_by_kind(self, admin: Any) -> None:
        """Every state of a project is found again by id and by name."""
        kinds = admin.issue_types_for_project("CLIB")
        names = [state.name for state in kinds[0].statuses]

        assert names == ["To Do", "In Progress", "In Review", "Done"]
        assert [admin.status(state.id).name for state in kinds[0].statuses] == names
        assert [admin.status(name).name for name in names] == names
        assert admin.statuscategory(1).name == "No Category"


class TestParts:
    """Components and versions."""

    def test_component(self, site: Site, admin: Any) -> None:
        """Made, read, changed, gone; a lead's component needs a lead."""
        made = admin.create_component(
            "Cellar", "CLIB", description="test!!", assigneeType="COMPONENT_LEAD", isAssigneeTypeValid=False
        )
        assert (made.assigneeType, made.isAssigneeTypeValid) == ("COMPONENT_LEAD", False)
        with pytest.raises(JIRAError, match="already exists"):
            admin.create_component("Cellar", "CLIB")

        if not site.cloud:
            made.update(name="Roof", leadUserName=admin.current_user())
            assert (made.name, made.lead.name) == ("Roof", admin.current_user())
        assert admin.component_count_related_issues(made.id) == 0
        assert made.id in [part.id for part in admin.project_components("CLIB")]
        made.delete()
        with pytest.raises(JIRAError):
            admin.component(made.id)

    def test_version(self, admin: Any, issue: Any) -> None:
        """Made, renamed, moved, counted; gone, and the ticket lives on without it."""
        first = admin.create_version("1.0", "CLIB", "soon", releaseDate="2015-03-11")
        second = admin.create_version("2.0", "CLIB")
        assert (first.releaseDate, first.description, first.overdue) == ("2015-03-11", "soon", True)

        admin.rename_version("CLIB", "1.0", "1.1")
        assert admin.get_project_version_by_name("CLIB", "1.1").id == first.id
        assert admin.get_project_version_by_name("CLIB", "1.0") is None
        admin.move_version(first.id, position="Last")
        assert [version.name for version in admin.project_versions("CLIB")] == ["2.0", "1.1"]
        issue.update(fields={"fixVersions": [{"id": first.id}]})
        assert admin.version_count_related_issues(first.id)["issuesFixedCount"] == 1
        assert admin.version_count_unresolved_issues(first.id) == 1
        first.delete(moveFixIssuesTo=second.id)
        assert [version.name for version in admin.issue(issue.key).fields.fixVersions] == ["2.0"]
        second.delete()
        assert admin.issue(issue.key).fields.fixVersions == []


class TestPeople:
    """Roles, groups, accounts and who may do what."""

    def test_roles(self, site: Site, admin: Any) -> None:
        """Administrators are there from the start; others can be named instead."""
        roles = admin.project_roles("CLIA")
        role = admin.project_role("CLIA", roles["Administrators"]["id"])
        assert "jira-administrators" in [actor.displayName for actor in role.actors]

        me = admin.myself()["accountId" if site.cloud else "name"]
        role.update(users=me, groups="jira-administrators")
        role = admin.project_role("CLIA", int(roles["Administrators"]["id"]))
        assert [actor.displayName for actor in role.actors] == ["admin", "jira-administrators"]
        admin.project_role("CLIA", roles["Developers"]["id"]).add_user(users=[me])
        developers = admin.project_role("CLIA", roles["Developers"]["id"])
        assert [actor.displayName for actor in developers.actors] == ["admin"]

    def test_groups_and_accounts(self, site: Site, admin: Any) -> None:
        """A group is made and filled, an account made and removed."""
        assert admin.groups("jira-admin") == ["jira-administrators"]
        assert admin.group("jira-administrators").name == "jira-administrators"
        me = admin.myself()["accountId" if site.cloud else "name"]
        assert me in admin.group_members("jira-administrators")
        admin.add_group("night-shift")
        if not site.cloud:
            admin.add_user("tess", "tess@example.com", password="pw", fullname="Tess")
            with pytest.raises(JIRAError, match="A user with that username already exists"):
                admin.add_user("tess", "tess@example.com", password="pw")
            assert admin.add_user("tess", "tess@example.com", ignore_existing=True)
            admin.add_user_to_group("tess", "night-shift")
            assert list(admin.group_members("night-shift")) == ["tess"]
            admin.remove_user_from_group("tess", "night-shift")
            assert list(admin.group_members("night-shift")) == []
            assert admin.delete_user("tess")
            assert admin.search_users("tess") == []
        admin.remove_group("night-shift")
        assert admin.groups("night-shift") == []

    def test_searches(self, site: Site, admin: Any, issue: Any) -> None:
        """One person is found by name wherever the package asks."""
        asked = {"query": "admin"} if site.cloud else {"username": "admin"}
        found = admin.search_users(query="admin") if site.cloud else admin.search_users("admin")
        everywhere = [] if site.cloud else admin.search_assignable_users_for_projects("admin", "CLIA,CLIB")

        assert [who.displayName for who in found] == ["admin"]
        assert [who.displayName for who in everywhere] == ([] if site.cloud else ["admin"])
        assert len(admin.search_assignable_users_for_issues(project="CLIB", **asked)) == 1
        assert len(admin.search_assignable_users_for_issues(issueKey=issue.key, **asked)) == 1
        assert admin.search_allowed_users_for_issue("admin", issueKey=issue.key)[0].displayName == "admin"

    def test_permissions(self, site: Site, user: Any) -> None:
        """Data Center tells all at once, Cloud those that are named."""
        here = user.my_permissions(projectKey="CLIA", permissions="CREATE_ISSUES,ADMINISTER_PROJECTS")["permissions"]

        assert {name: told["havePermission"] for name, told in here.items()} == {
            "CREATE_ISSUES": True,
            "ADMINISTER_PROJECTS": False,
        }
        if not site.cloud:
            assert len(user.my_permissions()["permissions"]) >= 40


def test_strangers_see_no_projects(site: Site) -> None:
    """Without credentials the package gets an empty list from Cloud and from Data Center."""
    stranger: Any = JIRA(server=site.url, options=site.options, max_retries=0)

    assert stranger.projects() == []
    stranger.close()
