"""What open pages hear of a store that is away for a moment."""

from typing import cast

from triage.domain.errors import StoreDown
from triage.domain.operations.case_lists import CaseListChanges, Pulse
from triage.services.case_lists.inbox import InboxService
from web.console.inbox.live import LiveInbox
from web.console.render import Render


class Away:
    """A store that is down when it is asked for the first time."""

    asked = 0

    async def changes(self, pulse: Pulse) -> CaseListChanges:
        """Nothing has changed."""
        self.asked += 1
        if self.asked == 1:
            raise StoreDown("away")
        return CaseListChanges(pulse=pulse)


async def test_a_page_that_came_while_the_store_was_down_hears_that_it_is_back() -> None:
    """Although the look of all pages, a moment later, has noticed nothing."""
    told = LiveInbox(inbox=cast("InboxService", Away()), render=cast("Render", None)).changes_since(Pulse())
    heard = [await anext(told) for _ in range(3)]
    await told.aclose()  # type: ignore[attr-defined]  # a generator

    assert ["event: down" in heard[1], "event: stale" in heard[2]] == [True, True]
