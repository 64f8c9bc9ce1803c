"""A kind of effect: how to send it, how to find it when its answer was lost, and how reports name it."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from triage.domain.cases import Outcome
from triage.domain.effects import Effect
from triage.domain.tickets import Mark


class Destination(Protocol):
    """The other system, to which effects are written."""

    @property
    def sent(self) -> int:
        """Number of writes whose first byte may have left; a write that fails earlier has changed nothing."""


To_contra = TypeVar("To_contra", bound=Destination, contravariant=True)
Body = TypeVar("Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteIntent(Generic[Body]):
    """One effect to send: its ledger row, its mark and its content."""

    effect: Effect
    mark: Mark
    body: Body

    @property
    def target(self) -> str:
        """Key of what it changes; empty for something new."""
        return self.effect.target


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """Result of a write."""

    result: str = ""
    """The key or id of what was written, empty if it has none."""
    note: str = ""
    """Values that the other side did not take."""
    answer: Any = None
    """The port's return value; None if an earlier try made the write."""


async def record_only(_: Any, _intent: WriteIntent[Any]) -> WriteResult:
    """Write nothing: the row in the ledger is itself the effect, for those who read it."""
    return WriteResult()


async def _as_it_is(_: Any, intent: WriteIntent[Any]) -> Effect:
    return intent.effect


def digest(body: object) -> str:
    """SHA-256 of a body, to see whether it has changed."""
    text = body if isinstance(body, str) else repr(body)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectKind(Generic[To_contra, Body]):
    """One row of the table of kinds."""

    name: str
    send: Callable[[To_contra, WriteIntent[Body]], Awaitable[WriteResult]]
    """Sends the write, once per call. Raises the errors of its port."""
    find: Callable[[To_contra, WriteIntent[Body]], Awaitable[WriteResult | None]] | None = None
    """Looks for a write whose answer was lost; None for a kind that can be sent again without harm."""
    looked_for: bool = False
    """`find` is asked before the first send, too, if the mail came late: a database restored from an older copy has no row."""
    prepare: Callable[[To_contra, WriteIntent[Body]], Awaitable[Effect]] = _as_it_is
    """Adds what `find` needs to the row, before the first try."""
    digest: Callable[[Body], str] = digest
    renewed: bool = False
    """A new body under the same key overwrites the first; otherwise a done effect is never sent again."""
    verb: str = ""
    """What it did to its target, as in "Commented on"; empty for kinds that accompany other effects."""
    ends: Outcome | None = None
    """The outcome of a case with this effect; None if the effect does not decide it."""


EffectKinds = Mapping[str, EffectKind[Any, Any]]
"""Kinds by name. Of several effects of a case, the first kind in this order gives the outcome."""


def by_name(*kinds: EffectKind[Any, Any]) -> EffectKinds:
    return {kind.name: kind for kind in kinds}
