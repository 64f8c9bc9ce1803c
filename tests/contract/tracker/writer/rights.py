"""What our account may not do: one thing that cannot be had stops that thing, and says so."""

from collections.abc import Awaitable, Callable

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TrackerDenied, TrackerRejected
from triage.domain.tickets import Upload

FILE = Upload(name="a.txt", content_type="text/plain", content=b"a")
WORKS: dict[str, Callable[[JiraTracker, str], Awaitable[object]]] = {
    "CREATE_ATTACHMENTS": lambda at, _: at.writer.attach("HARB-3", FILE),
    "LINK_ISSUES": lambda at, _: at.writer.link("HARB-3", "HARB-4", "Relates"),
    "MANAGE_WATCHERS": lambda at, person: at.writer.watch("HARB-3", person),
    "ADD_COMMENTS": lambda at, _: at.comments.comment("HARB-3", "Seen again.", MARK),
}


class Rights(TrackerCase):
    """Missing permissions, and what they must not be taken for."""

    @pytest.mark.parametrize(("permission", "work"), WORKS.items(), ids=WORKS.keys())
    async def test_a_missing_permission_stops_one_thing(
        self,
        tracker: JiraTracker,
        server: RunningJira,
        permission: str,
        work: Callable[[JiraTracker, str], Awaitable[object]],
    ) -> None:
        """It is refused in Jira's own words, and the account is not taken for a dead one."""
        server.deny(permission)
        with pytest.raises(TrackerRejected, match=r"[Pp]ermission"):
            await work(tracker, self.person(server))

        assert (await tracker.tickets.get("HARB-3")).key == "HARB-3"

    @pytest.mark.parametrize(("permission", "work"), WORKS.items(), ids=WORKS.keys())
    async def test_a_dead_account_is_not_taken_for_a_missing_permission(
        self,
        server: RunningJira,
        permission: str,
        work: Callable[[JiraTracker, str], Awaitable[object]],
    ) -> None:
        """Everything is refused then, and a person must look."""
        tracker = self.make(server, token="wrong")
        with pytest.raises(TrackerDenied):
            await work(tracker, self.person(server))
        await tracker.close()
