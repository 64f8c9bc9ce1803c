"""Lets people list letters, take one back, send one again and test the mail server."""

from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import make_msgid
from typing import Final

from triage.domain.letters import Letter, LetterKind, LetterState
from triage.domain.letters.errors import LetterGone
from triage.domain.mail import Address
from triage.domain.ports import Clock, LetterStore, Outbox
from triage.policy.letters.rendering import mail_of

AGAIN: Final = frozenset({LetterState.UNKNOWN, LetterState.REFUSED, LetterState.BOUNCED})
"""States in which a person may have a letter sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterService:
    """Called by `triage letters` and the API. All methods raise `StoreDown`."""

    store: LetterStore
    clock: Clock

    async def letters(
        self, limit: int = 50, case: str | None = None, state: LetterState | None = None, before: int | None = None
    ) -> tuple[Letter, ...]:
        """Return the latest letters first, of one case, in one state and with numbers below `before` if given."""
        return await self.store.letters(limit, case=case, state=state, before=before)

    async def letter(self, number: int) -> Letter | None:
        return next(iter(await self.store.letters(1, number=number)), None)

    async def undo(self, number: int, by: str) -> Letter:
        """Take a letter back within its window. Raises `LetterGone` if it has left."""
        return await self.store.cancel(number, by)

    async def again(self, number: int, by: str) -> Letter:
        """Have a letter sent again that may not have left, or that was refused or returned. Raises `LetterGone`."""
        found = await self.letter(number)
        if found is None or found.state not in AGAIN:
            raise LetterGone(number)
        note = f"{by} sends it again; it was {found.state}"
        fresh = replace(found, state=LetterState.WAITING, due_at=self.clock.now(), by=by, note=note)
        if not await self.store.settle(fresh, was={found.state}):
            raise LetterGone(number)
        return fresh


async def send_to_ourselves(outbox: Outbox, sender: Address, at: datetime) -> str:
    """Send a letter to ourselves; return its Message-ID without brackets. Raises what `Outbox` does."""
    name = make_msgid("test", sender.domain).strip("<>")
    body = "This letter says that **Triage can send**: `triage letters test` wrote it to its own address."
    letter = Letter(
        key="test",
        case="",
        kind=LetterKind.STATUS,
        to=(sender,),
        subject="Triage can send letters",
        body=body,
        message_id=name,
    )
    await outbox.send(mail_of(letter, sender, at), sender.address, letter.recipients)
    return name
