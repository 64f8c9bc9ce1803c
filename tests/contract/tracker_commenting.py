"""Comments that are written once and found again: what every tracker must promise."""

from dataclasses import replace

import pytest

from integrations.sandbox.jira import Fault
from tests.contract.tracker_case import MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerRejected,
    TrackerUnsure,
)
from triage.domain.ports import Tracker


class Commenting(TrackerCase):
    """Comments, said once."""

    async def test_a_comment_is_found_by_its_mark(self, tracker: Tracker) -> None:
        """Before it is written there is none; others of ours do not count."""
        assert await tracker.commented("HARB-3", MARK) is None

        number = await tracker.comment("HARB-3", "Seen **again**.", MARK)
        await tracker.comment("HARB-3", "Another.", replace(MARK, label="triage-00000000000000000002"))

        assert await tracker.commented("HARB-3", MARK) == number
        assert await tracker.commented("HARB-1", MARK) is None

    async def test_a_comment_whose_answer_is_lost_is_found(self, tracker: Tracker, server: RunningJira) -> None:
        """Unsure, then found, and never posted twice."""
        server.fault(Fault(do="reset_after", method="POST", path="/comment$"))
        with pytest.raises(TrackerUnsure):
            await tracker.comment("HARB-3", "Seen again.", MARK)

        assert await tracker.commented("HARB-3", MARK)
        assert len(server.requests("POST", "/comment$")) == 1

    @pytest.mark.parametrize("status", [413, 400])
    async def test_a_ticket_that_is_full_takes_no_more(
        self, tracker: Tracker, server: RunningJira, status: int
    ) -> None:
        """Said once, in words, and not tried again with a shorter one."""
        words = "The issue has reached the limit of 5000 comments."
        refusal = Fault(do="answer", status=status, method="POST", path="/comment$", body={"errorMessages": [words]})
        server.fault(refusal)
        with pytest.raises(TrackerRejected, match=r"HARB-3 takes no more of them: .*5000 comments"):
            await tracker.comment("HARB-3", "long " * 5000, MARK)

        assert len(server.requests("POST", "/comment$")) == 1

    async def test_a_comment_on_nothing_is_told(self, tracker: Tracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.comment("HARB-999999", "x", MARK)
        with pytest.raises(TicketGone):
            await tracker.commented("HARB-999999", MARK)
