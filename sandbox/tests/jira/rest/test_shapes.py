"""What the sandbox answers has the shape of Atlassian's own documents, and no body whatsoever breaks it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from tests.servers.sandbox import RunningJira

TICKET = {"fields": {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "one"}}
BAD = {"fields": {"project": {"key": "HARB"}, "labels": ["a b"]}}
OSKAR = "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4"


def relaxed(node: Any) -> Any:
    """The document as real Jira keeps it: every value may be null. Keys that it does not name stay forbidden."""
    if isinstance(node, list):
        return [relaxed(part) for part in node]
    if not isinstance(node, dict):
        return node
    changed = {name: relaxed(part) for name, part in node.items()}
    if isinstance(changed.get("type"), str):
        changed["nullable"] = True
    if isinstance(changed.get("enum"), list):
        changed["enum"] = [*changed["enum"], None]
    return changed


@cache
def document(path: Path) -> Any:
    """A document, read once."""
    return relaxed(json.loads(path.read_text(encoding="utf-8")))


def complaints(path: Path, method: str, address: str, status: int, answer: Any) -> list[str]:
    """Where an answer is not what the document says."""
    content = document(path)["paths"][address][method]["responses"][str(status)]["content"]
    return _complaints(path, content["application/json"]["schema"], answer)


def named_complaints(path: Path, name: str, answer: Any) -> list[str]:
    """Where an answer is not what the document says under a name."""
    return _complaints(path, document(path)["components"]["schemas"][name], answer)


def _complaints(path: Path, schema: Any, answer: Any) -> list[str]:
    whole = document(path)
    registry: Registry[Any] = Registry().with_resource("urn:jira", DRAFT4.create_resource(whole))
    placed = json.loads(json.dumps(schema).replace('"#/', '"urn:jira#/'))
    errors = OAS30Validator(placed, registry=registry).iter_errors(answer)
    return [f"{list(error.absolute_path)}: {error.message[:200]}" for error in errors]


CLOUD = [
    ("/serverInfo", "/serverInfo"),
    ("/myself", "/myself"),
    ("/mypermissions", "/mypermissions?permissions=CREATE_ISSUES,ADD_COMMENTS"),
    ("/field", "/field"),
    ("/issuetype", "/issuetype"),
    ("/priority", "/priority"),
    ("/status", "/status"),
    ("/resolution", "/resolution"),
    ("/issueLinkType", "/issueLinkType"),
    ("/project", "/project"),
    ("/project/{projectIdOrKey}", "/project/HARB"),
    ("/project/{projectIdOrKey}/statuses", "/project/HARB/statuses"),
    ("/project/{projectIdOrKey}/components", "/project/HARB/components"),
    ("/user", f"/user?accountId={OSKAR}"),
    ("/user/search", "/user/search?query=o"),
    ("/issue/{issueIdOrKey}", "/issue/HARB-3?expand=changelog,names,schema,transitions,renderedFields"),
    ("/issue/{issueIdOrKey}/comment", "/issue/HARB-3/comment?expand=properties,renderedBody"),
    ("/issue/{issueIdOrKey}/transitions", "/issue/HARB-3/transitions?expand=transitions.fields"),
    ("/issue/{issueIdOrKey}/editmeta", "/issue/HARB-3/editmeta"),
    ("/issue/{issueIdOrKey}/properties", "/issue/HARB-3/properties"),
    ("/issue/{issueIdOrKey}/watchers", "/issue/HARB-3/watchers"),
    ("/issue/createmeta", "/issue/createmeta?expand=projects.issuetypes.fields"),
    ("/issue/createmeta/{projectIdOrKey}/issuetypes", "/issue/createmeta/HARB/issuetypes"),
    ("/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}", "/issue/createmeta/HARB/issuetypes/10004"),
    ("/search/jql", "/search/jql?jql=project=HARB&fields=*all&expand=changelog"),
    ("/attachment/meta", "/attachment/meta"),
]
SITE = [
    ("/myself", "/myself?expand=groups,applicationRoles"),
    ("/mypermissions", "/mypermissions?permissions=ADMINISTER,EDIT_ISSUES&issueKey=HARB-3"),
    ("/permissions", "/permissions"),
    ("/permissionscheme", "/permissionscheme"),
    ("/permissionscheme/{schemeId}", "/permissionscheme/10000"),
    ("/permissionscheme/{schemeId}/permission", "/permissionscheme/10000/permission"),
    ("/configuration", "/configuration"),
    ("/applicationrole", "/applicationrole"),
    ("/project", "/project?expand=description,lead,issueTypes,url"),
    ("/project/search", "/project/search?maxResults=1&expand=lead"),
    ("/project/{projectIdOrKey}", "/project/HELP"),
    ("/project/{projectIdOrKey}/component", "/project/HARB/component"),
    ("/project/{projectIdOrKey}/version", "/project/HARB/version?expand=issuesstatus"),
    ("/project/{projectIdOrKey}/versions", "/project/HARB/versions"),
    ("/project/{projectIdOrKey}/role", "/project/HARB/role"),
    ("/project/{projectIdOrKey}/role/{id}", "/project/HARB/role/10002"),
    ("/project/{projectIdOrKey}/roledetails", "/project/HARB/roledetails"),
    ("/project/{projectKeyOrId}/permissionscheme", "/project/HARB/permissionscheme"),
    ("/project/{projectKeyOrId}/notificationscheme", "/project/HARB/notificationscheme"),
    ("/project/{projectKeyOrId}/securitylevel", "/project/HARB/securitylevel"),
    ("/project/type", "/project/type"),
    ("/projectvalidate/key", "/projectvalidate/key?key=HARB"),
    ("/issuesecurityschemes", "/issuesecurityschemes"),
    ("/notificationscheme", "/notificationscheme"),
    ("/role", "/role"),
    ("/user", f"/user?accountId={OSKAR}&expand=groups"),
    ("/user/bulk", f"/user/bulk?accountId={OSKAR}"),
    ("/user/picker", "/user/picker?query=o"),
    ("/user/viewissue/search", "/user/viewissue/search?query=o&projectKey=HARB"),
    ("/users/search", "/users/search?maxResults=3"),
    ("/groupuserpicker", "/groupuserpicker?query=j"),
    ("/group/member", "/group/member?groupname=jira-administrators"),
    ("/groups/picker", "/groups/picker?query=jira"),
    ("/priority/search", "/priority/search"),
    ("/statuscategory", "/statuscategory"),
    ("/status/{idOrName}", "/status/Done"),
    ("/issuetype/{id}/alternatives", "/issuetype/10004/alternatives"),
    ("/label", "/label?maxResults=2"),
]


@pytest.mark.parametrize(("address", "asked"), [*CLOUD, *SITE])
def test_cloud_reads(cloud_jira: RunningJira, shared_data: Path, address: str, asked: str) -> None:
    """Every answer to a GET has the keys of the official document, and no other."""
    with cloud_jira.api("3") as api:
        answer = api.get(asked)

    assert answer.status_code == 200
    page = shared_data / "jira-openapi" / "jira-cloud-platform-v3.json"
    assert complaints(page, "get", f"/rest/api/3{address}", 200, answer.json()) == []


@pytest.mark.parametrize(
    ("address", "asked", "body", "status"),
    [
        ("/issue", "/issue", TICKET, 201),
        ("/issue", "/issue", BAD, 400),
        ("/issue/bulkfetch", "/issue/bulkfetch", {"issueIdsOrKeys": ["HARB-3", "HARB-4000"]}, 200),
        ("/search/jql", "/search/jql", {"jql": "project = HARB", "fields": ["*navigable"]}, 200),
        ("/search/approximate-count", "/search/approximate-count", {"jql": "project = HARB"}, 200),
    ],
)
def test_cloud_writes(
    cloud_jira: RunningJira, shared_data: Path, address: str, asked: str, body: object, status: int
) -> None:
    """Every answer to a POST, the refusal included."""
    with cloud_jira.api("3") as api:
        answer = api.post(asked, json=body)

    assert answer.status_code == status
    page = shared_data / "jira-openapi" / "jira-cloud-platform-v3.json"
    assert complaints(page, "post", f"/rest/api/3{address}", status, answer.json()) == []


SERVER = {
    "/myself": {"self", "key", "name", "emailAddress", "displayName", "active", "timeZone", "avatarUrls"},
    "/serverInfo": {"baseUrl", "version", "versionNumbers", "deploymentType", "buildNumber", "serverTitle"},
    "/issue/HARB-3": {"id", "key", "self", "fields", "expand"},
    "/search?jql=project=HARB": {"startAt", "maxResults", "total", "issues"},
    "/issue/createmeta/HARB/issuetypes": {"values", "startAt", "maxResults", "total", "isLast"},
    "/issue/createmeta/HARB/issuetypes/10004": {"values", "startAt", "maxResults", "total", "isLast"},
    "/issue/HARB-3/comment": {"comments", "startAt", "maxResults", "total"},
}
NOT_ON_SERVER = {"accountId", "accountType", "nextPageToken", "simplified", "statusCategory", "hierarchyLevel"}


@pytest.mark.parametrize("asked", SERVER)
def test_server_reads(server_jira: RunningJira, asked: str) -> None:
    """Data Center's keys are there, and none that only Cloud has."""
    with server_jira.api("2") as api:
        answer = api.get(asked).json()

    assert set(answer) >= SERVER[asked]
    assert not NOT_ON_SERVER - {"statusCategory"} & set(_keys(answer))
    assert "statusCategory" not in answer.get("fields", {})


