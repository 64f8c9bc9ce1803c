"""The watch over requests to Jira sees what is wrong, lets pass what is not, and fails the test that it happens in."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.servers.official.documents import Exchange
from tests.servers.official.false_alarms import FALSE_ALARMS
from tests.servers.official.keys import missing
from tests.servers.official.watch import LEDGER, official
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import Fault

SEARCH = "/rest/api/3/search/jql"


def told(method: str, path: str, *, query: str = "", body: Any = None, cloud: bool = True) -> list[str]:
    """What is wrong with a request."""
    raw = b"" if body is None else json.dumps(body).encode()
    return [each.partition(": ")[2] for each in official(cloud=cloud).request(Exchange(method, path, query, raw))]


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "complaint"),
    [
        ("POST", SEARCH, "", {"jql": "x", "fieldz": ["a"]}, "'fieldz' was unexpected"),
        ("POST", SEARCH, "", {"jql": "x", "fields": "a"}, "fields is of type str, not array"),
        ("POST", SEARCH, "", {"jql": "x", "expand": None}, "expand is of type NoneType, not string"),
        ("POST", "/rest/api/3/issue", "", {"fields": []}, "fields is of type list, not object"),
        ("POST", "/rest/api/3/issue/A-1/transitions", "", {"transition": {"id": 11}}, "transition/id is of type int"),
        ("GET", SEARCH, "jql=x&startAt=50", None, "unknown parameter startAt"),
        ("GET", SEARCH, "jql=x&maxResults=many", None, "parameter maxResults  is of type str, not integer"),
        ("GET", "/rest/api/3/user/assignable/search", "project=A&maxResults=5", {"a": 1}, "a body where none is taken"),
        ("GET", "/rest/agile/1.0/board/1/sprints", "", None, "no such operation"),
        ("DELETE", "/rest/api/3/myself", "", None, "no such operation"),
    ],
)
def test_what_jira_would_not_take(
    shared_data: Path, method: str, path: str, query: str, body: Any, complaint: str
) -> None:
    """Misspelt keys, wrong types, parameters and addresses that there are not."""
    found = told(method, path, query=query, body=body)

    assert len(found) == 1
    assert complaint in found[0]


def test_what_jira_takes(shared_data: Path) -> None:
    """The same, right; in version 2 of Cloud, too, of which there is no document of its own."""
    body = {"jql": 'project = "A"', "fields": ["summary"], "maxResults": 50}

    assert told("POST", SEARCH, body=body) + told("GET", "/rest/api/2/serverInfo") == []
    assert told("POST", "/rest/api/2/search", body=body, cloud=False) == []
    assert told("POST", "/rest/servicedeskapi/request", body={"any": 1}) == []


def answered(path: str, body: Any, *, status: int = 200, cloud: bool = True) -> list[str]:
    """What is wrong with the answer to a GET."""
    seen = Exchange("GET", path, "", b"", status, json.dumps(body).encode())
    return [each.partition(": ")[2] for each in official(cloud=cloud).answer(seen)]


def test_answers(shared_data: Path) -> None:
    """They may hold more keys and nothing in most, but no wrong type, no unknown status, and what we read must be there."""
    page = {"maxResults": 1, "startAt": 0, "total": 0, "comments": [], "more": None}

    assert answered("/rest/api/3/issue/A-1/comment", page) == []
    assert answered("/rest/api/3/issue/A-1/comment", {**page, "total": None}) == []
    assert answered("/rest/api/3/issue/A-1/comment", {**page, "total": "many"}) == [
        "200 total is of type str, not integer"
    ]
    assert answered("/rest/api/3/issue/A-1/comment", {"comments": [{}]})[0] == "200 lacks maxResults"
    assert answered("/rest/api/3/issue/A-1/comment", page, status=203) == [
        "answered 203, and there is 200, 400, 401, 404"
    ]
    assert answered("/rest/api/3/issue/A-1/comment", {"errorMessages": []}, status=404) == []


@pytest.mark.parametrize(
    ("body", "lacking"),
    [
        ({"id": "1", "key": "A-1", "self": "x", "fields": {}}, []),
        ({"id": "1", "key": "A-1", "self": "x", "fields": {"status": None, "assignee": None}}, []),
        ({"id": "1", "key": "A-1", "fields": {"assignee": {"active": True}}}, ["self", "fields.assignee?.displayName", "fields.assignee?.accountId"]),
        ({"id": "1", "key": "A-1", "self": "x", "fields": {"components": [{"name": "x"}, {}]}}, ["fields.components?[].name"]),
    ],
)  # fmt: skip
def test_keys_that_must_be_there(body: Any, lacking: list[str]) -> None:
    """Those of a thing that may be absent count where it is there."""
    assert missing("GET issue/{issueIdOrKey}", body, cloud=True) == lacking


def test_only_what_we_say_is_watched(cloud_jira: RunningJira, shared_data: Path) -> None:
    """A request of ours that is wrong is noted with its answer; that of another client is its own affair."""
    with cloud_jira.client() as client:
        client.get("/rest/api/3/myself?wrong=1")
        others = LEDGER.take()
        client.get("/rest/api/3/myself?wrong=1", headers={"User-Agent": "triage"})
        ours = LEDGER.take()
        cloud_jira.fault(Fault(do="answer", path="/myself", status=299, body={"accountId": 7}))
        client.get("/rest/api/3/myself", headers={"User-Agent": "triage"})

    assert (others, ours) == ([], ["GET /rest/api/3/myself: unknown parameter wrong"])
    assert LEDGER.take() == []


def test_a_violation_fails_its_test(tmp_path: Path, shared_data: Path) -> None:
    """That one and no other; it is said why, and once more at the end."""
    (tmp_path / "test_it.py").write_text(
        "from tests.servers.official.watch import LEDGER\n"
        "def test_bad() -> None:\n    LEDGER.violations += ['GET /x: unknown parameter y'] * 2\n"
        "def test_good() -> None:\n    pass\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-p", "tests.servers.official.watch", "--rootdir", str(tmp_path)]
    options = ["-p", "no:randomly", "-c", str(ROOT / "pyproject.toml"), "-q", str(tmp_path / "test_it.py")]
    done = subprocess.run([*command, *options], check=False, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)
    said = done.stdout

    assert (done.returncode, "1 failed, 1 passed" in said) == (1, True)
    assert "not as Atlassian's documents have it" in said
    assert re.search(r"= official documents =+\nGET /x: unknown parameter y\n", said)


def test_every_false_alarm_has_its_reason() -> None:
    """Nobody hides behind one without a word."""
    assert [alarm for alarm in FALSE_ALARMS if len(alarm.why.split()) < 5] == []
