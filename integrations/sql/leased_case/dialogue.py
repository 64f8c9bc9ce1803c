"""The port `CaseDialogue`: the conversation that a leased case is part of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select

from integrations.sql.database.engine import insert_into
from integrations.sql.database.schema import cases
from integrations.sql.leased_case.fence import Fence
from integrations.sql.support.tables import dialogue_messages, dialogue_of, dialogues
from triage.domain.conversation import Json
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted

_OF_KEY: Final = select(dialogues).where(dialogues.c.key == bindparam("name", type_=dialogues.c.key.type))

_EARLIER: Final = (
    select(dialogue_messages.c.case_id, dialogue_messages.c.text)
    .join(dialogues, dialogues.c.id == dialogue_messages.c.dialogue_id)
    .where(
        dialogues.c.key == bindparam("name", type_=dialogues.c.key.type),
        dialogue_messages.c.role == str(Author.USER),
        dialogue_messages.c.case_id < bindparam("earlier", type_=dialogue_messages.c.case_id.type),
    )
    .order_by(dialogue_messages.c.case_id.desc())
    .limit(10)
)
"""The customer's messages of the latest earlier cases."""
_EARLIER_CASES: Final = (
    select(cases.c.data)
    .where(cases.c.case_id.in_(select(_EARLIER.subquery().c.case_id)))
    .order_by(cases.c.case_id.desc())
)


class SqlCaseDialogue:
    """The port `CaseDialogue`: one row a conversation, found by its key."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def dialogue(self, key: str) -> Dialogue | None:
        rows = await self._fence.rows(_OF_KEY, name=key)
        return next(map(dialogue_of, rows), None)

    async def asked_before(self, key: str) -> tuple[Untrusted, ...]:
        rows = await self._fence.rows(_EARLIER, name=key, earlier=self._fence.stamp()["case_id"])
        return tuple(Untrusted(row.text) for row in rows)

    async def looked_up_before(self, key: str) -> tuple[Mapping[str, Json], ...]:
        """What tools brought in earlier cases."""
        rows = await self._fence.rows(_EARLIER_CASES, name=key, earlier=self._fence.stamp()["case_id"])
        supports = [row.data.support for row in rows]
        return tuple(one.tool_results for one in supports if one and one.tool_results)

    async def keep(self, dialogue: Dialogue, messages: Sequence[DialogueMessage] = ()) -> None:
        """Store the conversation and its messages in one commit."""
        now = self._fence.now()
        values = {
            "data": replace(dialogue, id=0, opened_at=None, changed_at=None),
            "status": str(dialogue.status),
            "respond_by": dialogue.respond_by,
            "changed_at": now,
        }

        def kept(connection: Connection) -> None:
            made = insert_into(dialogues, postgres=self._fence.postgres)
            row = {"key": dialogue.key, "opened_at": now, **values}
            connection.execute(made.values(**row).on_conflict_do_update(index_elements=["key"], set_=values))
            number = connection.execute(_OF_KEY, {"name": dialogue.key}).one().id
            for message in messages:
                self._said(connection, number, message)

        await self._fence.write_by(kept)

    def _said(self, connection: Connection, number: int, message: DialogueMessage) -> None:
        row: dict[str, Any] = {
            **self._fence.stamp(),
            "dialogue_id": number,
            "role": str(message.role),
            "text": message.text,
        }
        made = insert_into(dialogue_messages, postgres=self._fence.postgres).values(**row)
        again = made.on_conflict_do_update(index_elements=["case_id", "role"], set_={"text": message.text})
        connection.execute(again)
