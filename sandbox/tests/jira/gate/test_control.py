"""The sandbox's own door: its clock, its snapshots, limits that count, and rules that hit by chance or by the clock."""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import Fault

TICKET = {"fields": {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "one"}}


@pytest.fixture
def door(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The door, without credentials."""
    with any_jira.client("/__sandbox__", auth=None) as client:
        yield client


class TestClock:
    """The site's time is ours to set."""

    def test_it_stands_until_it_is_moved(self, any_jira: RunningJira, api: httpx2.Client, door: httpx2.Client) -> None:
        """Everything that happens has the same moment, then a later one."""
        frozen = door.post("/time", json={"now": "2026-11-20T08:00:00+00:00"}).json()
        first = api.post("/issue", json=TICKET).json()["key"]
        door.post("/time", json={"advance": 90})
        second = api.post("/issue", json=TICKET).json()["key"]

        assert (frozen["frozen"], frozen["iso"]) == (True, "2026-11-20T08:00:00.000+0000")
        assert api.get(f"/issue/{first}").json()["fields"]["created"] == "2026-11-20T08:00:00.000+0000"
        assert api.get(f"/issue/{second}").json()["fields"]["created"] == "2026-11-20T08:01:30.000+0000"
        told = api.get("/serverInfo")
        assert told.json()["serverTime"] == "2026-11-20T08:01:30.000+0000"
        assert told.headers.get_list("date") == ["Fri, 20 Nov 2026 08:01:30 GMT"]
        assert door.post("/time", json={"frozen": False}).json()["frozen"] is False
        assert any_jira.requests("POST", "/time") == []

    def test_it_can_be_wrong(self, api: httpx2.Client, door: httpx2.Client) -> None:
        """Ahead of its clients by so many seconds."""
        before = door.get("/time").json()["now"]
        wrong = door.post("/time", json={"skew": 7200}).json()

        assert 7_200_000 <= wrong["now"] - before < 7_260_000
        assert api.get("/serverInfo").status_code == 200
        assert door.post("/time", json={"now": "yesterday"}).status_code == 400


class TestSnapshots:
    """Back to where it was."""

    def test_by_name(self, api: httpx2.Client, door: httpx2.Client) -> None:
        """What was kept comes back; the beginning is still there, and a name that nobody gave is told."""
        api.post("/issue", json=TICKET).raise_for_status()
        assert door.post("/snapshot", json={"name": "one ticket"}).status_code == 201
        api.post("/issue", json=TICKET).raise_for_status()

        assert door.post("/reset", json={"name": "one ticket"}).status_code == 204
        assert [api.get(f"/issue/HARB-{number}").status_code for number in (71, 72)] == [200, 404]
        assert door.post("/reset").status_code == 204
        assert api.get("/issue/HARB-71").status_code == 404
        assert door.post("/reset", json={"name": "never kept"}).status_code == 404

    def test_everything_can_be_read(self, door: httpx2.Client) -> None:
        """Table by table, as JSON."""
        whole = door.get("/snapshot").json()

        assert [row["key"] for row in whole["project"]][:1] == ["HARB"]
        assert len(whole["issue"]) >= 70


class TestLimits:
    """Requests are counted, and refused as Jira refuses them."""

    def test_writes_to_one_ticket(self, any_jira: RunningJira, api: httpx2.Client, door: httpx2.Client) -> None:
        """Twenty in two seconds, a hundred in half a minute; other tickets and reads are free."""
        door.post("/time", json={"now": 1_790_000_000_000})
        any_jira.fault(Fault(do="limit", per="issue"))

        def write(key: str = "HARB-3") -> httpx2.Response:
            return api.put(f"/issue/{key}/properties/x", json=1)

        assert {write().status_code for _ in range(20)} == {200, 201}
        refused = write()
        assert refused.status_code == 429
        assert (refused.headers["retry-after"], refused.headers["x-ratelimit-remaining"]) == ("2", "0")
        if any_jira.cloud:
            assert refused.headers["ratelimit-reason"] == "jira-per-issue-on-write"
            assert refused.headers["x-ratelimit-reset"] == "2026-09-21T14:13:22Z"
        else:
            assert refused.headers["x-ratelimit-interval-seconds"] == "2"
        assert write("HARB-4").status_code == 201
        assert write("10002").status_code == 429
        assert api.get("/issue/HARB-3").status_code == 200
        for _ in range(4):
            door.post("/time", json={"advance": 2})
            assert {write().status_code for _ in range(20)} == {200}
        door.post("/time", json={"advance": 2})
        assert (write().status_code, write().headers["retry-after"]) == (429, "20")

    def test_bursts_at_one_endpoint(self, any_jira: RunningJira, api: httpx2.Client, door: httpx2.Client) -> None:
        """All tickets share it; each answer tells how much is left."""
        door.post("/time", json={"frozen": True})
        any_jira.fault(Fault(do="limit", per="endpoint", windows=((3, 1.0),), path="/issue/"))

        answers = [api.get(f"/issue/HARB-{number}?fields=summary") for number in (1, 2, 3, 4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert [answer.headers["x-ratelimit-remaining"] for answer in answers] == ["2", "1", "0", "0"]
        assert api.get("/issue/HARB-1/comment").status_code == 200
        door.post("/time", json={"advance": 1})
        assert api.get("/issue/HARB-1?fields=summary").status_code == 200


class TestRules:
    """Which requests a rule hits."""

    def test_by_chance(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """The same ones for the same seed, about as many as told."""

        def hits(seed: int) -> list[int]:
            any_jira.app.faults.clear()
            any_jira.fault(Fault(do="answer", path="/serverInfo", count=0, probability=0.3, seed=seed))
            return [number for number in range(60) if api.get("/serverInfo").status_code == 503]

        assert hits(1) == hits(1) != hits(2)
        assert 8 <= len(hits(1)) <= 30

    def test_by_the_clock(self, any_jira: RunningJira, api: httpx2.Client, door: httpx2.Client) -> None:
        """A token that expires at a moment: before it everything is fine, from it on nobody is known."""
        door.post("/time", json={"now": 1_790_000_000_000})
        any_jira.fault(Fault(do="anonymous", after=1_790_000_060_000, count=0))

        assert api.get("/myself").status_code == 200
        door.post("/time", json={"advance": 60})
        assert api.get("/myself").status_code == 401

    def test_waiting_comes_before_everything(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Any effect can be slow."""
        any_jira.fault(Fault(do="answer", path="/myself", seconds=5))

        with pytest.raises(httpx2.ReadTimeout):
            api.get("/myself", timeout=httpx2.Timeout(60, read=0.1))

    def test_an_answer_that_never_comes(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """The ticket is there, and the client knows nothing of it."""
        any_jira.fault(Fault(do="timeout_after", method="POST", path="/issue$"))

        with pytest.raises(httpx2.ReadTimeout):
            api.post("/issue", json=TICKET, timeout=httpx2.Timeout(60, read=0.3))
        assert api.get("/issue/HARB-71").status_code == 200

    @pytest.mark.parametrize("wait", ["7", "Fri, 20 Nov 2026 08:00:07 GMT"], ids=["seconds", "date"])
    def test_when_to_come_back(self, any_jira: RunningJira, api: httpx2.Client, wait: str) -> None:
        """A number or a date, as the rule says."""
        headers = {"Retry-After": wait, "RateLimit-Reset": "7"}
        any_jira.fault(Fault(do="answer", path="/myself", status=429, headers=headers))
        answer = api.get("/myself")

        assert (answer.status_code, answer.headers["retry-after"], answer.headers["ratelimit-reset"]) == (
            429,
            wait,
            "7",
        )
        assert wait == "7" or parsedate_to_datetime(wait).second == 7

    def test_rules_can_be_listed(self, door: httpx2.Client) -> None:
        """With everything that they say."""
        rule: dict[str, Any] = {"do": "limit", "per": "endpoint", "windows": [[5, 1.5]]}
        assert door.post("/faults", json=rule).status_code == 201

        (listed,) = door.get("/faults").json()
        assert {name: listed[name] for name in rule} == rule

    def test_how_large_a_file_may_be(self, api: httpx2.Client, door: httpx2.Client) -> None:
        """A limit of our choice, told beforehand and kept; a reset forgets it."""
        usual = api.get("/attachment/meta").json()["uploadLimit"]
        door.post("/attachments", json={"limit": 10}).raise_for_status()
        files, headers = {"file": ("x", b"x" * 11)}, {"X-Atlassian-Token": "no-check"}

        assert api.get("/attachment/meta").json()["uploadLimit"] == 10
        assert api.post("/issue/HARB-3/attachments", files=files, headers=headers).status_code == 413
        door.post("/reset")
        assert api.get("/attachment/meta").json()["uploadLimit"] == usual
