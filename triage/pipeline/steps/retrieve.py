"""Find existing tickets that may be about the same thing, before a model is asked."""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case
from triage.domain.tickets import TicketQuery
from triage.domain.untrusted import Untrusted
from triage.policy.duplicates import score, search_words


async def retrieve(case: Case, at: Services) -> Case:
    """The case with its candidates out of the whole history; a search that did not answer raises."""
    if not at.rules.prefetch:
        return case
    words = search_words(Untrusted(f"{case.mail.subject}\n{case.mail.reply or case.mail.text}"))
    found = await at.tracker.search(TicketQuery(words=words)) if words else ()
    for ticket in found:
        await at.book.saw(ticket.key.partition("-")[0], ticket.number)
    return replace(case, candidates=score(case.mail, found, case.cues)[:10], searched=bool(words))
