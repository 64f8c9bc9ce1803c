"""Writing to the tracker at most once, whatever crashes: intent, one POST, key; a lost answer is looked for.

The protocol of DESIGN 6. An effect's key comes from the case, never from the text, so that a restart that
words things differently still finds what was written. Its mark is an HMAC over the mail's own fingerprint:
nobody else can make a ticket that we would adopt.
"""

import hashlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from triage.domain.cases import Effect, EffectState
from triage.domain.errors import Permanent, TicketGone, TrackerUnsure, Trouble
from triage.domain.ports import Book, Clock, Tracker
from triage.domain.tickets import Created, Mark, Ticket, TicketChange, TicketDraft, Upload, number_of

MOST_POSTS: Final = 8
"""An hour of trouble; one that makes tickets and hides them from us shall not make more than these."""
PAUSES: Final = (1, 3, 10)
"""Settling times between a POST and the next one; a Jira that loses one answer after the other is slow to commit, too."""
LOOKS: Final = 3
"""For what was lost, in each of them."""


@dataclass(eq=False)
class WriteLost(Permanent):
    """A write was sent for an hour and nobody knows whether it arrived: look in Jira, then decide."""

    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The writes of one case."""

    book: Book
    tracker: Tracker
    clock: Clock
    secret: bytes
    fingerprint: str
    """sha256 of the mail's identity; the same mail in a restored database has the same."""
    project: str
    settle_seconds: float = 60.0

    async def create(self, draft: TicketDraft, ordinal: str) -> Created:
        """The one ticket of this effect: made now, made before, or found again."""
        effect = self._effect("create", "", ordinal, repr(draft))
        known = await self._known(effect.key)
        if known is not None and known.state is EffectState.DONE:
            return await self._made(known)
        if known is None or known.state is EffectState.REFUSED:
            above = await self.book.highest(self.project) or await self.tracker.newest()
            return await self._post_ticket(replace(effect, above=above), draft)
        found = await self.tracker.adopt(self._mark(known), known.above)
        if found is not None:
            await self._done(known, found)
            return await self._made(replace(known, result=found.key))
        return await self._post_ticket(await self._once_more(known), draft)

    async def made_before(self, tickets: Iterable[Ticket]) -> Created | None:
        """The ticket of this mail where our books do not know of it: they were restored from an older copy."""
        effect = self._effect("create", "", "1", "")
        marked = next((ticket for ticket in tickets if effect.label in ticket.labels), None)
        if marked is None or await self._known(effect.key):
            return None
        found = await self.tracker.adopt(self._mark(effect), marked.number - 1)
        if found is not None:
            await self._intend(effect)
            await self._done(effect, found)
        return found

    async def comment(self, key: str, body: str, ordinal: str) -> str:
        """The id of the one comment of this effect."""
        return await self._found_or_once(
            self._effect("comment", key, ordinal, body),
            lambda effect: self.tracker.commented(key, self._mark(effect)),
            lambda effect: self.tracker.comment(key, body, self._mark(effect)),
        )

    async def summarize(self, key: str, comment: str, body: str, ordinal: str) -> str:
        """The id of the comment that says this: an earlier one of ours, edited, or a new one where it is gone."""
        effect = self._effect("edit", key, ordinal, body)
        known = await self._known(effect.key)
        if known is not None and known.state is EffectState.DONE and known.body_hash == effect.body_hash:
            return known.result
        await self._intend(effect)
        async with self._ended(effect):
            edited = await self.tracker.edit_comment(key, comment, body)
        if edited:
            await self.book.settle(replace(effect, state=EffectState.DONE, result=comment))
            return comment
        await self.book.settle(replace(effect, state=EffectState.REFUSED, note="no comment of ours to edit"))
        return await self.comment(key, body, ordinal)

    async def attach(self, key: str, upload: Upload) -> str:
        """The id of the file on the ticket; one and the same content hangs there once, whichever mail brought it."""
        digest = hashlib.sha256(upload.content).hexdigest()
        effect = replace(self._effect("attach", key, digest[:20], ""), body_hash=digest)
        if await self._known(effect.key) is None and await self.book.attached(key, digest):
            return ""

        async def hanging(_: Effect) -> str | None:
            files = await self.tracker.attached(key)
            alike = (f.id for f in files if f.ours and (f.name, f.size) == (upload.name, len(upload.content)))
            return next(alike, None)

        return await self._found_or_once(effect, hanging, lambda _: self.tracker.attach(key, upload))

    async def link(self, key: str, other: str, kind: str) -> None:
        """Two tickets tied; tied twice is the same as once."""
        effect = self._effect("link", key, f"{kind}:{other}", "")
        await self._once(effect, lambda: self._nothing(self.tracker.link(key, other, kind)))

    async def watch(self, key: str, person: str) -> None:
        """A person who will hear of the ticket."""
        effect = self._effect("watch", key, person, "")
        await self._once(effect, lambda: self._nothing(self.tracker.watch(key, person)))

    async def place(self, key: str, sprint: int, ordinal: str) -> None:
        """The ticket in a sprint."""
        effect = self._effect("sprint", key, ordinal, str(sprint))
        await self._once(effect, lambda: self._nothing(self.tracker.place(key, sprint)))

    async def change(self, key: str, change: TicketChange, ordinal: str) -> None:
        """Values set; setting them twice is the same as once."""
        effect = self._effect("change", key, ordinal, repr(change))
        await self._once(effect, lambda: self._nothing(self.tracker.change(key, change)))

    async def transition(self, key: str, status: str, ordinal: str) -> None:
        """The ticket brought into a status."""
        effect = self._effect("transition", key, ordinal, status)
        await self._once(effect, lambda: self._nothing(self.tracker.transition(key, status)))

    # --- the ticket -----------------------------------------------------------------------------

    async def _post_ticket(self, effect: Effect, draft: TicketDraft) -> Created:
        """Intent, POST, key: three moments, and after each the process may die."""
        await self._intend(effect)
        async with self._ended(effect):
            created = await self.tracker.create(draft, self._mark(effect))
        return await self._done(effect, created)

    async def _done(self, effect: Effect, created: Created) -> Created:
        note = f"without {', '.join(created.dropped)}" if created.dropped else ""
        await self.book.settle(replace(effect, state=EffectState.DONE, result=created.key, note=note))
        if created.key.rpartition("-")[0] == self.project:
            await self.book.saw(self.project, number_of(created.key))
        return created

    async def _made(self, effect: Effect) -> Created:
        """What an earlier run of this case created; made is made, also where people have moved it away since."""
        try:
            ticket = await self.tracker.get(effect.result)
            return Created(key=ticket.key, url=ticket.url, ticket=ticket)
        except TicketGone:
            return Created(key=effect.result, url="")

    # --- every write ----------------------------------------------------------------------------

    async def _found_or_once(
        self,
        effect: Effect,
        look: Callable[[Effect], Awaitable[str | None]],
        write: Callable[[Effect], Awaitable[str]],
    ) -> str:
        """A write that leaves something to be found again: looked for where its answer was lost, then sent."""
        known = await self._known(effect.key)
        if known is not None and known.state in {EffectState.INTENDED, EffectState.UNKNOWN}:
            found = await look(known)
            if found is not None:
                await self.book.settle(replace(known, state=EffectState.DONE, result=found))
                return found
            effect = await self._once_more(known)
        return await self._once(effect, lambda: write(effect))

    async def _once(self, effect: Effect, write: Callable[[], Awaitable[str]]) -> str:
        """A write, unless it is known to have happened."""
        known = await self._known(effect.key)
        if known is not None and known.state is EffectState.DONE:
            return known.result
        await self._intend(effect)
        async with self._ended(effect):
            result = await write()
        await self.book.settle(replace(effect, state=EffectState.DONE, result=result, note=""))
        return result

    @asynccontextmanager
    async def _ended(self, effect: Effect) -> AsyncIterator[None]:
        """What a write that failed leaves in the ledger; a fault of our own before its first byte has changed nothing."""
        before = self.tracker.sent
        try:
            yield
        except TrackerUnsure:
            await self._unsure(effect)
            raise
        except Trouble as e:
            await self._refused(effect, str(e))
            raise
        except Exception as e:
            if self.tracker.sent > before:
                await self._unsure(effect)
            else:
                await self._refused(effect, f"nothing was sent: {type(e).__name__}: {e}")
            raise

    async def _once_more(self, effect: Effect) -> Effect:
        """An intent without an end that is not to be found: what to send, as soon as the first had time to show."""
        if effect.state is not EffectState.UNKNOWN:
            effect = await self._unsure(effect)
        pause = self.settle_seconds * PAUSES[min(effect.posts, len(PAUSES)) - 1]
        if (left := pause - self._waited(effect)) > 0:
            raise self._not_yet(effect, pause, left)
        if effect.posts >= MOST_POSTS:
            raise WriteLost(effect.key)
        return replace(effect, state=EffectState.INTENDED, posts=effect.posts + 1)

    def _not_yet(self, effect: Effect, pause: float, left: float) -> TrackerUnsure:
        """A few looks in each pause are enough: on Data Center one may take dozens of requests."""
        waiting = TrackerUnsure(f"looking for what {effect.key} wrote until {pause:.0f} s have passed")
        waiting.retry_after = min(left, pause / LOOKS)
        return waiting

    async def _refused(self, effect: Effect, why: str) -> None:
        """A no is the end of a first POST; to a later one it says nothing of those before, which stay in doubt."""
        doubtful = replace(effect, state=EffectState.UNKNOWN, posts=effect.posts - 1)
        refused = replace(effect, state=EffectState.REFUSED, note=why)
        await self.book.settle(doubtful if doubtful.posts else refused)

    async def _intend(self, effect: Effect) -> None:
        """The intent on disk, also where an earlier try left its row."""
        standing = await self.book.intend(effect)
        if standing != effect:
            await self.book.settle(effect)

    async def _unsure(self, effect: Effect) -> Effect:
        """Unknown since now: the settling time runs from here."""
        unknown = replace(effect, state=EffectState.UNKNOWN, note=self.clock.now().isoformat())
        await self.book.settle(unknown)
        return unknown

    def _waited(self, unknown: Effect) -> float:
        """Seconds since the answer was found to be lost."""
        return (self.clock.now() - datetime.fromisoformat(unknown.note)).total_seconds()

    async def _known(self, key: str) -> Effect | None:
        return next((e for e in await self.book.effects() if e.key == key), None)

    def _effect(self, kind: str, target: str, ordinal: str, body: str) -> Effect:
        parts = (self.book.lease.case, kind, *((target,) if target else ()), ordinal)
        return Effect(
            key=":".join(parts),
            kind=kind,
            target=target,
            label=self._label(":".join(parts[1:])),
            body_hash=hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest(),
            posts=1,
        )

    def _label(self, what: str) -> str:
        """80 bits of HMAC: short enough for a label, too long to guess."""
        digest = hmac.new(self.secret, f"{self.fingerprint}:{what}".encode(), hashlib.sha256).hexdigest()
        return f"triage-{digest[:20]}"

    def _mark(self, effect: Effect) -> Mark:
        return Mark(label=effect.label, case=self.book.lease.case, message_hash=self.fingerprint)

    @staticmethod
    async def _nothing(write: Awaitable[None]) -> str:
        """A write that has no name of its own."""
        await write
        return ""
