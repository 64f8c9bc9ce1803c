"""What hangs on issues, and queries, in the shapes of Atlassian's own document; and the larger past in the same shapes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.tests.jira.rest.test_shapes import ANY_JSON, complaints
from tests.servers.sandbox import RunningJira

KEY = "HARB-3"
LINK = {"globalId": "g", "object": {"url": "https://x.example", "title": "x"}}
WORK = {"timeSpent": "1h", "started": "2026-11-19T10:00:00.000+0000"}
BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
NOBODY: dict[str, Any] = {}
PNG = {"file": ("a.png", b"png", "image/png")}


@pytest.fixture
def furnished(large_cloud_jira: RunningJira) -> RunningJira:
    """An issue with one of everything."""
    with large_cloud_jira.api() as api:
        api.put(
            f"/issue/{KEY}", json={"fields": {"labels": ["x"], "timetracking": {"originalEstimate": "2d"}}}
        ).raise_for_status()
        api.post(f"/issue/{KEY}/remotelink", json=LINK).raise_for_status()
        api.post(f"/issue/{KEY}/worklog", json=WORK).raise_for_status()
        api.post(f"/issue/{KEY}/attachments", files=PNG, headers={"X-Atlassian-Token": "no-check"}).raise_for_status()
        link = {"type": {"name": "Blocks"}, "inwardIssue": {"key": KEY}, "outwardIssue": {"key": "HARB-8"}}
        api.post("/issueLink", json=link).raise_for_status()
    return large_cloud_jira


def number(running: RunningJira, sql: str) -> int:
    """One from the database: the ids of what was just made."""
    return int(running.app.site.db.value(sql))


READS = [
    ("/issue/{issueIdOrKey}", "/issue/{key}?expand=changelog,names,schema,renderedFields,editmeta,operations"),
    ("/issue/{issueIdOrKey}/changelog", "/issue/{key}/changelog"),
    ("/issue/{issueIdOrKey}/votes", "/issue/{key}/votes"),
    ("/issue/{issueIdOrKey}/worklog", "/issue/{key}/worklog"),
    ("/issue/{issueIdOrKey}/remotelink", "/issue/{key}/remotelink"),
    ("/issue/{issueIdOrKey}/remotelink/{linkId}", "/issue/{key}/remotelink/{remote}"),
    ("/attachment/{id}", "/attachment/{file}"),
    ("/issueLink/{linkId}", "/issueLink/{link}"),
    ("/issue/picker", "/issue/picker?query=label&currentJQL=project=HARB"),
    ("/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}", "/issue/createmeta/COMP/issuetypes/10003"),
    ("/issue/createmeta/{projectIdOrKey}/issuetypes", "/issue/createmeta/PACK/issuetypes"),
    ("/issue/{issueIdOrKey}/transitions", "/issue/COMP-3/transitions?expand=transitions.fields"),
    ("/issue/{issueIdOrKey}/editmeta", "/issue/COMP-3/editmeta"),
    ("/search/jql", "/search/jql?jql=project in (COMP,PACK,HELP)&fields=*all&expand=names,schema"),
    (
        "/search/jql",
        "/search/jql?jql=project=HARB and created > -100d&fields=*all&expand=changelog,renderedFields&maxResults=100",
    ),
    ("/jql/autocompletedata", "/jql/autocompletedata"),
    ("/jql/autocompletedata/suggestions", "/jql/autocompletedata/suggestions?fieldName=status&fieldValue=i"),
    ("/field", "/field"),
    ("/field/search", "/field/search?query=s"),
    ("/customFieldOption/{id}", "/customFieldOption/10000"),
    ("/securitylevel/{id}", "/securitylevel/10000"),
    ("/worklog/updated", "/worklog/updated"),
]


@pytest.mark.parametrize(("address", "asked"), READS)
def test_reads(furnished: RunningJira, shared_data: Path, address: str, asked: str) -> None:
    """Every answer to a GET has the keys of the official document, and no other."""
    ids = {
        "key": KEY,
        "remote": number(furnished, "SELECT max(id) FROM remote_link"),
        "file": number(furnished, "SELECT max(id) FROM attachment"),
        "link": number(furnished, "SELECT max(id) FROM link"),
    }
    with furnished.api("3") as api:
        answer = api.get(asked.format_map(ids))

    assert answer.status_code == 200
    page = shared_data / "jira-openapi" / "jira-cloud-platform-v3.json"
    assert complaints(page, "get", f"/rest/api/3{address}", 200, answer.json()) == []


FALSE_ALARMS = (
    "'structure', 'where']: Additional properties",  # the document forbids all keys of what is one of several shapes
    "'created']: ",  # its own example has a number where its schema wants text
)

WRITES = [
    ("/issue/bulk", "/issue/bulk", {"issueUpdates": [{"fields": {**BUG, "summary": "x"}}, {"fields": BUG}]}, 201),
    ("/issue/bulk", "/issue/bulk", {"issueUpdates": [{"fields": BUG}]}, 400),
    ("/issue/{issueIdOrKey}/worklog", f"/issue/{KEY}/worklog", WORK, 201),
    ("/issue/{issueIdOrKey}/remotelink", f"/issue/{KEY}/remotelink", {**LINK, "globalId": "new"}, 201),
    ("/issue/{issueIdOrKey}/remotelink", f"/issue/{KEY}/remotelink", LINK, 200),
    ("/issue/{issueIdOrKey}/changelog/list", f"/issue/{KEY}/changelog/list", {"changelogIds": [10_000, 10_001]}, 200),
    ("/changelog/bulkfetch", "/changelog/bulkfetch", {"issueIdsOrKeys": [KEY, "HARB-8"]}, 200),
    (
        "/jql/parse",
        "/jql/parse",
        {"queries": ["project = HARB ORDER BY key", "x", "NOT a in (b, c()) OR d is EMPTY"]},
        200,
    ),
    ("/jql/match", "/jql/match", {"issueIds": [10_000], "jqls": ["type = Bug", "x"]}, 200),
    ("/jql/autocompletedata", "/jql/autocompletedata", {"projectIds": [10_000]}, 200),
    ("/search/jql", "/search/jql", {"jql": "project = COMP", "fields": ["*all"], "expand": "names,operations"}, 200),
    ("/issue/watching", "/issue/watching", {"issueIds": ["10000"]}, 200),
    ("/worklog/list", "/worklog/list", {"ids": [10_000]}, 200),
    ("/field", "/field", {"name": "n", "type": "com.atlassian.jira.plugin.system.customfieldtypes:float"}, 201),
]


@pytest.mark.parametrize(("address", "asked", "body", "status"), WRITES)
def test_writes(furnished: RunningJira, shared_data: Path, address: str, asked: str, body: object, status: int) -> None:
    """Every answer to a POST, the refusal included."""
    with furnished.api("3") as api:
        answer = api.post(asked, json=body)

    assert answer.status_code == status, answer.text
    page = shared_data / "jira-openapi" / "jira-cloud-platform-v3.json"
    found = complaints(page, "post", f"/rest/api/3{address}", status, answer.json())
    assert [words for words in found if not any(alarm in words for alarm in FALSE_ALARMS)] == []


_FUZZED = st.sampled_from(
    [
        ("POST", "/issue/bulk"),
        ("POST", f"/issue/{KEY}/remotelink"),
        ("POST", f"/issue/{KEY}/worklog"),
        ("POST", f"/issue/{KEY}/notify"),
        ("POST", f"/issue/{KEY}/transitions"),
        ("POST", f"/issue/{KEY}/changelog/list"),
        ("POST", f"/issue/{KEY}/attachments"),
        ("PUT", "/issue/COMP-1"),
        ("PUT", "/issue/properties/x"),
        ("POST", "/changelog/bulkfetch"),
        ("POST", "/jql/parse"),
        ("POST", "/jql/match"),
        ("POST", "/issue/watching"),
        ("POST", "/worklog/list"),
        ("POST", "/field"),
        ("POST", "/field/customfield_10030/context/10030/option"),
    ]
)
_PARTS = st.sampled_from(
    ["fields", "update", "issueUpdates", "object", "globalId", "application", "relationship", "comment", "started", "timeSpent",
     "timeSpentSeconds", "to", "changelogIds", "issueIdsOrKeys", "fieldIds", "queries", "issueIds", "jqls", "ids", "name", "type",
     "options", "transition", "security", "customfield_10030", "customfield_10020", "timetracking", "environment", "versions"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    write=_FUZZED,
    body=ANY_JSON | st.dictionaries(_PARTS, ANY_JSON | st.dictionaries(_PARTS, ANY_JSON, max_size=3), max_size=4),
)
def test_no_body_breaks_them(large_cloud_jira: RunningJira, write: tuple[str, str], body: object) -> None:
    """Whatever JSON comes, they answer as Jira would: never with a 500."""
    method, path = write
    headers = {"content-type": "application/json", "X-Atlassian-Token": "no-check"}
    with large_cloud_jira.api() as api:
        answer = api.request(method, path, content=json.dumps(body), headers=headers)

    assert answer.status_code < 500, (write, body)


_KINDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30) | st.sampled_from(
    ["multipart/form-data; boundary=x", "multipart/form-data", 'multipart/form-data; boundary="']
)
_FORMS = st.binary(max_size=200) | st.binary(max_size=60).map(
    lambda part: b"--x\r\n" + part + b"\r\n\r\n" + part + b"\r\n--x--"
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=_KINDS, body=_FORMS)
def test_no_form_breaks_files(large_cloud_jira: RunningJira, kind: str, body: bytes) -> None:
    """Nor does any form, sound or torn."""
    headers = {"content-type": kind, "X-Atlassian-Token": "no-check"}
    with large_cloud_jira.api() as api:
        answer = api.post(f"/issue/{KEY}/attachments", content=body, headers=headers)

    assert answer.status_code < 500, (kind, body)
