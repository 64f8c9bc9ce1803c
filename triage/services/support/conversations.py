"""Conversations of the support hub, for those who read them."""

from dataclasses import dataclass

from triage.domain.ports import Dialogues
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage


@dataclass(frozen=True, slots=True)
class ConversationService:
    """Called by the chat, and by whoever lists conversations. All methods raise `StoreDown`."""

    dialogues: Dialogues

    async def conversations(self, status: SupportStatus | None = None, limit: int = 50) -> tuple[Dialogue, ...]:
        """Return the conversations, of one status if given, the latest changed first."""
        return await self.dialogues.dialogues(status, limit)

    async def messages(self, number: int) -> tuple[DialogueMessage, ...]:
        """Return the messages of a conversation, oldest first."""
        return await self.dialogues.messages(number)

    async def answer(self, case: str) -> str:
        """Return what the hub has answered to the message of this case; empty if it has not."""
        found = await self.dialogues.of_case(case)
        said = await self.dialogues.messages(found.id) if found else ()
        return next((one.text for one in said if one.case == case and one.role is Author.AI), "")
