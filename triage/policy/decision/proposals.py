"""Renders an approval for the person who decides: sender, ticket, field, old and new value, with invisible characters escaped."""

from typing import Final

from triage.domain.cases import Approval
from triage.domain.conversation import Json
from triage.domain.tickets import Person, Status, Ticket
from triage.domain.visible import visible

LINE: Final = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}\n"
"""Stands for a line end, so that a text cannot pretend to have ended."""


def worded(value: Json) -> str:
    """What a field would hold, in words."""
    return str(value.name) if isinstance(value, Status | Person) else str(value)


def held(field: str, ticket: Ticket) -> str:
    """What the field of this ticket holds, in words; nothing for what no field holds."""
    match field:
        case "status":
            return ticket.status
        case "assignee":
            return ticket.assignee.name if ticket.assignee else "nobody"
        case "summary":
            return ticket.summary
    return ""


def change_of(approval: Approval, longest: int | None = None) -> str:
    """Ticket, field, from and to; of a comment its length and its text, cut to `longest` characters."""
    if not approval.field:
        return escaped(approval.arguments)
    ticket, becomes = escaped(approval.ticket), approval.becomes
    if approval.field == "comment":
        cut = "" if longest is None or len(becomes) <= longest else " …"
        return f"{ticket} comment, {len(becomes):,} characters: {escaped(becomes[:longest])}{cut}"
    was = f"{escaped(approval.was)} → " if approval.was else "→ "
    return f"{ticket} {approval.field}: {was}{escaped(becomes)}"


def asker_of(approval: Approval) -> str:
    """Who wrote the mail, and how far that is proven."""
    return f"{escaped(approval.sender) or 'unknown sender'} ({approval.trust or 'trust not known'})"


def state_of(approval: Approval) -> str:
    """Where it stands; of one that gave way, to which."""
    by = f" by {approval.superseded_by}" if approval.superseded_by else ""
    return f"{approval.state}{by}"


def escaped(text: str) -> str:
    """The text with all that a reader would not see, or take for a plain blank, as `[U+202E]`."""
    return "".join(map(_seen, text))


def _seen(sign: str) -> str:
    if sign == "\n":
        return LINE
    blank = sign.isspace() and sign != " "
    return f"[U+{ord(sign):04X}]" if blank or visible(sign) != sign else sign
