"""Conversations of the support hub in the store."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.conversation import Json
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted


class CaseDialogue(Protocol):
    """The conversation of a leased case; called by the steps of the support hub. Raises `StoreDown`, `LeaseLost`."""

    async def dialogue(self, key: str) -> Dialogue | None:
        """The conversation of this key, None if there is none."""

    async def keep(self, dialogue: Dialogue, messages: Sequence[DialogueMessage] = ()) -> None:
        """Store the conversation, by its key, and its messages; one of the same case and author is replaced."""

    async def asked_before(self, key: str) -> tuple[Untrusted, ...]:
        """What the customer has written in earlier cases of this conversation, the latest ten, latest first."""

    async def looked_up_before(self, key: str) -> tuple[Mapping[str, Json], ...]:
        """What tools brought in each of these cases, by tool, latest first; a case without a look-up, or aged, is missing."""


class Dialogues(Protocol):
    """Conversations for people; called by the chat, the console and the watch over response times. Raises `StoreDown`."""

    async def dialogues(self, status: SupportStatus | None = None, limit: int = 50) -> tuple[Dialogue, ...]:
        """The conversations, of one status if given, the latest changed first."""

    async def dialogue(self, number: int) -> Dialogue | None:
        """The conversation of this number, None if there is none."""

    async def messages(self, number: int) -> tuple[DialogueMessage, ...]:
        """Its messages, oldest first."""

    async def openings(self, numbers: Sequence[int]) -> Mapping[int, Untrusted]:
        """How the first message of each conversation begins, 500 characters at most; one without words is missing."""

    async def of_case(self, case: str) -> Dialogue | None:
        """The conversation that a case is part of, None if there is none."""

    async def waiting(self) -> tuple[Dialogue, ...]:
        """The escalated conversations that a person has to answer, the most urgent first."""

    async def respond_by(self, number: int, due: datetime | None) -> None:
        """Record until when a person answers; None: somebody has, and no response time runs any more."""
