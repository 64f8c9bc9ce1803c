"""Says which earlier case of the thread a case waits for."""

from collections.abc import Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import Behind
from triage.pipeline.context import Services
from triage.policy.thread.fingerprint import waits_for

LONGEST_WAIT: Final = 20.0
"""Seconds that a mail waits in all; then its thread goes on without those in front of it."""


class ThreadBusy(Behind):
    """An earlier mail of this thread is still being worked on."""


async def turn_of(case: Case, at: Services) -> None:
    """Come back where it is the case's turn in its thread. Raises `ThreadBusy` where an earlier one goes first."""
    if ahead := await in_front(case, await at.threads.ahead(case.lane), at):
        raise ThreadBusy(ahead)


async def in_front(case: Case, earlier: Sequence[str], at: Services) -> str | None:
    """The first of these cases that this one waits for, None where there is none or it has waited long enough."""
    since = at.cases.lease.waiting_since
    if since is not None and (at.clock.now() - since).total_seconds() >= LONGEST_WAIT:
        return None
    for name in earlier:
        other = await at.cases.peek(name)
        if other is not None and waits_for(case, other, at.rules.edge):
            return name
    return None
