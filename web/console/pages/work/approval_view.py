"""Makes the contents of the approval pages: the exact effect, its recipients, and who has decided."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.conversation import Json
from triage.domain.text.escapes import unescaped
from triage.domain.text.soft_breaks import soft_wrapped
from triage.policy.approvals.edit_form import EditField, worded
from triage.policy.decision.proposals import deciders_of, why_of
from triage.services.approvals import Proposal
from web.console.words import TextPiece, pieces

HEADS: Final = {
    "reply": "Answer the sender",
    "ticket": "Make a ticket",
    "comment": "Comment on {ticket}",
    "status": "Move {ticket} to {becomes}",
    "assignee": "Assign {ticket} to {becomes}",
    "summary": "Rename {ticket}",
    "sprint": "Plan {ticket}",
}
"""By the field of a proposal."""
DECIDED: Final = {
    ApprovalState.ACCEPTED: "accepted it",
    ApprovalState.REJECTED: "ignored it: nothing is written",
    ApprovalState.ANSWERED: "told the agent what to do instead",
}
FIRST: Final = ("summary", "subject", "body", "comment", "description")
"""Arguments that are read before the others."""
MARKDOWN: Final = frozenset({"body", "comment", "description"})
"""Arguments that are shown as they read once they are rendered; their source stands in the form and among the exact arguments."""
LONG: Final = 90
"""Characters from which a value stands in a box of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One approval in the list."""

    number: int
    case: str
    """`case-17`."""
    ticket: str
    """Key of what would change; empty: nothing that exists."""
    head: str
    effect: str
    becomes: str
    """What would stand there; empty where the head says it."""
    sender: str
    trust: str
    parked_at: datetime | None
    expires_at: datetime | None
    votes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One argument that would be written."""

    name: str
    was: tuple[TextPiece, ...]
    """What stands there now; empty: nothing, or it is not known."""
    becomes: tuple[TextPiece, ...]
    length: int
    """Characters."""
    long: bool
    """It stands in a box of its own."""
    proposed: tuple[TextPiece, ...] = ()
    """What the agent had proposed, where a person changed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalField:
    """A field of the form, with what somebody has written into it."""

    edit: EditField
    text: str

    @property
    def label(self) -> str:
        return self.edit.name.replace("_", " ").capitalize()

    @property
    def markdown(self) -> bool:
        return self.edit.name in MARKDOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalView:
    """One approval."""

    line: Line
    approval: Approval
    why: str
    """Why a person decides."""
    values: tuple[Value, ...]
    mail: tuple[TextPiece, ...]
    """The mail's words; empty: there are none."""
    subject: str
    recipients: tuple[str, ...]
    """Of a letter."""
    left_out: tuple[str, ...]
    fields: tuple[ApprovalField, ...]
    trouble: str
    instruction: str
    """What somebody wrote to the agent and could not send."""
    open: bool
    own: bool
    voted: bool
    """The person has accepted it already, and somebody else has to."""
    eyes: int
    notice: str
    """Who decided what; while it is open, who has accepted so far."""


def line_of(approval: Approval) -> Line:
    head = HEADS.get(approval.field) or approval.tool.replace("_", " ").capitalize() + (
        " on {ticket}" if approval.ticket else ""
    )
    becomes = " ".join(approval.becomes[:300].split())
    return Line(
        number=approval.id,
        case=approval.case,
        ticket=approval.ticket or "",
        head=head.replace("{ticket}", approval.ticket or "a ticket").replace("{becomes}", becomes),
        effect=approval.effect,
        becomes="" if "{becomes}" in head else becomes,
        sender=approval.sender,
        trust=approval.trust,
        parked_at=approval.parked_at,
        expires_at=approval.expires_at,
        votes=", ".join(approval.votes),
    )


def view_of(proposal: Proposal, who: str, written: dict[str, str] | None = None, instruction: str = "") -> ApprovalView:
    """Return what a person sees; `written` is what he had typed into the form when something went wrong."""
    approval, message = proposal.approval, proposal.case.message
    to, typed = proposal.recipients, written or {}
    return ApprovalView(
        line=line_of(approval),
        approval=approval,
        why=why_of(approval),
        values=values_of(approval),
        mail=pieces(soft_wrapped(message.text)) if message else (),
        subject=str(message.subject) if message else "",
        recipients=tuple(str(one) for one in (*to.to, *to.cc)) if to else (),
        left_out=(*to.left_out, *((to.why,) if to.why else ())) if to else (),
        fields=tuple(ApprovalField(edit=one, text=typed.get(one.name, one.value)) for one in proposal.fields),
        trouble=proposal.trouble,
        instruction=instruction,
        open=approval.state is ApprovalState.OPEN,
        own=proposal.own,
        voted=who in approval.votes,
        eyes=proposal.eyes,
        notice=decided_by(approval, proposal.eyes),
    )


def values_of(approval: Approval) -> tuple[Value, ...]:
    """Return every argument that would be written: nothing of what the decision covers is left out."""
    first, exact = json.loads(approval.arguments), json.loads(approval.exact)
    names = (*(name for name in FIRST if name in exact), *(name for name in exact if name not in FIRST))
    return tuple(
        _value(name, _words(exact[name]), approval.was if name == approval.field else "", _words(first.get(name)))
        for name in names
        if name != "ticket_key" or exact[name] != approval.ticket
    )


def _words(value: Json) -> str:
    return ", ".join(map(worded, value)) if isinstance(value, list) else worded(value)


def _value(name: str, becomes: str, was: str, proposed: str) -> Value:
    if name in MARKDOWN:
        becomes, proposed = unescaped(becomes), unescaped(proposed)
    return Value(
        name=name.replace("_", " "),
        was=pieces(was) if was else (),
        becomes=pieces(becomes),
        length=len(becomes),
        long="\n" in becomes or len(becomes) > LONG,
        proposed=pieces(proposed) if proposed and proposed != becomes else (),
    )


def decided_by(approval: Approval, eyes: int) -> str:
    who = deciders_of(approval)
    match approval.state:
        case ApprovalState.OPEN if who:
            return f"{who} accepted it; one more person has to."
        case ApprovalState.OPEN:
            return "Two people have to accept it." if eyes > 1 else ""
        case ApprovalState.SUPERSEDED:
            return f"A later mail proposed something else: no. {approval.superseded_by}."
        case ApprovalState.EXPIRED:
            return "Nobody decided in time: nothing is written."
        case ApprovalState.VOID:
            return f"{who} accepted it, and the ticket had moved on before: nothing is written."
    edited = ", after changing it" if approval.edited else ""
    return f"{who or 'Somebody'} {DECIDED[approval.state]}{edited}."