def _keys(value: Any) -> list[str]:
    """All keys at any depth."""
    if isinstance(value, dict):
        return [*value, *(key for part in value.values() for key in _keys(part))]
    return [key for part in value for key in _keys(part)] if isinstance(value, list) else []


_NAMES = st.sampled_from(
    ["id", "key", "name", "accountId", "type", "content", "text", "marks", "attrs", "version", "add", "set", "value"]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES | st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = st.sampled_from(
    ["summary", "description", "labels", "components", "assignee", "priority", "parent", "duedate", "issuetype"]
)
_WRITES = st.sampled_from(
    [
        ("POST", "/issue"),
        ("PUT", "/issue/HARB-3"),
        ("PUT", "/issue/HARB-3/assignee"),
        ("POST", "/issue/HARB-3/comment"),
        ("POST", "/issue/HARB-3/transitions"),
        ("POST", "/issue/HARB-3/watchers"),
        ("PUT", "/issue/HARB-3/properties/x"),
        ("POST", "/issueLink"),
        ("POST", "/issue/bulkfetch"),
        ("POST", "/search/jql"),
    ]
)
_PARTS = st.dictionaries(_FIELDS, ANY_JSON, max_size=3)
_BODIES = ANY_JSON | st.fixed_dictionaries(
    {"fields": _PARTS.map(lambda parts: {**TICKET["fields"], **parts})},
    optional={
        "update": st.dictionaries(_FIELDS | st.sampled_from(["comment", "issuelinks"]), ANY_JSON, max_size=2),
        "properties": ANY_JSON,
        "transition": ANY_JSON,
        "body": ANY_JSON,
        "jql": ANY_JSON,
        "maxResults": ANY_JSON,
        "expand": ANY_JSON,
        "nextPageToken": ANY_JSON,
        "inwardIssue": ANY_JSON,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(write=_WRITES, body=_BODIES)
def test_no_body_breaks_it(cloud_jira: RunningJira, write: tuple[str, str], body: object) -> None:
    """Whatever JSON comes, the sandbox answers as Jira would: never with a 500."""
    method, path = write
    with cloud_jira.api("3") as api:
        answer = api.request(method, path, content=json.dumps(body), headers={"content-type": "application/json"})

    assert answer.status_code < 500
    if answer.status_code == 400:
        assert set(answer.json()) == {"errorMessages", "errors"}
