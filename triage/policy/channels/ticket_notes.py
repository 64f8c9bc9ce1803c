"""Writes our notes on tickets: what a proposal would do and how to answer it, what became of it, answers to commands."""

from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.channels.ticket_notes import TicketNote
from triage.domain.untrusted import Untrusted
from triage.policy.approvals.edit_form import edited_text
from triage.policy.decision.proposals import TEXTS, asker_of, change_of, why_of
from triage.policy.ticket.footer import signed
from triage.policy.ticket.markdown import literal, quoted

HELP: Final = (
    "`/triage yes`, `/triage no`, `/triage edit NEW TEXT` answer what waits here (with its number where several wait: "
    "`/triage yes 12`, `/triage edit #12 NEW TEXT`); `/triage undo` takes back what was written here and letters that have not left yet; "
    "`/triage new` gives the mail a ticket of its own; `/triage stop` rejects all that waits here"
)
ANSWERS: Final = "Answer by a comment that begins with `/triage yes`, `/triage no` or `/triage edit NEW TEXT`"
SHOWN: Final = 8_000
"""Characters of what a proposal shows; all of it runs."""


def proposal_note(
    approval: Approval, ticket: str, names: Mapping[str, str], to: Sequence[str] = (), *, carried_out: bool
) -> TicketNote:
    """Return the note about an approval as it stands; `names` are those of people by address and account, `to` get a letter."""
    is_open = approval.state is ApprovalState.OPEN
    expires = f" until {approval.expires_at:%Y-%m-%d %H:%M} UTC" if approval.expires_at else ""
    lines = (
        f"**Triage asks a person, no. {approval.id}**"
        if is_open
        else f"**{_result_text(approval, names, carried_out)}**",
        effect_text(approval, to),
        f"Why a person: {literal(why_of(approval))}",
        f"Asked by {literal(asker_of(approval))}",
        *((_votes(approval, names),) if is_open and approval.votes else ()),
        *((f"{ANSWERS}{expires}.",) if is_open else ()),
    )
    return TicketNote(
        key=f"approval {approval.id}",
        ticket=ticket,
        body=signed("\n\n".join(lines), f"*Triage · {approval.case} · no. {approval.id}*"),
        shown=approval.hash,
        final=not is_open and (carried_out or approval.state is not ApprovalState.ACCEPTED),
    )


def refusal_note(ticket: str, person: str, name: str, address: str = "") -> TicketNote:
    """Return the one answer to all commands of a person who may not decide here; `address` as Jira shows it to us."""
    hidden = "" if address else f" Jira shows us no address of this account, so it is named there as `{person}`."
    text = (
        f"{literal(name)}: nothing was done. Only people named under `approvals.approvers` of Triage decide by comments; "
        f"this is said once.{hidden}"
    )
    return TicketNote(key=f"refused {ticket} {person}", ticket=ticket, body=text, final=True)


def answer_note(ticket: str, comment: str, name: str, answer: str) -> TicketNote:
    return TicketNote(key=f"answer {comment}", ticket=ticket, body=f"{literal(name)}: {answer}", final=True)


def effect_text(approval: Approval, to: Sequence[str] = ()) -> str:
    """Render what would be done; `to` get it, if it is a letter. A text stands as a quote, with its own lines; all else on one line."""
    if not approval.edited and approval.field not in TEXTS:
        return literal(change_of(approval, SHOWN)[:SHOWN])
    head = (
        literal(f"letter to {', '.join(to)}" if to else f"{approval.ticket} {approval.field}") or "This would be done"
    )
    text = edited_text(approval) if approval.edited else approval.becomes
    return f"{head}:\n\n{quoted(Untrusted(text), SHOWN)}"


def _votes(approval: Approval, names: Mapping[str, str]) -> str:
    return f"Accepted so far by {', '.join(_name(one, names) for one in approval.votes)}; one more person has to."


def _result_text(approval: Approval, names: Mapping[str, str], carried_out: bool) -> str:  # noqa: FBT001 - private
    by = _name(approval.by, names)
    match approval.state:
        case ApprovalState.ACCEPTED:
            how = "Edited and accepted" if approval.edited else "Accepted"
            return f"{how} by {by}: {'done' if carried_out else 'it is being carried out'}"
        case ApprovalState.REJECTED:
            return f"Rejected by {by}: nothing was done"
        case ApprovalState.ANSWERED:
            return f"{by} gave an instruction instead: a new proposal follows"
        case ApprovalState.SUPERSEDED:
            return f"Replaced by no. {approval.superseded_by}, which a later mail asked for"
        case ApprovalState.EXPIRED:
            return "Nobody decided in time: nothing was done"
        case _:
            return "The ticket or the thread had moved on: nothing was done"


def _name(identity: str, names: Mapping[str, str]) -> str:
    return literal(names.get(identity.casefold(), identity))
