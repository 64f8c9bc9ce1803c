"""Compares what Triage decided in the shadow with what people did about the same mails in the tracker."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from triage.domain.cases import Case
from triage.domain.tickets import Ticket
from triage.policy.decision.agreement.changelog import OverruledDecision, Share
from triage.policy.ranking.candidates import score
from triage.policy.thread.fingerprint import plain_subject

EARLIER: Final = timedelta(hours=1)
"""A ticket may be this much older than the mail's arrival: somebody read the mailbox faster, or clocks differ."""
LATER: Final = timedelta(days=7)
ENOUGH: Final = timedelta(days=1)
"""Time in which people make a ticket if they do: before its end, one that is not there says nothing."""
SAME_FROM: Final = 0.01
"""Probability from which a ticket counts as made for the mail, if no other mail is closer to it.

It is low because people write tickets in their own, few words, and a ticket of these days is likely to come from some mail.
"""


class TrackerAction(StrEnum):
    """What happens to a mail in the tracker."""

    TICKET = "ticket"
    COMMENT = "comment"
    NONE = "nothing"
    PERSON = "person"
    """A person is asked; neither right nor wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intention:
    """What Triage would have written about a mail."""

    action: TrackerAction
    ticket: str = ""
    """The ticket of a comment."""
    fields: Mapping[OverruledDecision, str] = field(default_factory=dict)
    """Values of a new ticket, by their names in the tracker; components in order, with commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowComparison:
    """One mail: what Triage would have done, and the ticket that people made for it."""

    case: str
    subject: str
    ours: Intention
    theirs: Ticket | None
    early: bool = False
    """There is no ticket of people, and they may still make one."""
    closest: bool = True
    """No other mail is closer to that ticket: people made it for one mail, and others of its thread are about it, too."""

    @property
    def agrees(self) -> bool | None:
        """Whether people did the same; None where a person was asked, or they may still do it."""
        if self.early or self.ours.action is TrackerAction.PERSON:
            return None
        if self.ours.action is TrackerAction.TICKET:
            return self.theirs is not None
        return self.theirs is None or not self.closest

    @property
    def differing(self) -> dict[OverruledDecision, tuple[str, str]]:
        """Fields that both have set and that differ, ours before theirs."""
        return {kind: pair for kind, pair in self.compared.items() if pair[0].casefold() != pair[1].casefold()}

    @property
    def compared(self) -> dict[OverruledDecision, tuple[str, str]]:
        """Fields that both have set, ours before theirs."""
        if self.theirs is None or not self.closest:
            return {}
        values = values_of(self.theirs)
        return {kind: (value, values[kind]) for kind, value in self.ours.fields.items() if value and values[kind]}


@dataclass(frozen=True, slots=True)
class _Match:
    """The ticket nearest to a mail."""

    ticket: Ticket
    probability: float


def compare(
    mails: Sequence[tuple[Case, Intention]], tickets: Sequence[Ticket], me: str, now: datetime
) -> tuple[ShadowComparison, ...]:
    """Find for each mail the ticket that people made for it.

    `tickets` are those of the project around that time; `me` is the id of our account.
    """
    matches = {case.id: match for case, _ in mails if (match := _nearest(case, tickets, me)) is not None}
    closest: dict[str, str] = {}
    for name, match in sorted(matches.items(), key=lambda each: -each[1].probability):
        closest.setdefault(match.ticket.key, name)
    return tuple(_comparison(case, ours, matches.get(case.id), closest, now) for case, ours in mails)


def _comparison(
    case: Case, ours: Intention, match: _Match | None, closest: Mapping[str, str], now: datetime
) -> ShadowComparison:
    about = ShadowComparison(case=case.id, subject=str(case.mail.subject), ours=ours, theirs=None)
    if match is None:
        return replace(about, early=now - case.received_at < ENOUGH)
    return replace(about, theirs=match.ticket, closest=closest[match.ticket.key] == case.id)


def _nearest(case: Case, tickets: Iterable[Ticket], me: str) -> _Match | None:
    """Return people's ticket of the same subject, else the one that is most probably about the same matter, with its probability."""
    around = {ticket.key: ticket for ticket in tickets if _around(ticket, case.received_at) and not _by(ticket, me)}
    subject = plain_subject(case.mail.subject)
    if named := next((one for one in around.values() if subject and plain_subject(one.summary) == subject), None):
        return _Match(named, 1.0)
    best = next(iter(score(case.mail, tuple(around.values()), case.cues)), None)
    return _Match(around[best.ticket.key], best.probability) if best and best.probability >= SAME_FROM else None


def values_of(ticket: Ticket) -> dict[OverruledDecision, str]:
    """Return a ticket's values of the fields that Triage decides about."""
    return {
        OverruledDecision.TYPE: ticket.issue_type,
        OverruledDecision.PRIORITY: ticket.priority or "",
        OverruledDecision.COMPONENT: ", ".join(sorted(ticket.components)),
        OverruledDecision.ASSIGNEE: str(ticket.assignee.name) if ticket.assignee else "",
    }


def _around(ticket: Ticket, received: datetime) -> bool:
    return ticket.created is not None and received - EARLIER <= ticket.created <= received + LATER


def _by(ticket: Ticket, person: str) -> bool:
    return ticket.reporter is not None and ticket.reporter.id == person


def actions(compared: Sequence[ShadowComparison]) -> dict[TrackerAction, Share]:
    """Count by what Triage would have done; what is neither right nor wrong does not count."""
    return {
        action: Share(
            decided=sum(one.ours.action is action and one.agrees is not None for one in compared),
            kept=sum(one.ours.action is action and one.agrees is True for one in compared),
        )
        for action in TrackerAction
        if action is not TrackerAction.PERSON
    }


def fields(compared: Sequence[ShadowComparison]) -> dict[OverruledDecision, Share]:
    """Count the fields that both have set, of mails for which people made a ticket, too."""
    return {
        kind: Share(
            decided=sum(kind in one.compared for one in compared),
            kept=sum(kind in one.compared and kind not in one.differing for one in compared),
        )
        for kind in (
            OverruledDecision.TYPE,
            OverruledDecision.PRIORITY,
            OverruledDecision.COMPONENT,
            OverruledDecision.ASSIGNEE,
        )
    }
