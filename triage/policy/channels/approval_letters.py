"""Writes the letter that asks an approver: what would be done, why, two links, and how to answer by mail."""

from collections.abc import Sequence
from typing import Final

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address
from triage.policy.channels.mail_answers import effect_of
from triage.policy.channels.ticket_notes import effect_text
from triage.policy.decision.proposals import asker_of, why_of
from triage.policy.letters.compose import original_of
from triage.policy.letters.reply.draft import subject_text
from triage.policy.thread.signed_message_ids import own_id
from triage.policy.ticket.markdown import literal

REPLY: Final = "Or answer this letter: its first line says **yes**, **no** or **edit** and the new text. Your mail server has to prove that it is from you."


def approval_letter(
    approval: Approval, case: Case, person: str, *, to: Sequence[str] = (), links: str, domain: str, secret: bytes
) -> Letter:
    """Return the letter to this approver, with the mail quoted below.

    `to` get what waits, if it is a letter; `links` are lines `yes: https://…`, `domain` is that of MAIL_FROM.
    """
    effect, about = effect_of(approval, person), subject_text(case.message.subject) if case.message else ""
    ticket = approval.ticket or case.ticket or ""
    expires = f"It waits until {approval.expires_at:%Y-%m-%d %H:%M} UTC." if approval.expires_at else ""
    parts = (
        f"**Triage asks you, no. {approval.id}** ({', '.join(filter(None, (approval.case, literal(ticket))))})",
        effect_text(approval, to),
        f"Why a person: {literal(why_of(approval))}",
        f"Asked by {literal(asker_of(approval))}",
        *(f"{name}: <{link}>" for name, _, link in (line.partition(": ") for line in links.splitlines())),
        REPLY,
        expires,
    )
    return Letter(
        key=f"{approval.case}:{effect}",
        case=approval.case,
        kind=LetterKind.APPROVAL,
        to=(Address(address=person),),
        subject=f"May Triage do this? no. {approval.id}"
        + (f", {ticket}" if ticket else "")
        + (f": {about}" if about else ""),
        body="\n\n".join(filter(None, parts)),
        message_id=own_id(case, effect, domain, secret),
        original=original_of(case),
        ticket=approval.ticket,
    )
