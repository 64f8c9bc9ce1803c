"""Conversations for readers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted
from triage.services.support.conversations import ConversationService

KNOWN = Dialogue(key="k", id=3)
LATE = Dialogue(key="l", id=2, status=SupportStatus.ESCALATED, respond_by=datetime(2026, 11, 24, 9, tzinfo=UTC))
SAID = (
    DialogueMessage(role=Author.USER, text=Untrusted("How?"), case="case-1"),
    DialogueMessage(role=Author.AI, text=Untrusted("So\\."), case="case-1"),
    DialogueMessage(role=Author.SYSTEM, text=Untrusted("P3"), case="case-2"),
)


class Kept:
    """A conversation of two cases, and one that a person has to answer."""

    async def dialogues(self, status: SupportStatus | None, limit: int) -> tuple[Dialogue, ...]:
        """Both, or those of a status."""
        return tuple(one for one in (KNOWN, LATE) if status in {None, one.status})[:limit]

    async def waiting(self) -> tuple[Dialogue, ...]:
        """The other one."""
        return (LATE,)

    async def openings(self, numbers: Sequence[int]) -> Mapping[int, Untrusted]:
        """Long words for each."""
        return {number: Untrusted("\nHow?\nWhy? " + "x" * 500) for number in numbers}

    async def dialogue(self, number: int) -> Dialogue | None:
        """The one of this number."""
        return next((one for one in (KNOWN, LATE) if one.id == number), None)

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
    assert await service.conversations() == (KNOWN, LATE)
    assert await service.messages(3) == SAID
    assert await service.of_case("case-2") == KNOWN


async def test_those_that_wait_for_a_person_stand_first() -> None:
    """Each stands once, and only in lists of its status."""
    kept: Any = Kept()
    service = ConversationService(kept)

    assert await service.queue() == (LATE, KNOWN)
    assert await service.queue(SupportStatus.NEW) == (KNOWN,)
    assert await service.queue(limit=1) == (LATE,)
    assert await service.queue(limit=1, skip=1) == (KNOWN,)
    assert await service.queue(limit=1, skip=2) == ()
    assert await service.openings((KNOWN, LATE)) == {3: "How?", 2: "How?"}
    assert [await service.conversation(number) for number in (3, 9)] == [KNOWN, None]
