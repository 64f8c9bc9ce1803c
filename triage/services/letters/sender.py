"""Sends due letters, each at most once; a person is told of a letter that may be lost."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from loguru import logger

from triage.domain.errors import MailboxDenied, MailboxDown, StoreDown
from triage.domain.letters import DOUBTFUL, Letter, LetterState, MailFolder
from triage.domain.letters.errors import LetterRefused, LetterUnconfirmed, OutboxDenied, OutboxDown
from triage.domain.mail import Address
from triage.domain.ports import Clock, Failpoint, LetterStore, MailFolders, Outbox, no_failpoint
from triage.pipeline.store_outage import StoreOutage
from triage.policy.letters.rendering import mail_of

POLL: Final = (1.0, 5.0)
"""Minimum and maximum seconds between two reads of the queue."""
LEASE: Final = 900.0
"""Seconds that one letter may take; longer than all timeouts of the mail server together."""
RETRY: Final = (30.0, 3600.0)
"""Least and most seconds between tries of a letter that the server does not take now."""
GIVE_UP: Final = timedelta(days=3)
LOOK_AGAIN: Final = 60.0
LOOKED: Final = timedelta(minutes=15)
"""How long a letter in doubt is looked for among the sent mail, which providers file after some seconds."""
NO_TRACE: Final = "it may have left, and no trace of it was found: a person decides (`triage letters`)"
COPY_AFTER: Final = 10.0
"""Seconds after which a missing copy among the sent mail is our own business."""
DRAIN: Final = 30.0
"""Seconds that a letter being sent may take when the process ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterSender:
    """Sends queued letters, one after the other, each under a lease."""

    store: LetterStore
    outbox: Outbox
    folders: MailFolders | None
    """None: there is no mailbox for drafts and copies."""
    clock: Clock
    sender: Address
    """From whom letters come."""
    per_minute: int = 30
    failpoint: Failpoint = no_failpoint

    async def run(self) -> None:
        """Send until cancelled; finish a letter that is being sent when the process ends."""
        outage = StoreOutage()
        while True:
            try:
                while await self._whole(self.one()):
                    pass
                wait = await self.store.next_due()
                outage.end()
            except StoreDown as e:
                outage.begin(str(e))
                wait = None
            except Exception:  # noqa: BLE001 - the sender's edge: the letter's lease runs out, then it is in doubt, visibly
                logger.opt(exception=True).error("letter.trouble")
                wait = None
            await self.clock.sleep(min(max(POLL[1] if wait is None else wait, POLL[0]), POLL[1]))

    async def drain(self) -> None:
        """Do all that is due now."""
        while await self.one():
            pass

    async def one(self) -> bool:
        """Process one due letter; return False if none is due."""
        letter = await self.store.lease(LEASE, per_minute=self.per_minute)
        if letter is None:
            return False
        match letter.state:
            case LetterState.SENDING if letter.draft:
                await self._file_draft(letter)
            case LetterState.SENDING:
                await self._send(letter)
            case LetterState.UNKNOWN if letter.draft:
                await self._file_draft(letter)
            case LetterState.UNKNOWN:
                await self._look_for(letter)
            case _:
                await self._file_copy(letter)
        return True

    # --- sending --------------------------------------------------------------------------------

    async def _send(self, letter: Letter) -> None:
        """Send the letter once, and commit the result."""
        try:
            raw = self._raw(letter)
        except ValueError as e:  # nothing was sent: an address or a file that no mail can hold
            await self._settle(replace(letter, state=LetterState.REFUSED, due_at=None, note=f"is no mail: {e}"))
            return
        try:
            refused = await self.outbox.send(raw, self.sender.address, letter.recipients)
        except LetterUnconfirmed as e:
            await self._doubt(letter, str(e.detail))
        except (OutboxDown, OutboxDenied) as e:
            await self._later(letter, e)
        except LetterRefused as e:
            await self._settle(replace(letter, state=LetterState.REFUSED, due_at=None, note=e.detail))
        else:
            await self._sent(letter, refused)
            self.failpoint("reply.committed")

    async def _sent(self, letter: Letter, refused: Mapping[str, str]) -> None:
        """Commit that it was sent, and that its copy is due; name the refused recipients."""
        missed = "; ".join(f"not to {one}: {why}" for one, why in refused.items())
        copy = None if self.folders is None else self.clock.now() + timedelta(seconds=COPY_AFTER)
        await self._settle(replace(letter, state=LetterState.SENT, due_at=copy, note=missed or letter.note))

    async def _doubt(self, letter: Letter, why: str) -> None:
        """Commit the state `unknown`; the search in the sent mail begins."""
        due = self.clock.now() + timedelta(seconds=LOOK_AGAIN / 2)
        await self._settle(replace(letter, state=LetterState.UNKNOWN, due_at=due, note=why))

    async def _later(self, letter: Letter, e: OutboxDown | OutboxDenied) -> None:
        """Nothing was sent: try again later, for some days."""
        now = self.clock.now()
        if now - (letter.queued_at or now) > GIVE_UP:
            await self._settle(replace(letter, state=LetterState.REFUSED, due_at=None, note=f"given up: {e}"))
            return
        pause = min(
            max(RETRY[0] * 2.0 ** min(letter.attempts - 1, 10), getattr(e, "retry_after", None) or 0.0), RETRY[1]
        )
        again = replace(letter, state=LetterState.WAITING, due_at=now + timedelta(seconds=pause), note=str(e))
        await self._settle(again)

    # --- in doubt -------------------------------------------------------------------------------

    async def _look_for(self, letter: Letter) -> None:
        """Search the sent mail; after some minutes a person decides. It is never resent automatically."""
        now = self.clock.now()
        over = now - (letter.started_at or now) > LOOKED
        try:
            if await self._is_in(MailFolder.SENT, letter):
                found = replace(letter, state=LetterState.SENT, due_at=None, note="found among the sent mail")
                await self._settle(found)
                return
            over = over or self.folders is None
        except (MailboxDown, MailboxDenied) as e:
            logger.warning("letter.not_looked_for", letter=letter.id, error=str(e))
        later = replace(letter, due_at=now + timedelta(seconds=LOOK_AGAIN))
        await self._settle(replace(letter, due_at=None, note=NO_TRACE) if over else later)

    # --- folders --------------------------------------------------------------------------------

    async def _file_draft(self, letter: Letter) -> None:
        """Lay a draft into the folder of drafts once; without one it stays in our list."""
        try:
            there = await self._append(MailFolder.DRAFTS, letter, "draft.appended")
        except (MailboxDown, MailboxDenied) as e:
            await self._later(letter, OutboxDown(str(e)))
            return
        note = "in the folder of drafts" if there else "stays here: the mailbox has no folder of drafts"
        await self._settle(replace(letter, state=LetterState.DRAFT, due_at=None, note=note))

    async def _file_copy(self, letter: Letter) -> None:
        """Copy a sent letter to the folder of sent mail, unless the provider has done so."""
        due, note = None, letter.note
        try:
            await self._append(MailFolder.SENT, letter, "sent.appended")
        except (MailboxDown, MailboxDenied) as e:
            now = self.clock.now()
            late = now - (letter.started_at or now) > LOOKED
            due = None if late else now + timedelta(seconds=LOOK_AGAIN)
            note = f"no copy among the sent mail: {e}" if late else note
        await self.store.settle(replace(letter, due_at=due, note=note), was={LetterState.SENT})

    async def _append(self, folder: MailFolder, letter: Letter, point: str) -> bool:
        """Store the letter in a folder of the mailbox, once; return False if there is none."""
        if self.folders is None or not await self.folders.name(folder):
            return False
        if not await self._is_in(folder, letter):
            await self.folders.append(folder, self._raw(letter))
            self.failpoint(point)
        return True

    async def _is_in(self, folder: MailFolder, letter: Letter) -> bool:
        """Whether the mailbox has it there; False without such a folder."""
        if self.folders is None or not await self.folders.name(folder):
            return False
        return await self.folders.holds(folder, letter.message_id)

    # --- both -----------------------------------------------------------------------------------

    def _raw(self, letter: Letter) -> bytes:
        return mail_of(letter, self.sender, letter.started_at or self.clock.now())

    async def _settle(self, letter: Letter) -> None:
        """Commit; a state that another sender or a bounce has set meanwhile is kept."""
        await self.store.settle(letter, was=DOUBTFUL)
        logger.info(f"letter.{letter.state}", case=letter.case, letter=letter.id, note=letter.note)

    async def _whole(self, work: Coroutine[Any, Any, bool]) -> bool:
        """Run to the end, also when cancelled, for as long as one letter may need."""
        task = asyncio.create_task(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait({task}, timeout=DRAIN)
            task.cancel()
            raise
