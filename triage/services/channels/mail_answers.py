"""Carries out what approvers answer to our letters, if their mail servers prove that they wrote it."""

from dataclasses import dataclass

from triage.domain.approvals import Approver, ApproverProof
from triage.domain.cases import Case
from triage.domain.channels.notices import Notice, NoticeKind
from triage.domain.channels.ticket_notes import Verb
from triage.domain.errors import ApprovalClosed, Refused
from triage.domain.mail import Trust
from triage.policy.approvals.edit_form import text_argument
from triage.policy.channels.mail_answers import AskedApproval, answer_in, asked_by, person_digest
from triage.services.approvals import ApprovalService
from triage.services.channels.notices import Notices


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAnswers:
    """Called by `identify` for a mail that answers a letter of ours. Raises `StoreDown`, and what the tracker raises."""

    approvals: ApprovalService
    notices: Notices

    async def __call__(self, case: Case, effect: str) -> str | None:
        """Decide as the mail says; describe the result; None if the letter was no request to decide."""
        asked = asked_by(effect)
        if asked is None:
            return None
        sender = case.mail.sender.address.casefold() if case.mail.sender else ""
        if case.identity.trust is not Trust.VERIFIED or person_digest(sender) != asked.person:
            await self._note(case, asked)
            return f"an answer to no. {asked.approval} of somebody who is not proven to be the one who was asked"
        answer = answer_in(str(case.mail.reply or case.mail.text))
        if answer is None:
            return f"an answer to no. {asked.approval} whose first line is not yes, no or edit: nothing was decided"
        return await self._decided(asked, sender, *answer)

    async def _decided(self, asked: AskedApproval, sender: str, verb: Verb, text: str) -> str:
        number, who = asked.approval, Approver(name=sender, proof=ApproverProof.MAIL, address=sender)
        try:
            found = await self.approvals.get(number)
            if not found.hash.startswith(asked.shown):
                return f"no. {number} was changed since this person was asked: nothing was decided"
            match verb:
                case Verb.YES:
                    await self.approvals.accept(number, who, shown=found.hash)
                case Verb.NO:
                    await self.approvals.ignore(number, who, shown=found.hash)
                case _:
                    await self.approvals.edit(number, {text_argument(found): text}, who, shown=found.hash)
        except ApprovalClosed as e:
            # A worker that died behind the decision reads the mail again.
            return f"no. {number} is decided by this mail: {e.state}" if e.by == who.identity else str(e)
        except Refused as e:
            return f"no. {number}: {e}"
        return f"no. {number} is decided by this mail: {verb.value}"

    async def _note(self, case: Case, asked: AskedApproval) -> None:
        """Record a notice that somebody may have tried to decide in another person's name."""
        notice = Notice(
            kind=NoticeKind.FORGED_LINK,
            text=f"A mail that answers our question no. {asked.approval} is not proven to be the approver's. Nothing was decided by it.",
            cure="triage show CASE says who it claims to be; the approver can use the link, or comment in Jira.",
            case=case.id,
            key=f"mail answer {case.id}",
        )
        await self.notices.tell(notice)
