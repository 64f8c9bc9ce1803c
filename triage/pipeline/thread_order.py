"""Decides which earlier case of the thread a case waits for."""

from collections.abc import Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import Behind
from triage.pipeline.context import Services
from triage.policy.thread.fingerprint import people_of, waits_for

LONGEST_WAIT: Final = 55.0
"""Total seconds that a mail waits for earlier mails of its thread; then it continues without them."""


class ThreadBusy(Behind):
    """An earlier mail of this thread is still being worked on."""


async def turn_of(case: Case, at: Services) -> None:
    """Return if it is the case's turn in its thread. Raises `ThreadBusy` if an earlier case goes first."""
    if ahead := await in_front(case, await at.threads.ahead(case.identity.thread_key, people_of(case.mail)), at):
        raise ThreadBusy(ahead)


async def in_front(case: Case, earlier: Sequence[str], at: Services) -> str | None:
    """Return the first of these cases that this one waits for; None if there is none or LONGEST_WAIT is over."""
    since = at.cases.lease.waiting_since
    if since is not None and (at.clock.now() - since).total_seconds() >= LONGEST_WAIT:
        return None
    for name in earlier:
        other = await at.cases.peek(name)
        if other is not None and waits_for(case, other, at.rules.edge):
            return name
    return None
