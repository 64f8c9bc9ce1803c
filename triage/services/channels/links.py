"""Creates links by which approvers decide, and carries out their decision: once, as shown, until the link expires."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from loguru import logger

from triage.domain.approvals import Approval, ApprovalState, Approver, ApproverProof
from triage.domain.cases import Case
from triage.domain.channels.errors import LinkBusy, LinkExpired, LinkInvalid, LinkUsed
from triage.domain.channels.notices import Notice, NoticeKind
from triage.domain.channels.ticket_notes import HeardCommand, Hearing
from triage.domain.errors import ApprovalClosed, Moved
from triage.domain.ports import Clock, Commands
from triage.policy.channels.signed_links import HASH, LinkAnswer, LinkClaims, claims_of_token, token_of
from triage.policy.letters.recipients import Recipients
from triage.services.approvals import ApprovalService
from triage.services.channels.notices import Notices

LASTS: Final = timedelta(days=3)
"""Life of a link about an approval that does not expire."""
LEASE: Final = timedelta(minutes=2)
PATH: Final = "/approve/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a link would do, for the page that shows it."""

    pledge: LinkClaims
    approval: Approval
    case: Case
    recipients: Recipients | None
    """Who would get a letter; None for what is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLinks:
    """Called by the page of links, and by whatever sends links: letters and chat. All methods raise `StoreDown`."""

    approvals: ApprovalService
    commands: Commands
    notices: Notices
    clock: Clock
    secret: bytes
    address: str
    """PUBLIC_URL, without a slash at its end."""

    def link(self, approval: Approval, answer: LinkAnswer, person: str) -> str:
        """Return the address by which this person gives this answer about what the approval shows now."""
        expires = approval.expires_at or self.clock.now() + LASTS
        pledge = LinkClaims(
            approval=approval.id,
            hash=approval.hash[:HASH],
            answer=answer,
            person=person,
            expires=int(expires.timestamp()),
        )
        return f"{self.address}{PATH}{token_of(pledge, self.secret)}"

    def lines(self, approval: Approval, person: str) -> str:
        """Return the two links of a person as lines of plain text."""
        return "\n".join(f"{answer.value}: {self.link(approval, answer, person)}" for answer in LinkAnswer)

    async def offer(self, token: str) -> Offer:
        """Return what the link would do; decides nothing.

        Raises `LinkInvalid`, `LinkExpired`, `ApprovalClosed` if somebody has decided, `Moved` if something else waits now.
        """
        pledge, approval = await self._standing(token)
        case = await self.approvals.case_of(approval)
        return Offer(pledge=pledge, approval=approval, case=case, recipients=self.approvals.recipients(approval, case))

    async def _standing(self, token: str) -> tuple[LinkClaims, Approval]:
        """Return what a link is about while it can still be decided. Raises as `offer`."""
        pledge = await self._pledge(token)
        approval = await self.approvals.get(pledge.approval)
        if approval.state is not ApprovalState.OPEN:
            raise ApprovalClosed(approval.id, approval.state, approval.by)
        if approval.hash[:HASH] != pledge.hash:
            raise Moved(approval.id, "it was changed since the link was made")
        return pledge, approval

    async def decide(self, token: str, proof: ApproverProof = ApproverProof.LINK) -> Approval:
        """Carry out the link's decision; return the approval.

        Raises as `offer`, `LinkUsed` the second time, and what `ApprovalService` raises.
        """
        pledge, now = await self._pledge(token), self.clock.now()
        who = Approver(name=pledge.person, proof=proof, address=pledge.person)
        used = HeardCommand(
            comment=f"link {hashlib.sha256(token.encode()).hexdigest()[:40]}",
            ticket="",
            person=pledge.person,
            at=now,
        )
        hearing = await self.commands.hear(used, now + LEASE)
        if hearing is Hearing.HELD:
            raise LinkBusy(pledge.approval)
        if hearing is Hearing.DONE:
            await self._note("used a second time", pledge)
            raise LinkUsed(pledge.approval)
        shown = (await self._standing(token))[1].hash
        decide = self.approvals.accept if pledge.answer is LinkAnswer.YES else self.approvals.ignore
        decided = await decide(pledge.approval, who, shown=shown)
        await self.commands.obeyed(used.comment, pledge.answer.value)
        return decided

    async def _pledge(self, token: str) -> LinkClaims:
        pledge = claims_of_token(token, self.secret)
        if pledge is None:
            await self._note("not made by us", None)
            raise LinkInvalid
        if pledge.is_over(self.clock.now()):
            await self._note("expired", pledge)
            raise LinkExpired(pledge.approval)
        return pledge

    async def _note(self, why: str, pledge: LinkClaims | None) -> None:
        """Note a refused link: in the log, and once a day and reason for people."""
        number, now = pledge.approval if pledge else 0, self.clock.now()
        logger.bind(why=why, approval=number).warning("link.refused")
        if pledge is None or why != "expired":
            await self.notices.tell(_refused(why, number, now))


def _refused(why: str, number: int, now: datetime) -> Notice:
    about = f" about no. {number}" if number else ""
    return Notice(
        kind=NoticeKind.FORGED_LINK,
        text=f"A link to decide{about} was refused: {why}. Nothing was decided by it.",
        cure="If nobody of yours followed an old link, somebody tries: look at the log for link.refused.",
        key=f"link {why} {number} {now:%Y-%m-%d}",
    )
