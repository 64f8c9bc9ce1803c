"""Writes each effect at most once: commits the intent, sends once, commits the result; looks for what was sent when the answer is lost.

The protocol of DESIGN 6. An effect's key comes from the case, never from the text, so that a restart that
words things differently still finds what was written. Its mark is an HMAC over the mail's own fingerprint:
nobody else can make a ticket that we would adopt.
"""

import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from triage.domain.effects import Effect, EffectState
from triage.domain.errors import Permanent, TriageError, WriteUnconfirmed
from triage.domain.ports import Clock, Ledger
from triage.domain.tickets import Mark
from triage.effects.kinds import Destination, EffectKind, EffectKinds, Intent, WriteResult

MOST_SENDS: Final = 8
"""An hour of trouble; a server that makes tickets and hides them from us shall not make more than these."""
PAUSES: Final = (1, 3, 10)
"""Settling times between a send and the next one; a Jira that loses one answer after the other is slow to commit, too."""
LOOKS: Final = 3
"""For what was lost, in each of them."""
IN_DOUBT: Final = frozenset({EffectState.INTENDED, EffectState.UNKNOWN})


@dataclass(eq=False)
class WriteLost(Permanent):
    """A write was sent for an hour and nobody knows whether it arrived: look in Jira, then decide."""

    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectWriter:
    """The effects of one case."""

    ledger: Ledger
    kinds: EffectKinds
    clock: Clock
    case: str
    secret: bytes = field(repr=False)
    fingerprint: str
    """sha256 of the mail's identity; the same mail in a restored database has the same."""
    settle_seconds: float = 60.0

    async def once(
        self, kind: str, to: Destination, body: Any, *, target: str = "", sequence: str = "1"
    ) -> WriteResult:
        """The one write of this effect: sent now, sent before, or found again. Raises what its kind raises."""
        how = self.kinds[kind]
        effect = self.effect(kind, target, sequence, how.digest(body))
        known = await self.known(effect.key)
        told_so = known is not None and (known.body_hash == effect.body_hash or not how.renewed)
        if known is not None and known.state is EffectState.DONE and told_so:
            return WriteResult(result=known.result)
        if how.find is not None and known is not None and known.state in IN_DOUBT:
            found = await how.find(to, self._intent(known, body))
            if found is not None:
                return await self.done(known, found)
            effect = await self._once_more(known)
        else:
            effect = await how.prepare(to, self._intent(effect, body))
        return await self._send(how, to, self._intent(effect, body))

    def effect(self, kind: str, target: str, sequence: str, body_hash: str) -> Effect:
        """The row of an effect that nothing has become of yet."""
        parts = (self.case, kind, *((target,) if target else ()), sequence)
        return Effect(
            key=":".join(parts),
            kind=kind,
            target=target,
            label=self._label(":".join(parts[1:])),
            body_hash=body_hash,
            posts=1,
        )

    async def known(self, key: str) -> Effect | None:
        """The effect's row as it stands, None where nothing was intended."""
        return next((effect for effect in await self.ledger.effects() if effect.key == key), None)

    def mark(self, effect: Effect) -> Mark:
        """What makes the write findable again."""
        return Mark(label=effect.label, case=self.case, message_hash=self.fingerprint)

    async def intend(self, effect: Effect) -> None:
        """The intent on disk, also where an earlier try left its row."""
        standing = await self.ledger.intend(effect)
        if standing != effect:
            await self.ledger.settle(effect)

    async def done(self, effect: Effect, sent: WriteResult) -> WriteResult:
        """The effect's end on disk."""
        await self.ledger.settle(replace(effect, state=EffectState.DONE, result=sent.result, note=sent.note))
        return sent

    def _intent(self, effect: Effect, body: Any) -> Intent[Any]:
        return Intent(effect=effect, mark=self.mark(effect), body=body)

    async def _send(self, kind: EffectKind[Any, Any], to: Destination, intent: Intent[Any]) -> WriteResult:
        """Intent, send, result: three moments, and after each the process may die."""
        await self.intend(intent.effect)
        async with self._ended(intent.effect, to):
            sent = await kind.send(to, intent)
        return await self.done(intent.effect, sent)

    @asynccontextmanager
    async def _ended(self, effect: Effect, to: Destination) -> AsyncIterator[None]:
        """What a write that failed leaves in the ledger; a fault of our own before its first byte has changed nothing."""
        before = to.sent
        try:
            yield
        except WriteUnconfirmed:
            await self._unsure(effect)
            raise
        except TriageError as e:
            await self._refused(effect, str(e))
            raise
        except Exception as e:
            if to.sent > before:
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
        if effect.posts >= MOST_SENDS:
            raise WriteLost(effect.key)
        return replace(effect, state=EffectState.INTENDED, posts=effect.posts + 1)

    def _not_yet(self, effect: Effect, pause: float, left: float) -> WriteUnconfirmed:
        """A few looks in each pause are enough: on Data Center one may take dozens of requests."""
        waiting = WriteUnconfirmed(f"looking for what {effect.key} wrote until {pause:.0f} s have passed")
        waiting.retry_after = min(left, pause / LOOKS)
        return waiting

    async def _refused(self, effect: Effect, why: str) -> None:
        """A no is the end of a first send; to a later one it says nothing of those before, which stay in doubt."""
        doubtful = replace(effect, state=EffectState.UNKNOWN, posts=effect.posts - 1)
        refused = replace(effect, state=EffectState.REFUSED, note=why)
        await self.ledger.settle(doubtful if doubtful.posts else refused)

    async def _unsure(self, effect: Effect) -> Effect:
        """Unknown since now: the settling time runs from here."""
        unknown = replace(effect, state=EffectState.UNKNOWN, note=self.clock.now().isoformat())
        await self.ledger.settle(unknown)
        return unknown

    def _waited(self, unknown: Effect) -> float:
        """Seconds since the answer was found to be lost."""
        return (self.clock.now() - datetime.fromisoformat(unknown.note)).total_seconds()

    def _label(self, what: str) -> str:
        """80 bits of HMAC: short enough for a label, too long to guess."""
        mac = hmac.new(self.secret, f"{self.fingerprint}:{what}".encode(), hashlib.sha256).hexdigest()
        return f"triage-{mac[:20]}"
