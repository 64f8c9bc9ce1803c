"""Everything that the sandbox can let go wrong goes wrong just so, and is written down."""

import time
from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import Fault

TICKET = {"fields": {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "one"}}


@pytest.fixture
def api(cloud_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API, spoken to without retries."""
    with cloud_jira.api() as client:
        yield client


def tickets(api: httpx2.Client) -> int:
    """How many there are."""
    return int(api.post("/search/approximate-count", json={"jql": "project = HARB"}).json()["count"])


def test_an_answer_of_our_choice(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Status, headers and body come as told, once, and only for what matches."""
    cloud_jira.fault(
        Fault(
            do="answer",
            method="POST",
            path=r"/issue$",
            status=429,
            headers={"Retry-After": "3", "RateLimit-Reason": "jira-burst-based"},
            body={"errorMessages": ["Rate limit exceeded."]},
        )
    )

    assert api.get("/issue/HARB-1").status_code == 200
    busy = api.post("/issue", json=TICKET)
    assert (busy.status_code, busy.headers["retry-after"]) == (429, "3")
    assert busy.json() == {"errorMessages": ["Rate limit exceeded."]}
    assert api.post("/issue", json=TICKET).json()["key"] == "HARB-71"


def test_the_nth_request_and_how_often(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """A rule waits for its turn, holds as long as told, and the first that matches wins."""
    cloud_jira.fault(Fault(do="answer", path="/myself", nth=2, count=2))
    cloud_jira.fault(Fault(do="answer", path="/status", count=0, status=500))

    assert [api.get("/myself").status_code for _ in range(4)] == [200, 503, 503, 200]
    assert {api.get("/status").status_code for _ in range(5)} == {500}


def test_a_slow_answer(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """It comes late, and others are not held up."""
    cloud_jira.fault(Fault(do="delay", path="/myself", seconds=0.3))
    start = time.monotonic()

    assert api.get("/myself").status_code == 200
    assert time.monotonic() - start >= 0.3
    cloud_jira.fault(Fault(do="delay", path="/status", seconds=5))
    with pytest.raises(httpx2.ReadTimeout):
        api.get("/status", timeout=httpx2.Timeout(60, read=0.1))
    assert api.get("/priority").status_code == 200


def test_a_connection_lost_before_anything_happened(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """The client sees a reset, and there is no ticket."""
    before = tickets(api)
    cloud_jira.fault(Fault(do="reset", method="POST", path="/issue$"))

    with pytest.raises(httpx2.TransportError):
        api.post("/issue", json=TICKET)
    assert tickets(api) == before


def test_a_connection_lost_after_everything_happened(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """The client sees the same reset, and there is a ticket: the trap that makes duplicates."""
    before = tickets(api)
    cloud_jira.fault(Fault(do="reset_after", method="POST", path="/issue$"))

    with pytest.raises(httpx2.TransportError):
        api.post("/issue", json=TICKET)
    assert tickets(api) == before + 1
    assert api.get("/issue/HARB-71").status_code == 200


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Fault(do="answer", status=201), 201), (Fault(do="answer", status=502), 502), (Fault(do="login_page"), 200)],
    ids=["empty 201", "502", "login page"],
)
def test_another_answer_after_everything_happened(
    cloud_jira: RunningJira, api: httpx2.Client, fault: Fault, status: int
) -> None:
    """A proxy says something of its own, and there is a ticket all the same."""
    before = tickets(api)
    cloud_jira.fault(replace(fault, carried_out=True, method="POST", path="/issue$"))
    answer = api.post("/issue", json=TICKET)

    assert (answer.status_code, b"HARB" in answer.content) == (status, False)
    assert tickets(api) == before + 1
    assert [entry.status for entry in cloud_jira.requests("POST", "/issue$")] == [status]


def test_half_an_answer(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """200 with JSON that breaks off."""
    cloud_jira.fault(Fault(do="truncate", path="/myself"))
    answer = api.get("/myself")

    assert answer.status_code == 200
    with pytest.raises(ValueError, match=r"Unterminated|delimiter|Expecting"):
        answer.json()


def test_a_login_page(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """200 with HTML where JSON was asked for."""
    cloud_jira.fault(Fault(do="login_page", path="/search"))
    answer = api.get("/search/jql", params={"jql": "project = HARB"})

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")


def test_a_token_that_dies_for_a_moment(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """The right credentials are taken for wrong ones: empty, 200, and a header."""
    cloud_jira.fault(Fault(do="anonymous", path="/search"))
    answer = api.get("/search/jql", params={"jql": "project = HARB"})

    assert answer.json()["issues"] == []
    assert answer.headers["x-seraph-loginreason"] == "AUTHENTICATED_FAILED"
    again = api.get("/search/jql", params={"jql": "project = HARB"})
    assert again.json()["issues"] != []
    assert "x-seraph-loginreason" not in again.headers


def test_faults_come_over_http_too(cloud_jira: RunningJira) -> None:
    """Another process can set them and take them away; nonsense is refused."""
    with cloud_jira.client() as door:
        made = door.post("/__sandbox__/faults", json={"do": "answer", "path": "/myself", "count": 0, "status": 502})
        assert made.status_code == 201
        assert door.get("/rest/api/3/myself").status_code == 502
        assert door.delete("/__sandbox__/faults").status_code == 204
        assert door.get("/rest/api/3/myself").status_code == 200
        for nonsense in ({"do": "explode"}, {"do": "reset", "path": "("}, {}, {"do": "delay", "seconds": "x"}):
            assert door.post("/__sandbox__/faults", json=nonsense).status_code == 400


def test_the_journal_keeps_what_was_asked(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Method, path, query, body and status of every request to the API, also of those that went wrong."""
    cloud_jira.fault(Fault(do="reset_after", method="POST", path="/issue$"))
    with pytest.raises(httpx2.TransportError):
        api.post("/issue", json=TICKET)
    api.get("/search/jql", params={"jql": "project = HARB"})

    posted, searched = cloud_jira.requests()
    assert (posted.method, posted.path, posted.json, posted.status) == ("POST", "/rest/api/3/issue", TICKET, 0)
    assert (searched.query, searched.status) == ("jql=project+%3D+HARB", 200)
    assert cloud_jira.requests("POST") == [posted]
    listed = api.get(f"{cloud_jira.url}/__sandbox__/requests", params={"method": "POST"}).json()
    assert listed == [
        {"method": "POST", "path": "/rest/api/3/issue", "query": "", "body": TICKET, "status": 0},
    ]


def test_reset_brings_the_start_back(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Tickets, faults and journal are as they were, and numbers start again."""
    api.post("/issue", json=TICKET)
    api.delete("/issue/HARB-1")
    cloud_jira.fault(Fault(do="answer", count=0))
    cloud_jira.reset()

    assert api.get("/issue/HARB-71").status_code == 404
    assert api.get("/issue/HARB-1").status_code == 200
    assert len(cloud_jira.requests()) == 2
    assert api.post("/issue", json=TICKET).json()["key"] == "HARB-71"
