"""No body and no parameter, however odd, makes the sandbox's site fail: a 400 in Jira's shape, never a 500."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.servers.sandbox import RunningJira

NAMES = st.sampled_from(
    [
        *("name", "key", "description", "lead", "leadAccountId", "assigneeType", "project", "projectId", "categoryId"),
        *("projectTypeKey", "permissionScheme", "released", "releaseDate", "startDate", "position", "after", "url"),
        *("user", "group", "categorisedActors", "permission", "holder", "type", "permissions", "projectPermissions"),
        *("emailAddress", "displayName", "username", "password", "inward", "outward", "moveFixIssuesTo", "accountId"),
        *("deny", "now", "advance", "skew", "frozen", "limit"),
    ]
)
VALUES = st.sampled_from(["HARB", "10000", "bot@harbourline.example", "2026-01-01", "First", "software", "a b", "%"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6) | VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
WRITES = st.sampled_from(
    [
        ("POST", "/rest/api/2/project"),
        ("PUT", "/rest/api/2/project/HARB"),
        ("POST", "/rest/api/2/component"),
        ("PUT", "/rest/api/2/component/10000"),
        ("POST", "/rest/api/2/version"),
        ("POST", "/rest/api/2/version/10201/move"),
        ("POST", "/rest/api/2/version/10201/removeAndSwap"),
        ("POST", "/rest/api/2/user"),
        ("POST", "/rest/api/2/group"),
        ("POST", "/rest/api/2/group/user?groupname=jira-administrators"),
        ("POST", "/rest/api/2/project/HARB/role/10001"),
        ("PUT", "/rest/api/2/project/HARB/role/10001"),
        ("POST", "/rest/api/2/permissionscheme/10000/permission"),
        ("POST", "/rest/api/2/permissions/check"),
        ("POST", "/rest/api/2/permissions/project"),
        ("POST", "/rest/api/2/projectCategory"),
        ("POST", "/rest/api/2/issueLinkType"),
        ("POST", "/rest/auth/1/session"),
        ("POST", "/__sandbox__/permissions"),
        ("POST", "/__sandbox__/time"),
        ("POST", "/__sandbox__/attachments"),
    ]
)
READS = st.sampled_from(
    [
        *(
            "project/search",
            "user/search",
            "user/picker",
            "user/assignable/search",
            "user/bulk",
            "group",
            "group/member",
        ),
        *("groups/picker", "mypermissions", "label", "priority/search", "component", "project/HARB/version", "user"),
        *("project/HARB/component", "projectvalidate/validProjectKey", "projectvalidate/validProjectName"),
        *("user/permission/search", "user/viewissue/search", "version/x", "component/99999999999999999999"),
    ]
)
PARAMETERS = st.dictionaries(
    st.sampled_from(
        [
            *("query", "accountId", "username", "startAt", "maxResults", "orderBy", "keys", "id", "action", "expand"),
            *("project", "issueKey", "projectKey", "permissions", "groupname", "projectIdsOrKeys", "status", "key"),
        ]
    ),
    st.text(alphabet=st.characters(codec="utf-8"), max_size=5) | VALUES | st.integers().map(str),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(write=WRITES, body=ANYTHING | st.dictionaries(NAMES, ANYTHING, max_size=6))
def test_no_body_breaks_it(any_jira: RunningJira, write: tuple[str, str], body: object) -> None:
    """Whatever JSON comes, both deployments answer."""
    method, path = write
    with any_jira.client() as client:
        answer = client.request(method, path, content=json.dumps(body), headers={"content-type": "application/json"})

    assert answer.status_code < 500
    if answer.status_code == 400:
        assert set(answer.json()) == {"errorMessages", "errors"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=READS, parameters=PARAMETERS)
def test_no_parameter_breaks_it(any_jira: RunningJira, path: str, parameters: dict[str, str]) -> None:
    """Whatever is asked for, both deployments answer."""
    with any_jira.client("/rest/api/2") as client:
        assert client.get(f"/{path}", params=parameters).status_code < 500
