"""Which mail is it: a second delivery, a part of a thread, an automatic one?"""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.errors import TicketGone
from triage.domain.mail import Trust
from triage.policy.identity import content_hash
from triage.policy.kind import kind_of


async def identify(case: Case, at: Services) -> Case:
    """The case with kind, trust and the thread's ticket; closed where the mail may not make work."""
    mail, content = case.mail, content_hash(case.mail)
    earlier = await at.book.known(mail.message_id or "", content)
    if earlier is not None:
        return case.closed(Outcome.IGNORED, f"the same mail was delivered before: {earlier}")
    kind = kind_of(mail)
    case = replace(case, kind=kind, trust=case.verdict or Trust.UNVERIFIED)
    await at.book.link([mail.message_id] if mail.message_id else [], content, None)
    if not kind.may_ticket:
        return case.closed(Outcome.IGNORED, f"{kind.reason or kind.kind}: {', '.join(kind.evidence)}")
    return await _threaded(case, at)


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
