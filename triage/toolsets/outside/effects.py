"""The effects of tools from outside: a call that writes or sends runs at most once, and nothing of it is sent again in doubt."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Outcome
from triage.domain.errors import OutsideFailed, OutsideUnknown, WriteUnconfirmed
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult
from triage.policy.decision.outside_tools import EFFECT


@dataclass(slots=True)
class OutsideCall:
    """One call, as the destination of its effect."""

    tool: str
    run: Callable[[], Awaitable[str]]
    sent: int = 0
    """1 once the tool has begun."""


async def _send(to: OutsideCall, _: WriteIntent[str]) -> WriteResult:
    """Run the tool. A failure in the middle leaves in doubt what was done; the tool's own refusal does not."""
    to.sent += 1
    try:
        return WriteResult(answer=await to.run())
    except OutsideFailed as e:
        raise WriteUnconfirmed(e.detail) from e


async def _never_again(to: OutsideCall, _: WriteIntent[str]) -> WriteResult | None:
    raise OutsideUnknown(to.tool)


OUTSIDE_ONCE: Final = EffectKind(name=EFFECT, send=_send, find=_never_again, ends=Outcome.UPDATED)
OUTSIDE_AGAIN: Final = EffectKind(name=f"{EFFECT}-again", send=_send, ends=Outcome.UPDATED)
"""Of tools that do a call of the same `OutsideContext.once` only once themselves, so that it may be sent again."""
EFFECTS: Final = (OUTSIDE_ONCE, OUTSIDE_AGAIN)
