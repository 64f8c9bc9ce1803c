"""Conversations for readers."""

from typing import Any

from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted
from triage.services.support.conversations import ConversationService

KNOWN = Dialogue(key="k", id=3)
SAID = (
    DialogueMessage(role=Author.USER, text=Untrusted("How?"), case="case-1"),
    DialogueMessage(role=Author.AI, text=Untrusted("So."), case="case-1"),
    DialogueMessage(role=Author.SYSTEM, text=Untrusted("P3"), case="case-2"),
)


class Kept:
    """One conversation of two cases."""

    async def dialogues(self, status: SupportStatus | None, limit: int) -> tuple[Dialogue, ...]:
        """It, whatever is asked."""
        del status
        return (KNOWN,)[:limit]

    async def messages(self, number: int) -> tuple[DialogueMessage, ...]:
        """Its messages."""
        return SAID if number == KNOWN.id else ()

    async def of_case(self, case: str) -> Dialogue | None:
        """It, for its cases."""
        return KNOWN if case in {"case-1", "case-2"} else None


async def test_answers_are_found_by_case() -> None:
    """Only what the hub has said to the customer counts; a summary for a person is no answer."""
    kept: Any = Kept()
    service = ConversationService(kept)

    assert [await service.answer(case) for case in ("case-1", "case-2", "case-3")] == ["So.", "", ""]
    assert await service.conversations() == (KNOWN,)
    assert await service.messages(3) == SAID
