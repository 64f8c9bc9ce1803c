"""Checks every few seconds for conditions that need people: mailboxes, waiting and dead mails, floods, unconfirmed letters, approvals."""

from collections.abc import Callable
from dataclasses import dataclass

from triage.config.autonomy.approvals import ApprovalRules
from triage.domain.approvals import Approval
from triage.domain.letters import LetterState
from triage.domain.ports import Archive, Clock, LetterStore, Troubles
from triage.policy.channels.conditions import (
    approval_notice,
    config_notice,
    dead_notice,
    delay_notice,
    flood_notice,
    letter_notice,
    mailbox_notice,
    pause_notice,
    reminder_notice,
)
from triage.services.channels.notices import Notices
from triage.services.health import HealthService
from triage.services.support.response_times import ResponseTimes


def no_links(_: Approval, _person: str = "") -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Looks every few seconds for conditions that people must know of, and sends a notice of each, once by its key.

    It reads only the store, so several processes may run it at once.
    """

    notices: Notices
    health: HealthService
    troubles: Troubles
    archive: Archive
    letters: LetterStore
    clock: Clock
    links: Callable[[Approval], str] = no_links
    """Returns lines `name: address` with links that show or decide it; empty without PUBLIC_URL."""
    approvals: Callable[[], ApprovalRules] = ApprovalRules
    """Returns the rules of triage.yaml as they are now."""
    response_times: ResponseTimes | None = None
    """None without the support hub."""

    async def run_once(self) -> None:
        """Look, then send what is due. Raises `StoreDown`."""
        await self.record()
        await self.notices.send_due()

    async def record(self) -> None:
        """Record new conditions, and which states have ended. Raises `StoreDown`."""
        now = self.clock.now()
        states = [mailbox_notice(one.cursor, one.trouble, now) for one in await self.health.mailboxes()]
        states += [delay_notice(delayed, now) for delayed in await self.troubles.delayed()]
        states += [pause_notice(await self.health.pause())]
        events = [flood_notice(flood, now) for flood in await self.archive.floods()]
        events += [dead_notice(dead) for dead in await self.troubles.dead()]
        events += [letter_notice(letter) for letter in await self.letters.letters(state=LetterState.UNKNOWN)]
        before = self.approvals().remind_before
        for approval in await self.archive.approvals():
            links = self.links(approval)
            events += [approval_notice(approval, links), reminder_notice(approval, now, before, links)]
        events += await self.response_times.notices() if self.response_times else ()
        events += [config_notice(self.health.config_trouble())]
        await self.notices.now_standing([state for state in states if state])
        await self.notices.tell(*(event for event in events if event))
