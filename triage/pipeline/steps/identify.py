"""Which mail is it: a second delivery, a part of a thread, an automatic one? And who wrote it?"""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.errors import TicketGone
from triage.domain.mail import KindVerdict
from triage.domain.tickets import Ticket
from triage.policy.kind import kind_of
from triage.policy.lookalike import lookalike
from triage.policy.sender import TrustVerdict, behind_edge, trust_of
from triage.policy.traces import SAME_MAIL, SAME_TOPIC, stranger, trace_of


async def identify(case: Case, at: Services) -> Case:
    """The case with kind, trust and the thread's ticket; closed where the mail may not make work."""
    kind = kind_of(case.mail)
    trust = trust_of(case.mail, case.verdict, behind_edge(case.source, at.rules.edge))
    case = _trusted(replace(case, kind=kind), trust)
    if not kind.may_ticket:  # leaves no trace: under its headers nobody else's mail shall be taken for a double
        return case.closed(Outcome.IGNORED, f"{kind.reason or kind.kind}: {', '.join(kind.evidence)}")
    case = await _seen_through(case, at)
    earlier = await _earlier(case, kind, at)
    if earlier is not None:
        return case.closed(Outcome.IGNORED, f"the same mail was delivered before: {earlier}")
    return await _threaded(case, at)


def _trusted(case: Case, found: TrustVerdict) -> Case:
    return replace(case, trust=found.trust, trust_because=found.evidence)


async def _seen_through(case: Case, at: Services) -> Case:
    """The case with no trust in a sender who only looks like somebody we know."""
    if case.mail.sender is None:
        return case
    people = [person.name for person in (await at.tracker.project()).people]
    signs = lookalike(case.mail.sender, people, at.rules.domains)
    found = TrustVerdict(trust=case.trust, evidence=case.trust_because)
    return _trusted(case, found.capped(*signs)).flagged("lookalike") if signs else case


async def _earlier(case: Case, kind: KindVerdict, at: Services) -> str | None:
    """The case that has this very mail; from now on this one is known too."""
    return await at.book.trace(trace_of(case.mail, kind.kind, case.trust, case.lane), SAME_MAIL)


async def _threaded(case: Case, at: Services) -> Case:
    """The case with the ticket of its thread, where that ticket still exists and the sender may speak there."""
    thread = case.mail.thread
    key = await at.book.thread_ticket(thread) if thread else await at.book.follow_up(SAME_TOPIC)
    if key is None:
        return case
    try:
        ticket = await at.tracker.get(key)
    except TicketGone:
        return case.flagged("ticket-gone")
    return await _within(case, ticket, at) if thread else _following(case, ticket)


async def _within(case: Case, ticket: Ticket, at: Services) -> Case:
    if stranger(case.mail, case.trust, await at.book.participants(case.mail.thread, ticket.key)):
        return replace(case, apart=ticket.key).flagged("stranger-in-thread")
    return replace(case, ticket=ticket.key).flagged(*(() if ticket.open else ("ticket-closed",)))


def _following(case: Case, ticket: Ticket) -> Case:
    """Without a thread the same subject is a hint only, and of a ticket that is done not even that."""
    return replace(case, follow_up=ticket.key).flagged("follow-up") if ticket.open else case
