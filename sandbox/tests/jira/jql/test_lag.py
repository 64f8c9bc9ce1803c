"""The index lags behind, as on Cloud: found by key at once, by search later."""

from collections.abc import Iterator
from itertools import pairwise

import httpx2
import pytest

from sandbox.tests.jira.jql.asked import found
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.lag import Lag

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
HOUR = 3_600_000


class TestLag:
    """The index comes behind the data."""

    @pytest.fixture
    def late(self, cloud_jira: RunningJira) -> Iterator[RunningJira]:
        """A Cloud whose clock stands still, at the same moment in every run: the index's whims follow it."""
        site = cloud_jira.app.site
        site.clock.frozen = 1_900_000_000_000
        yield cloud_jira
        site.clock.frozen = None
        site.clock.skew = 0

    def ticket(self, cloud: httpx2.Client) -> tuple[str, int]:
        """A new ticket: its key and its id."""
        made = cloud.post("/issue", json={"fields": {**BUG, "summary": "late", "labels": ["late"]}}).json()
        return made["key"], int(made["id"])

    def test_by_key_at_once_by_search_later(self, late: RunningJira, cloud: httpx2.Client) -> None:
        """Unless the search is told what must be there; counts lag, too."""
        with late.client() as door:
            assert door.post("/__sandbox__/lag", json={"milliseconds": 3000}).status_code == 204
            assert door.post("/__sandbox__/lag", json={"way": "backwards"}).status_code == 400
        key, number = self.ticket(cloud)
        count = {"jql": "labels = late"}

        assert cloud.get(f"/issue/{key}").status_code == 200
        assert found(cloud, "labels = late") == []
        assert cloud.post("/search/approximate-count", json=count).json()["count"] == 0
        assert found(cloud, "labels = late", reconcileIssues=[number]) == [key]
        late.app.site.clock.advance(2999)
        assert found(cloud, "labels = late") == []
        late.app.site.clock.advance(1)
        assert found(cloud, "labels = late") == [key]

    def test_some_later_than_others(self, late: RunningJira, cloud: httpx2.Client) -> None:
        """With jitter each has its own time, the same in every run, and never a later one than told."""
        late.app.site.lag = Lag(way="jitter", milliseconds=10_000)
        tickets = {self.ticket(cloud)[0] for _ in range(12)}
        seen = []
        for _ in range(5):
            seen.append(set(found(cloud, "labels = late")))
            late.app.site.clock.advance(2500)

        assert seen[0] < seen[1] < seen[2] < seen[4]
        assert seen[4] == tickets
        assert all(earlier <= later for earlier, later in pairwise(seen))

    def test_what_was_found_can_vanish(self, late: RunningJira, cloud: httpx2.Client) -> None:
        """As on real sites: found, gone, found again, and settled in the end."""
        late.app.site.lag = Lag(way="flicker", milliseconds=8000)
        key, _ = self.ticket(cloud)
        seen = []
        for _ in range(30):
            seen.append(key in found(cloud, "labels = late"))
            late.app.site.clock.advance(400)

        assert any(before and not after for before, after in pairwise(seen))
        assert all(seen[20:])

    def test_reset_catches_up(self, late: RunningJira, cloud: httpx2.Client) -> None:
        """No lag is left behind."""
        late.app.site.lag = Lag(milliseconds=HOUR)
        late.reset()
        key, _ = self.ticket(cloud)

        assert found(cloud, "labels = late") == [key]
