"""A kind of effect: how it is sent, how it is found again when its answer was lost, and what is said of it."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from triage.domain.cases import Outcome
from triage.domain.effects import Effect
from triage.domain.tickets import Mark


class Destination(Protocol):
    """Where effects go."""

    @property
    def sent(self) -> int:
        """Writes whose first byte may have left; what fails before that has changed nothing."""


To_contra = TypeVar("To_contra", bound=Destination, contravariant=True)
Body = TypeVar("Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent(Generic[Body]):
    """One effect on its way: its row, the mark it carries and what it says."""

    effect: Effect
    mark: Mark
    body: Body

    @property
    def target(self) -> str:
        """What it changes; empty for something new."""
        return self.effect.target


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """What came of a write."""

    result: str = ""
    """The key or id of what was written, empty where it has none."""
    note: str = ""
    """What of it was not taken."""
    answer: Any = None
    """As the other side gave it; None where an earlier try has written it."""


async def _as_it_is(_: Any, intent: Intent[Any]) -> Effect:
    return intent.effect


def digest(body: object) -> str:
    """The hash by which one body is told from another."""
    text = body if isinstance(body, str) else repr(body)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectKind(Generic[To_contra, Body]):
    """One row of the table of kinds."""

    name: str
    send: Callable[[To_contra, Intent[Body]], Awaitable[WriteResult]]
    """Writes it, once per call. Raises the errors of its port."""
    find: Callable[[To_contra, Intent[Body]], Awaitable[WriteResult | None]] | None = None
    """Looks for one whose answer was lost; None for a kind that may be sent again without harm."""
    prepare: Callable[[To_contra, Intent[Body]], Awaitable[Effect]] = _as_it_is
    """Adds to the row what `find` will need, before the first try."""
    digest: Callable[[Body], str] = digest
    renewed: bool = False
    """Another body under the same key is written over the first; otherwise what is done is done."""
    verb: str = ""
    """What it has done to its target, as in "Commented on"; empty for what goes along with other effects."""
    ends: Outcome | None = None
    """The outcome of a case that has written it; None where it says nothing of the outcome."""


EffectKinds = Mapping[str, EffectKind[Any, Any]]
"""By name. Of several effects the first kind in this order gives a case its outcome."""


def by_name(*kinds: EffectKind[Any, Any]) -> EffectKinds:
    """The table of these kinds."""
    return {kind.name: kind for kind in kinds}
