"""Reads conversations of the support hub."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.ports import Dialogues
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.policy.letters.markdown import plain_of

LINE: Final = 120
"""Characters of a conversation's opening that lists show."""


@dataclass(frozen=True, slots=True)
class ConversationService:
    """Called by the chat, and by pages and commands that list conversations. All methods raise `StoreDown`."""

    dialogues: Dialogues

    async def conversations(self, status: SupportStatus | None = None, limit: int = 50) -> tuple[Dialogue, ...]:
        """Return the conversations, of one status if given, the latest changed first."""
        return await self.dialogues.dialogues(status, limit)

    async def queue(self, status: SupportStatus | None = None, limit: int = 50, skip: int = 0) -> tuple[Dialogue, ...]:
        """Return those that a person has to answer, the earliest due first, then the others, the latest changed first, without the first `skip`."""
        waiting = [one for one in await self.dialogues.waiting() if status in {None, one.status}]
        known = {one.id for one in waiting}
        others = (one for one in await self.conversations(status, skip + limit) if one.id not in known)
        return (*waiting, *others)[skip : skip + limit]

    async def openings(self, of: Sequence[Dialogue]) -> Mapping[int, str]:
        """Return the first line of what each customer has said first, by the conversation's number."""
        messages = await self.dialogues.openings([one.id for one in of])
        return {number: next(iter(text.strip().splitlines()), "")[:LINE] for number, text in messages.items()}

    async def conversation(self, number: int) -> Dialogue | None:
        return await self.dialogues.dialogue(number)

    async def messages(self, number: int) -> tuple[DialogueMessage, ...]:
        """Return the messages of a conversation, oldest first."""
        return await self.dialogues.messages(number)

    async def of_case(self, case: str) -> Dialogue | None:
        return await self.dialogues.of_case(case)

    async def answer(self, case: str) -> str:
        """Return what the hub has answered to the message of this case, as plain text; empty if it has not."""
        found = await self.dialogues.of_case(case)
        history = await self.dialogues.messages(found.id) if found else ()
        return next((plain_of(one.text) for one in history if one.case == case and one.role is Author.AI), "")
