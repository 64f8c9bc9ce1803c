"""The sandbox's filters: saved, shared, starred, found, by the rules of each deployment."""

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.identity import Login, admit


def make(api: httpx2.Client, name: str = "bugs", **more: object) -> str:
    """A new filter's number."""
    answer = api.post("/filter", json={"name": name, "jql": "project = HARB AND type = Bug", **more})
    assert answer.status_code == 200
    return str(answer.json()["id"])


def test_a_filter_is_private_and_readable(api: httpx2.Client, any_jira: RunningJira) -> None:
    """Owned by who made it, with addresses for people and programs, shared with nobody."""
    told = api.get(f"/filter/{make(api, description='all of them')}").json()

    assert told["jql"] == "project = HARB AND type = Bug"
    assert told["owner"]["displayName"] == "Triage Bot"
    assert told["viewUrl"] != told["searchUrl"]
    assert (told["sharePermissions"], told["favourite"]) == ([], False)
    assert ("editable" in told) is not any_jira.cloud


@pytest.mark.parametrize("jql", ["nosuchfield = 1", 'project = "unterminated', "project = NOSUCH"])
def test_a_query_that_cannot_be_asked_is_not_saved(api: httpx2.Client, jql: str) -> None:
    """Neither at first nor later."""
    number = make(api)

    assert api.post("/filter", json={"name": "wrong", "jql": jql}).status_code == 400
    assert api.put(f"/filter/{number}", json={"name": "bugs", "jql": jql}).status_code == 400
    assert api.get(f"/filter/{number}").json()["jql"] == "project = HARB AND type = Bug"


def test_names_are_used_once(api: httpx2.Client) -> None:
    """Per owner; a filter may keep its own when it changes."""
    number = make(api)
    again = api.post("/filter", json={"name": "BUGS", "jql": ""})

    assert again.status_code == 400
    assert again.json()["errors"] == {"filterName": "Filter with same name already exists."}
    assert api.put(f"/filter/{number}", json={"name": "bugs", "description": "x"}).json()["description"] == "x"
    assert api.post("/filter", json={"jql": ""}).status_code == 400


def test_deleted_is_gone(api: httpx2.Client, any_jira: RunningJira) -> None:
    """204, then 404 on Cloud and 400 on Data Center."""
    number = make(api)

    assert api.delete(f"/filter/{number}").status_code == 204
    assert api.get(f"/filter/{number}").status_code == (404 if any_jira.cloud else 400)


def test_others_see_what_is_shared(api: httpx2.Client, any_jira: RunningJira) -> None:
    """A share opens it to others for reading, its end closes it again."""
    number = make(api)
    admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
    with any_jira.api(auth=("oskar.lindqvist", "o")) as oskar:
        assert oskar.get(f"/filter/{number}").status_code >= 400
        shares = api.post(f"/filter/{number}/permission", json={"type": "project", "projectId": "10000"})
        assert shares.status_code == 201
        (share,) = shares.json()
        assert share["project"]["key"] == "HARB"
        assert oskar.get(f"/filter/{number}").status_code == 200
        assert oskar.delete(f"/filter/{number}").status_code >= 400
        assert api.get(f"/filter/{number}/permission/{share['id']}").json() == share
        assert api.delete(f"/filter/{number}/permission/{share['id']}").status_code == 204
        assert oskar.get(f"/filter/{number}").status_code >= 400
    assert api.get(f"/filter/{number}/permission").json() == []
    assert api.get("/filter/99999999/permission").status_code == 404
    assert api.get("/filter/defaultShareScope").json() == {"scope": "PRIVATE"}


@pytest.mark.parametrize(
    ("share", "opens"),
    [
        ({"type": "global"}, True),
        ({"type": "authenticated"}, True),
        ({"type": "group", "groupname": "jira-software-users"}, True),
        ({"type": "group", "groupname": "jira-administrators"}, False),
        ({"type": "projectRole", "projectId": "10000", "projectRoleId": "10002"}, False),
        ({"type": "projectRole", "projectId": "10000", "projectRoleId": "10000"}, True),
        (
            {"type": "user", "accountId": "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4", "userKey": "oskar.lindqvist"},
            True,
        ),
    ],
)
def test_who_is_meant_by_a_share(
    api: httpx2.Client, any_jira: RunningJira, share: dict[str, str], *, opens: bool
) -> None:
    """Everybody, a group, a role or one person, and nobody beside."""
    number = make(api)
    assert api.post(f"/filter/{number}/permission", json=share).status_code == 201
    admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
    with any_jira.api(auth=("oskar.lindqvist", "o")) as oskar:
        assert (oskar.get(f"/filter/{number}").status_code == 200) is opens
    for wrong in ({"type": "planet"}, {"type": "group", "groupname": "kings"}, {"type": "user", "userKey": "king"}):
        assert api.post(f"/filter/{number}/permission", json=wrong).status_code == 400


def test_columns(api: httpx2.Client) -> None:
    """None at first, then its own, then none again; unknown fields are no columns."""
    path = f"/filter/{make(api)}/columns"

    assert api.get(path).status_code == 404
    assert api.put(path, data={"columns": ["summary", "status"]}).status_code == 200
    assert [column["value"] for column in api.get(path).json()] == ["summary", "status"]
    assert api.put(path, json={"columns": ["colour"]}).status_code == 400
    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404


def test_stars(cloud_jira: RunningJira) -> None:
    """Somebody's own, set and taken by address on Cloud."""
    with cloud_jira.api() as api:
        number = make(api, favourite="true")
        assert [each["id"] for each in api.get("/filter/favourite").json()] == [number]
        assert api.delete(f"/filter/{number}/favourite").json()["favourite"] is False
        assert api.put(f"/filter/{number}/favourite").json()["favouritedCount"] == 1


def test_lists_of_cloud(cloud_jira: RunningJira) -> None:
    """Those that are mine, and a page of those that match, brief unless expanded."""
    with cloud_jira.api() as api:
        number = make(api, "Bugs of the week")
        assert [each["id"] for each in api.get("/filter/my").json()] == [number]
        page = api.get("/filter/search", params={"filterName": "of the week", "expand": "jql"}).json()
        assert page["total"] == 1
        assert set(page["values"][0]) == {"expand", "self", "id", "name", "jql"}
        seeded = api.get("/filter/search", params={"projectId": 10000}).json()["values"]
        assert [each["name"] for each in seeded] == ["Filter for HARB board", "Filter for HARB flow board"]


def test_data_center_has_no_such_lists(server_jira: RunningJira) -> None:
    """404 or 400, never somebody else's answer."""
    with server_jira.api() as api:
        assert [api.get(f"/filter/{name}").status_code for name in ("my", "search")] == [404, 404]


def test_another_owner(cloud_jira: RunningJira) -> None:
    """Who gives a filter away does not see it any more."""
    with cloud_jira.api() as api:
        number = make(api)
        assert (
            api.put(
                f"/filter/{number}/owner", json={"accountId": "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4"}
            ).status_code
            == 204
        )
        assert api.get(f"/filter/{number}").status_code == 404
