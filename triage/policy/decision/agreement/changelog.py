"""Judges from a ticket's changelog whether people left alone what Triage decided about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from triage.domain.tickets import FieldChange, Ticket
from triage.domain.untrusted import Untrusted


class OverruledDecision(StrEnum):
    """A decision about a new ticket."""

    TYPE = "type"
    PRIORITY = "priority"
    COMPONENT = "component"
    ASSIGNEE = "assignee"
    DUPLICATE_LINK = "duplicate_link"
    """A link that we set to a ticket that may be the same."""
    TICKET = "ticket"
    """That the mail makes a ticket; people disagree by closing it as invalid or as a duplicate."""


INVALID: Final = (
    *(
        *("invalid", "duplicate", "won't do", "won't fix", "wontfix", "not a bug", "no bug", "rejected"),
        *("declined", "spam"),
    ),
    *("cannot reproduce", "incomplete", "works as designed", "not an issue", "abandoned", "obsolete"),
)
"""Resolutions that say that there was nothing to do, in lower case; what contains one of them counts."""
_SINGLE: Final = {
    "issuetype": OverruledDecision.TYPE,
    "priority": OverruledDecision.PRIORITY,
    "assignee": OverruledDecision.ASSIGNEE,
}
_COMPONENTS: Final = "components"
_LINKS: Final = "issuelinks"
_RESOLUTION: Final = "resolution"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketAgreement:
    """What we decided about a ticket, and what people have made of it."""

    key: str
    week: date
    """Monday of the week in which the ticket was created."""
    decided: Mapping[OverruledDecision, FieldChange | None]
    """Our decisions; the change by which people overruled one, None if it was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many decisions of a kind people kept."""

    decided: int = 0
    kept: int = 0

    @property
    def agreement(self) -> float | None:
        """The share that people kept, 0 to 1; None without decisions."""
        return round(self.kept / self.decided, 3) if self.decided else None


def agreement_of(ticket: Ticket, changes: Sequence[FieldChange], me: str) -> TicketAgreement:
    """Compare our last decision about each field with the field today; `me` is the id of our account."""
    decided: dict[OverruledDecision, FieldChange | None] = {OverruledDecision.TICKET: _closed(changes, me)}
    today = {
        "issuetype": ticket.issue_type,
        "priority": ticket.priority or "",
        "assignee": str(ticket.assignee.name) if ticket.assignee else "",
    }
    for field, kind in _SINGLE.items():
        ours, last = _single([change for change in changes if change.field == field], today[field], me)
        if ours:
            decided[kind] = last
    for field, kind, now in (
        (_COMPONENTS, OverruledDecision.COMPONENT, ticket.components),
        (_LINKS, OverruledDecision.DUPLICATE_LINK, None),
    ):
        ours_set, taken = _members([change for change in changes if change.field == field], now, me)
        if ours_set:
            decided[kind] = taken
    created = ticket.created.date() if ticket.created else date.min
    return TicketAgreement(key=ticket.key, week=created - timedelta(days=created.weekday()), decided=decided)


def attributed_to_people(
    changes: Sequence[FieldChange], me: str, members: Mapping[tuple[str, str], str]
) -> tuple[FieldChange, ...]:
    """Attribute changes that our account made on a person's behalf to that person; `members` maps field and new value to him."""
    return tuple(
        replace(one, author=f"by {by}", author_name=Untrusted(by))
        if one.author == me and (by := members.get((one.field, one.becomes)))
        else one
        for one in changes
    )


def _single(changes: Sequence[FieldChange], today: str, me: str) -> tuple[str, FieldChange | None]:
    """Return what we decided last, and the change by which people left it, if the value is another one today."""
    ours = changes[0].was if changes else today
    last: FieldChange | None = None
    for change in changes:
        if change.author == me:
            ours, last = change.becomes, None
        else:
            last = change if change.becomes != ours else None
    return ours, last


def _members(
    changes: Sequence[FieldChange], today: Iterable[str] | None, me: str
) -> tuple[set[str], FieldChange | None]:
    """Return the members that we put in, and the last change by which people took one of them out.

    Without `today` the field began empty, as links do.
    """
    ours: set[str] = set()
    if today is not None:
        ours = set(today)
        for change in reversed(changes):
            ours.discard(change.becomes)
            ours |= {change.was} - {""}
    taken: dict[str, FieldChange] = {}
    for change in changes:
        if change.author == me:
            ours |= {change.becomes} - {""}
            ours.discard(change.was)
        elif change.was in ours:
            taken[change.was] = change
        taken.pop(change.becomes, None)
    return ours, next(reversed(taken.values()), None)


def _closed(changes: Sequence[FieldChange], me: str) -> FieldChange | None:
    """Return the change by which a person said that there was nothing to do, if that is the resolution today."""
    last = next((change for change in reversed(changes) if change.field == _RESOLUTION), None)
    if last is None or last.author == me:
        return None
    return last if any(word in last.becomes.casefold() for word in INVALID) else None


def shares(tickets: Iterable[TicketAgreement]) -> dict[OverruledDecision, Share]:
    """Count decisions by kind; every kind has an entry."""
    counted = {kind: Share() for kind in OverruledDecision}
    for ticket in tickets:
        for kind, overruled in ticket.decided.items():
            old = counted[kind]
            counted[kind] = Share(decided=old.decided + 1, kept=old.kept + (overruled is None))
    return counted


def total(counted: Iterable[Share]) -> Share:
    each = tuple(counted)
    return Share(decided=sum(share.decided for share in each), kept=sum(share.kept for share in each))
