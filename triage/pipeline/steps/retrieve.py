"""Finds existing tickets that may be about the same matter, before a model is asked."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.errors import TicketGone, TrackerRejected
from triage.domain.findings import Candidate, Suggestion
from triage.domain.retrieval import Found
from triage.domain.tickets import Ticket, TicketQuery, highest_of, is_mark
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.scope import context_of, writes_of
from triage.pipeline.steps.identify import rejoined, thread_of
from triage.policy.ticket.duplicates import CONSIDERED, rarest, score, search_words
from triage.policy.ticket.index_entry import query_of, word_frequencies
from triage.toolsets.people.ranking import learnt_of, ranking_of, task_of

PROPOSED: Final = 3
LEFT_OUT: Final = 10
"""Most tickets that the report lists."""

RETRIEVED: Final = 200
"""Tickets taken from the index, which ranks the whole history; Jira's search adds what it has not heard of yet."""
LOOKED_AT: Final = 3
NAMED: Final = 3
"""Most ticket keys in a mail that are looked up."""
OFFERED: Final = 0.3
"""Least score of a ticket that the mail names: enough to be shown in full, too low to decide."""
FOLLOW_UP: Final = 0.2
"""Added to the score of a ticket of the same sender and subject."""


async def retrieve(case: Case, at: Services) -> Case:
    """Return the case with its candidates. Raises what the search raises."""
    case = await rejoined(case, at)
    if not at.rules.prefetch:
        return case
    if case.ticket:  # only that one and those that the mail names; the model can search for others
        named = _scored(case, await _named(case, {case.ticket}, at), at)
        return replace(case, retrieval=replace(case.retrieval, candidates=(*case.retrieval.candidates, *named)))
    words = search_words(Untrusted(f"{case.mail.subject}\n{case.mail.reply or case.mail.text}"), CONSIDERED)
    found = await _searched(words, case, at)
    for project, number in highest_of(found).items():
        await at.ledger.saw(project, number)
    case = replace(case, retrieval=replace(case.retrieval, candidates=_scored(case, found, at), searched=bool(words)))
    return await _made_before(await _learnt(case, at, found), at, found)


async def _learnt(case: Case, at: Services, found: Sequence[Ticket]) -> Case:
    """Add probable components and, if smart assignment is on, possible assignees."""
    project, context = await at.metadata.project(), context_of(case, at)
    try:
        learnt = await learnt_of(case, project, context, found)
        case = replace(case, retrieval=replace(case.retrieval, components=learnt.components))
        if at.rules.assignment is None:
            return case
        ranking = await ranking_of(task_of(case, project, at.clock.now()), learnt, project, context)
    except TrackerRejected:  # the ticket is made all the same, without an assignee
        return case.flagged("no-proposals")
    return replace(
        case,
        retrieval=replace(case.retrieval, proposals=ranking.proposals[:PROPOSED], left_out=ranking.left_out[:LEFT_OUT]),
    )


async def _searched(words: Sequence[str], case: Case, at: Services) -> Sequence[Ticket]:
    """Return tickets from Jira, the index, the mail's keys and the follow-up hint, without those that it is apart from."""
    query = query_of(case.mail.subject, case.mail.reply or case.mail.text)
    retrieved = await at.index.find((await at.metadata.project()).key, query, RETRIEVED)
    asked = rarest(words, word_frequencies(words, retrieved.frequencies or {}))
    found = await at.tickets.search(TicketQuery(words=asked)) if words else ()
    found = (*await _named(case, {ticket.key for ticket in found}, at), *found)
    known = {ticket.key for ticket in found}
    if case.identity.follow_up and case.identity.follow_up not in known:
        found = (await at.tickets.get(case.identity.follow_up), *found)
    beside = await _indexed(retrieved, known | {case.identity.follow_up}, case, at)
    return tuple(ticket for ticket in (*found, *beside) if ticket.key not in case.identity.apart)


async def _named(case: Case, known: Collection[str], at: Services) -> Sequence[Ticket]:
    """Look up tickets whose keys are in the mail, and the done ticket that the mail succeeds."""
    keys = dict.fromkeys([*([case.identity.succeeds] if case.identity.succeeds else []), *case.cues.keys[:NAMED]])
    looked = [
        await _as_it_is(key, at) for key in keys if key not in {*known, *case.identity.apart, case.identity.follow_up}
    ]
    return [ticket for ticket in looked if ticket is not None]


async def _indexed(retrieved: Found, known: Collection[str], case: Case, at: Services) -> list[Ticket]:
    """Return the stored tickets of the hits; read the likeliest from Jira, since the store may be out of date."""
    found = await at.ticket_store.tickets([hit.key for hit in retrieved.hits if hit.key not in known])
    ranked = score(case.mail, found, case.cues, explained=0)[:LOOKED_AT]
    likely = {one.ticket.key for one in ranked if one.score >= at.rules.duplicate_threshold / 2}
    looked = {key: await _as_it_is(key, at) for key in likely}
    return [now for ticket in found if (now := looked.get(ticket.key, ticket)) is not None]


async def _as_it_is(key: str, at: Services) -> Ticket | None:
    """Read the ticket from Jira; if it is gone, remove it from the index and return None."""
    try:
        return await at.tickets.get(key)
    except TicketGone:
        await at.ticket_store.forget([key])
        return None


def _scored(case: Case, found: Sequence[Ticket], at: Services) -> tuple[Candidate, ...]:
    """Rank the ten best candidates; tickets that the mail names or may follow up get a higher score."""
    offered = min(OFFERED, 0.9 * at.rules.duplicate_threshold)
    lifted = (_lifted(one, case, offered) for one in score(case.mail, found, case.cues))
    return tuple(sorted(lifted, key=lambda one: -one.score))[:10]


def _lifted(candidate: Candidate, case: Case, offered: float) -> Candidate:
    if candidate.ticket.key in {*case.cues.keys, case.identity.succeeds}:
        candidate = replace(candidate, score=max(candidate.score, offered))
    if candidate.ticket.key != case.identity.follow_up:
        return candidate
    evidence = (*candidate.evidence, "same sender and subject within a week")
    return replace(candidate, score=min(candidate.score + FOLLOW_UP, 1.0), evidence=evidence)


async def _made_before(case: Case, at: Services, found: Sequence[Ticket]) -> Case:
    """Close the case if one of them carries this mail's mark: the database was restored from an older copy."""
    if at.rules.dry_run or not any(is_mark(label) for ticket in found for label in ticket.labels):
        return case
    made = await writes_of(case, at).made_before(found, (await at.metadata.project()).key)
    if made is None:
        return case
    return case.ending(Outcome.TICKETED, f"{made.key} was made from this mail before, and is adopted", made.key)


def describe(before: Case, after: Case) -> str:
    """Name a newly found thread's ticket, the best candidate and the first proposal."""
    thread = thread_of(after) if after.identity.joined and not before.identity.joined else ""
    proposed = [_told(one) for one in after.retrieval.proposals[:1]]
    return "; ".join(filter(None, (thread, _found(after), *proposed)))


def _told(one: Suggestion) -> str:
    sure = f"{one.probability:.0%}" if one.probability is not None else f"{one.score:g} points"
    return f"for {one.person.name}, {sure}" if one.proposed else f"nearest is {one.person.name}, {sure}"


def _found(case: Case) -> str:
    if not case.retrieval.searched:
        return ""
    best = [
        f"{len(case.retrieval.candidates)} candidates, best {one.ticket.key} {one.score:.2f}"
        for one in case.retrieval.candidates[:1]
    ]
    return "".join(best) or "no candidate"
