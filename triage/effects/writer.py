"""Writes each effect at most once: commits the intent, sends once, commits the result; searches for the write if the answer is lost.

An effect's key comes from the case, never from the text, so that a restart that words things
differently still finds what was written. Its mark is an HMAC over the mail's own fingerprint:
nobody else can create a ticket that we would adopt.
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
from triage.effects.kinds import Destination, EffectKind, EffectKinds, WriteIntent, WriteResult

MAX_SENDS: Final = 8
"""About an hour of failures; bounds the tickets that a server can create and hide from us."""
PAUSES: Final = (1, 3, 10)
"""Multiples of `settle_seconds` between two sends; a Jira that loses several answers is slow to commit, too."""
SEARCHES_PER_PAUSE: Final = 3
"""Searches for the lost write in each pause."""
IN_DOUBT: Final = frozenset({EffectState.INTENDED, EffectState.UNKNOWN})


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
    """SHA-256 of the mail's identity; equal for the same mail in a restored database."""
    settle_seconds: float = 60.0
    late: bool = False
    """An older state of the database may have written these effects."""

    async def once(
        self, kind: str, to: Destination, body: Any, *, target: str = "", sequence: str = "1"
    ) -> WriteResult:
        """Make this write once, or return the result of the earlier one. Raises the errors of its kind and `WriteLost`."""
        how = self.kinds[kind]
        effect = self.effect(kind, target, sequence, how.digest(body))
        known = await self.known(effect.key)
        unchanged = known is not None and (known.body_hash == effect.body_hash or not how.renewed)
        if known is not None and known.state is EffectState.DONE and unchanged:
            return WriteResult(result=known.result)
        if how.find is not None and known is not None and known.state in IN_DOUBT:
            found = await how.find(to, self._intent(known, body))
            if found is not None:
                return await self.done(known, found)
            effect = await self._next_send(known)
        elif known is None and (before := await self._written_before(how, to, self._intent(effect, body))):
            return before
        else:
            effect = await how.prepare(to, self._intent(effect, body))
        return await self._send(how, to, self._intent(effect, body))

    def effect(self, kind: str, target: str, sequence: str, body_hash: str) -> Effect:
        """A new ledger row of an effect."""
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
        """The stored row of the effect, None if there is none."""
        return next((effect for effect in await self.ledger.effects() if effect.key == key), None)

    def mark(self, effect: Effect) -> Mark:
        """The mark by which the write is found again."""
        return Mark(label=effect.label, case=self.case, message_hash=self.fingerprint)

    async def intend(self, effect: Effect) -> None:
        """Commit the intent, over the row of an earlier try if there is one."""
        standing = await self.ledger.intend(effect)
        if standing != effect:
            await self.ledger.settle(effect)

    async def done(self, effect: Effect, sent: WriteResult) -> WriteResult:
        await self.ledger.settle(replace(effect, state=EffectState.DONE, result=sent.result, note=sent.note))
        return sent

    async def _written_before(
        self, kind: EffectKind[Any, Any], to: Destination, intent: WriteIntent[Any]
    ) -> WriteResult | None:
        """Adopt the write of the state of the database that a restore has replaced; None if there is none."""
        if not self.late or not kind.looked_for or kind.find is None:
            return None
        found = await kind.find(to, intent)
        if found is None:
            return None
        await self.intend(intent.effect)
        return await self.done(intent.effect, found)

    def _intent(self, effect: Effect, body: Any) -> WriteIntent[Any]:
        return WriteIntent(effect=effect, mark=self.mark(effect), body=body)

    async def _send(self, kind: EffectKind[Any, Any], to: Destination, intent: WriteIntent[Any]) -> WriteResult:
        """Commit the intent, send, commit the result; the process may die after each."""
        await self.intend(intent.effect)
        async with self._failure_recorded(intent.effect, to):
            sent = await kind.send(to, intent)
        return await self.done(intent.effect, sent)

    @asynccontextmanager
    async def _failure_recorded(self, effect: Effect, to: Destination) -> AsyncIterator[None]:
        """Record a failed write in the ledger; a bug of ours before the first byte left has changed nothing."""
        before = to.sent
        try:
            yield
        except WriteUnconfirmed:
            await self._mark_unknown(effect)
            raise
        except TriageError as e:
            await self._mark_refused(effect, str(e))
            raise
        except Exception as e:
            if to.sent > before:
                await self._mark_unknown(effect)
            else:
                await self._mark_refused(effect, f"nothing was sent: {type(e).__name__}: {e}")
            raise

    async def _next_send(self, effect: Effect) -> Effect:
        """The effect to send again, after a search found nothing. Raises `WriteUnconfirmed` until its pause is over, then `WriteLost` after `MOST_SENDS`."""
        if effect.state is not EffectState.UNKNOWN or self._waited(effect) < 0:  # the clock was set back meanwhile
            effect = await self._mark_unknown(effect)
        pause = self.settle_seconds * PAUSES[min(effect.posts, len(PAUSES)) - 1]
        if (left := pause - self._waited(effect)) > 0:
            raise self._waiting_for(effect, pause, left)
        if effect.posts >= MAX_SENDS:
            raise WriteLost(effect.key)
        return replace(effect, state=EffectState.INTENDED, posts=effect.posts + 1)

    def _waiting_for(self, effect: Effect, pause: float, left: float) -> WriteUnconfirmed:
        """Search only `SEARCHES_PER_PAUSE` times in each pause: on Data Center one search may take dozens of requests."""
        waiting = WriteUnconfirmed(f"looking for what {effect.key} wrote until {pause:.0f} s have passed")
        waiting.retry_after = min(left, pause / SEARCHES_PER_PAUSE)
        return waiting

    async def _mark_refused(self, effect: Effect, why: str) -> None:
        """A refused first send ends the effect; after a refused later send, the earlier ones stay in doubt."""
        doubtful = replace(effect, state=EffectState.UNKNOWN, posts=effect.posts - 1)
        refused = replace(effect, state=EffectState.REFUSED, note=why)
        await self.ledger.settle(doubtful if doubtful.posts else refused)

    async def _mark_unknown(self, effect: Effect) -> Effect:
        """Set the state to UNKNOWN; the pause before the next send starts now."""
        unknown = replace(effect, state=EffectState.UNKNOWN, note=self.clock.now().isoformat())
        await self.ledger.settle(unknown)
        return unknown

    def _waited(self, unknown: Effect) -> float:
        """Seconds since the effect became UNKNOWN."""
        return (self.clock.now() - datetime.fromisoformat(unknown.note)).total_seconds()

    def _label(self, what: str) -> str:
        """The label: 80 bits of HMAC, short enough for a label, too long to guess."""
        mac = hmac.new(self.secret, f"{self.fingerprint}:{what}".encode(), hashlib.sha256).hexdigest()
        return f"triage-{mac[:20]}"
