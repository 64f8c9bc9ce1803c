"""The port `Dialogues`: lists conversations, and records until when a person answers one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, select, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import case_number
from integrations.sql.support.tables import dialogue_messages, dialogue_of, dialogues, message_of
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

_ALL: Final = select(dialogues).order_by(dialogues.c.changed_at.desc(), dialogues.c.id.desc())
_WAITING: Final = (
    select(dialogues).where(dialogues.c.respond_by.is_not(None)).order_by(dialogues.c.respond_by, dialogues.c.id)
)
_FIRST: Final = select(func.min(dialogue_messages.c.id)).group_by(dialogue_messages.c.dialogue_id)
_OPENING: Final = select(
    dialogue_messages.c.dialogue_id, func.substr(dialogue_messages.c.text, 1, 500).label("opening")
)
_DUE: Final = update(dialogues).where(dialogues.c.id == bindparam("number")).values(respond_by=bindparam("due"))


class SqlDialogues(StorePart):
    """The port `Dialogues`: reads; the rows are written by `SqlCaseDialogue`."""

    async def dialogues(self, status: SupportStatus | None = None, limit: int = 50) -> tuple[Dialogue, ...]:
        found = _ALL.limit(limit) if status is None else _ALL.where(dialogues.c.status == str(status)).limit(limit)
        return await self._database.read(lambda c: tuple(map(dialogue_of, c.execute(found))))

    async def dialogue(self, number: int) -> Dialogue | None:
        one = select(dialogues).where(dialogues.c.id == number)
        return await self._database.read(lambda c: next(map(dialogue_of, c.execute(one)), None))

    async def messages(self, number: int) -> tuple[DialogueMessage, ...]:
        rows = (
            select(dialogue_messages).where(dialogue_messages.c.dialogue_id == number).order_by(dialogue_messages.c.id)
        )
        return await self._database.read(lambda c: tuple(map(message_of, c.execute(rows))))

    async def openings(self, numbers: Sequence[int]) -> Mapping[int, Untrusted]:
        first = _FIRST.where(dialogue_messages.c.dialogue_id.in_(list(numbers)))
        found = _OPENING.where(dialogue_messages.c.id.in_(first))
        rows = await self._database.read(lambda c: c.execute(found).all())
        return {row.dialogue_id: Untrusted(row.opening) for row in rows if row.opening}

    async def of_case(self, case: str) -> Dialogue | None:
        its = select(dialogue_messages.c.dialogue_id).where(dialogue_messages.c.case_id == case_number(case))
        one = select(dialogues).where(dialogues.c.id.in_(its))
        return await self._database.read(lambda c: next(map(dialogue_of, c.execute(one)), None))

    async def waiting(self) -> tuple[Dialogue, ...]:
        """Those with a running response time."""
        return await self._database.read(lambda c: tuple(map(dialogue_of, c.execute(_WAITING))))

    async def respond_by(self, number: int, due: datetime | None) -> None:
        """Move the end of the response time, or end it."""
        await self._database.write(lambda c: c.execute(_DUE, {"number": number, "due": due}))
