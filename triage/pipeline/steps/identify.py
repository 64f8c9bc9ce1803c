"""Which mail is it: a second delivery, a part of a thread, an automatic one?"""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.errors import TicketGone
from triage.policy.identity import content_hash
from triage.policy.kind import kind_of
from triage.policy.lookalike import lookalike
from triage.policy.sender import TrustVerdict, behind_edge, trust_of


async def identify(case: Case, at: Services) -> Case:
    """The case with kind, trust and the thread's ticket; closed where the mail may not make work."""
    mail, content = case.mail, content_hash(case.mail)
    earlier = await at.book.known(mail.message_id or "", content)
    if earlier is not None:
        return case.closed(Outcome.IGNORED, f"the same mail was delivered before: {earlier}")
    kind = kind_of(mail)
    case = _trusted(replace(case, kind=kind), trust_of(mail, case.verdict, behind_edge(case.source, at.rules.edge)))
    await at.book.link([mail.message_id] if mail.message_id else [], content, None)
    if not kind.may_ticket:
        return case.closed(Outcome.IGNORED, f"{kind.reason or kind.kind}: {', '.join(kind.evidence)}")
    return await _threaded(await _seen_through(case, at), at)


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


async def _threaded(case: Case, at: Services) -> Case:
    """The case with the ticket of its thread, where that ticket still exists."""
    key = await at.book.thread_ticket(case.mail.thread)
    if key is None:
        return case
    try:
        ticket = await at.tracker.get(key)
    except TicketGone:
        return case.flagged("ticket-gone")
    return replace(case, ticket=key).flagged(*(() if ticket.open else ("ticket-closed",)))
