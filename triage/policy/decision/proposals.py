"""Renders an approval for the person who decides: sender, ticket, field, old and new value, with invisible characters escaped."""

from typing import Final

from triage.domain.approvals import Approval
from triage.domain.conversation import Json
from triage.domain.text.truncation import truncated
from triage.domain.text.visible import visible
from triage.domain.tickets import Person, Status, Ticket

LINE: Final = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}\n"
"""Stands for a line end, so that a text cannot imitate the end of the value."""


TEXTS: Final = frozenset({"comment", "reply"})
"""Fields whose value is a text of several lines."""
HELD: Final = frozenset({"status", "assignee", "summary"})
"""Fields of a ticket that hold something before they are changed."""


def worded(value: Json) -> str:
    """Render the value of a field."""
    return str(value.name) if isinstance(value, Status | Person) else str(value)


def current_value(field: str, ticket: Ticket) -> str:
    """Render the current value of a ticket's field; empty for what is no field."""
    match field:
        case "status":
            return ticket.status
        case "assignee":
            return ticket.assignee.name if ticket.assignee else "nobody"
        case "summary":
            return ticket.summary
    return ""


def change_of(approval: Approval, longest: int | None = None) -> str:
    """Render ticket, field, old and new value; of a text, its length and its first `longest` characters."""
    if not approval.field:
        return escaped(approval.arguments)
    ticket, becomes = escaped(approval.ticket), approval.becomes
    head = f"{ticket} {approval.field}".strip()
    if approval.field in TEXTS:
        shown = becomes if longest is None else truncated(becomes, longest)
        return f"{head}, {len(becomes):,} characters: {escaped(shown)}"
    if not ticket:  # a call of a tool from outside
        return f"{head}: {escaped(becomes)}"
    was = f"{escaped(approval.was)} → " if approval.was else "→ "
    return f"{head}: {was}{escaped(becomes)}"


def asker_of(approval: Approval) -> str:
    """Render the author of the mail and the trust in him."""
    return f"{escaped(approval.sender) or 'unknown sender'} ({approval.trust or 'trust not known'})"


def why_of(approval: Approval) -> str:
    """Render why a person decides, beside the change itself: without the part of the reason that says it again."""
    change, _, why = approval.reason.partition("; ")
    return why if why and " would " in change else approval.reason


def state_of(approval: Approval) -> str:
    """Render the state of an approval; of a superseded one, the approval that replaced it."""
    by = f" by {approval.superseded_by}" if approval.superseded_by else ""
    return f"{approval.state}{by}"


def deciders_of(approval: Approval) -> str:
    """Render the people who decided, in order; while it is open, those who accepted so far."""
    return ", ".join(dict.fromkeys(filter(None, (*approval.votes, approval.by))))


def escaped(text: str) -> str:
    """Show invisible characters and unusual blanks as `[U+202E]`."""
    return "".join(map(_seen, text))


def lines_of(text: str) -> str:
    """Show invisible characters and unusual blanks of a text as `[U+202E]`, and keep its line breaks."""
    return "\n".join(map(escaped, text.split("\n")))


def _seen(sign: str) -> str:
    if sign == "\n":
        return LINE
    blank = sign.isspace() and sign != " "
    return f"[U+{ord(sign):04X}]" if blank or visible(sign) != sign else sign
