"""The effect of the meeting tool queues a draft once, and ends no case."""

from datetime import UTC, datetime

from tests.unit.triage.toolsets.letters.desk import at_desk
from triage.toolsets.meetings.effects import INVITE
from triage.toolsets.meetings.tools import propose_meeting


async def test_it_is_queued_once() -> None:
    """Two tries of one invitation are one draft; a case with it alone has not ended, since nobody was answered."""
    asked = {"start": datetime(2026, 11, 23, 9, tzinfo=UTC), "title": "Barcodes", "body": "Shall we talk?"}
    async with at_desk() as at:
        for _ in range(2):
            await propose_meeting.function(at.context, **asked)
        letters = await at.letters()

    assert len(letters) == 1
    assert INVITE.ends is None
