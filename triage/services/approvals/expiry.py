"""Closes approvals that were not decided in time, and reminds of those that expire soon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.config.autonomy.approvals import ApprovalRules
from triage.domain.approvals import Approval
from triage.domain.channels.notices import Notice, NoticeKind
from triage.domain.ports import Clock, Decisions
from triage.policy.decision.proposals import asker_of, change_of
from triage.services.channels.notices import Notices
from triage.services.operations.repeating import repeated

EVERY: Final = 60.0
"""Seconds between two checks."""
SHOWN: Final = 300
"""Characters of a change in a reminder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalExpiry:
    """Closes expired approvals and reminds of those that expire soon; each once, also if several processes run it."""

    decisions: Decisions
    notices: Notices
    clock: Clock
    rules: Callable[[], ApprovalRules]
    """Returns the rules of triage.yaml as they are now."""

    async def run(self) -> None:
        """Look until cancelled; a store that is down is tried again."""
        await repeated(self.look, self.clock, EVERY, "approvals.later")

    async def look(self) -> None:
        """Close what has expired, then remind of the rest. Raises `StoreDown`."""
        for approval in await self.decisions.expire():
            logger.bind(approval=approval.id, case=approval.case).warning("approval.expired")
        before = self.rules().remind_before.total_seconds()
        await self.notices.tell(*map(_reminder, await self.decisions.remind(before)))


def _reminder(approval: Approval) -> Notice:
    ends = f"{approval.expires_at:%Y-%m-%d %H:%M} UTC" if approval.expires_at else "some day"
    return Notice(
        kind=NoticeKind.REMINDER,
        text=f"No. {approval.id} expires at {ends}, asked by {asker_of(approval)}: {change_of(approval, SHOWN)}",
        cure="triage approvals lists what waits; triage approve, edit, respond or reject decides it.",
        case=approval.case,
        ticket=approval.ticket,
        key=f"reminder {approval.id}",
    )
