"""Find existing tickets that may be about the same thing, before a model is asked."""

from collections.abc import Sequence
from dataclasses import replace

from triage.agent.run import run_of
from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.tickets import Ticket, TicketQuery
from triage.domain.untrusted import Untrusted
from triage.policy.duplicates import score, search_words
from triage.policy.identity import content_hash


async def retrieve(case: Case, at: Services) -> Case:
    """The case with its candidates out of the whole history; a search that did not answer raises."""
    if not at.rules.prefetch:
        return case
    words = search_words(Untrusted(f"{case.mail.subject}\n{case.mail.reply or case.mail.text}"))
    found = await at.tracker.search(TicketQuery(words=words)) if words else ()
    for ticket in found:
        await at.book.saw(ticket.key.partition("-")[0], ticket.number)
    return await _made_before(
        replace(case, candidates=score(case.mail, found, case.cues)[:10], searched=bool(words)), at, found
    )


async def _made_before(case: Case, at: Services, found: Sequence[Ticket]) -> Case:
    """Closed where one of them was made from this very mail, by books that are gone: a restored database."""
    if at.rules.dry_run or not any(label.startswith("triage-") for ticket in found for label in ticket.labels):
        return case
    made = await (await run_of(case, at)).writing.made_before(found)
    if made is None:
        return case
    await at.book.link([case.mail.message_id] if case.mail.message_id else [], content_hash(case.mail), made.key)
    return case.closed(Outcome.TICKETED, f"{made.key} was made from this mail before, and is adopted", made.key)
