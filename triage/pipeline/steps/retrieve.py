"""Finds existing tickets that may be about the same matter, before a model is asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from triage.domain.cases import Case, Outcome
from triage.domain.errors import TrackerRejected
from triage.domain.findings import Candidate, Suggestion
from triage.domain.text.counts import many
from triage.domain.tickets import Ticket, TicketQuery, highest_of, is_mark
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.related_ticket.senders_ticket import OFFERED, read_ticket, with_senders_ticket
from triage.pipeline.related_ticket.thread_ticket import rejoined, thread_of
from triage.pipeline.scope import context_of, writes_of
from triage.policy.ranking.candidates import explained, mail_document
from triage.policy.ranking.near_in_meaning import ALIKE, near_in_meaning
from triage.policy.ranking.ranker import Contender, Ranked, ranked, seconds_of
from triage.policy.text.author_text import body_of
from triage.policy.ticket.index_entry import contender_of, known_contender, query_of, word_frequencies
from triage.policy.ticket.search_words import CONSIDERED, rarest, search_words
from triage.toolsets.people.ranking import learnt_of, ranking_of, task_of
from triage.toolsets.tickets.facts import listed

PROPOSED: Final = 3
LEFT_OUT: Final = 10
"""Most tickets that the report lists."""

RETRIEVED: Final = 300
"""Tickets taken from the index, which ranks the whole history; Jira's search adds newer ones."""
LOADED: Final = 50
"""The most probable of them, which are loaded whole."""
KEPT: Final = 20
"""Candidates that a case keeps; a prompt shows the first ten."""
LOOKED_AT: Final = 3
NEAREST: Final = 3
"""Tickets near in meaning that a prompt shows beside the candidates."""
YOUNG: Final = 200
"""Tickets up to which a tracker is read whole for each mail: words find enough in a larger one."""
LAST_NUMBER: Final = 10**9
"""Above the number of every ticket."""
NAMED: Final = 3
"""Most ticket keys in a mail that are looked up."""
FOLLOW_UP: Final = "same proven sender and subject within a week"
FOLLOW_UP_ODDS: Final = 10.0
"""How much likelier that makes a ticket: the ranking knows the texts alone."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Whole tickets, index entries of these and of others, and all of them ranked."""

    tickets: tuple[Ticket, ...]
    contenders: Mapping[str, Contender]
    ranking: tuple[Ranked, ...]
    searched: int = 0
    """Number of tickets in the index."""

    @classmethod
    def of(cls, tickets: Sequence[Ticket], known: Mapping[str, Contender], case: Case, at: Services) -> Self:
        """Rank each ticket once; what a whole ticket says of its state is newer than the index."""
        contenders, moment = _up_to_date(known, tickets), case.mail.date or case.received_at
        ranking = ranked(mail_document(case.mail), moment, list(contenders.values()), at.rules.ranking)
        return cls(tuple(tickets), contenders, ranking)

    def and_whole(self, tickets: Sequence[Ticket], gone: Collection[str], case: Case, at: Services) -> Self:
        """Add whole tickets and leave out those that are gone; the ranking is kept where no state changed."""
        both, rest = (*self.tickets, *tickets), {key: one for key, one in self.contenders.items() if key not in gone}
        unchanged = _up_to_date(rest, tickets) == self.contenders
        return replace(self, tickets=both) if unchanged else self.of(both, rest, case, at)


def _up_to_date(known: Mapping[str, Contender], tickets: Sequence[Ticket]) -> dict[str, Contender]:
    """Return the index entries with what these whole tickets say of their state."""
    return {**known, **{ticket.key: Contender.of(ticket, known.get(ticket.key)) for ticket in tickets}}


async def retrieve(case: Case, at: Services) -> Case:
    """Return the case with its candidates. Raises what the search raises."""
    case = await rejoined(case, at)
    if not at.rules.prefetch:
        return case
    if case.ticket:  # only that one and those that the mail names; the model can search for others
        named = _scored(case, _Found.of(await _named(case, {case.ticket}, at), {}, case, at), at)
        return replace(case, retrieval=replace(case.retrieval, candidates=(*case.retrieval.candidates, *named)))
    words = search_words(Untrusted(f"{case.mail.subject}\n{body_of(case.mail)}"), CONSIDERED)
    found = await _searched(words, case, at)
    for project, number in highest_of(found.tickets).items():
        await at.ledger.saw(project, number)
    retrieval = replace(case.retrieval, candidates=_scored(case, found, at), searched=bool(words))
    case = await with_senders_ticket(replace(case, retrieval=retrieval), found.tickets, at)
    if case.outcome:
        return case
    case = await _compared(case, found.searched, at)
    return await _made_before(await _learnt(case, at, found.tickets), at, found.tickets)


async def _compared(case: Case, searched: int, at: Services) -> Case:
    """Add the tickets of a young tracker that are near in meaning: of words they may share none."""
    project = (await at.tracker.metadata.project()).key
    if searched > YOUNG or await at.ticket_store.size(project, YOUNG + 1) > YOUNG:
        return case
    apart = {*case.identity.apart, case.identity.foreign_thread}
    keys = [key for key in await at.ticket_store.between(project, 0, LAST_NUMBER) if key not in apart]
    found = near_in_meaning(case.mail.subject, body_of(case.mail), await at.ticket_store.tickets(keys))
    alike = next((ticket.line for ticket, likeness in found[:1] if likeness >= ALIKE), None)
    shown = {one.ticket.key for one in listed(case)}
    near = tuple(ticket.line for ticket, _ in found if ticket.key not in shown)[:NEAREST]
    return replace(case, retrieval=replace(case.retrieval, near=near, alike=alike))


async def _learnt(case: Case, at: Services, found: Sequence[Ticket]) -> Case:
    """Add probable components and, if smart assignment is on, possible assignees."""
    project, context = await at.tracker.metadata.project(), context_of(case, at)
    if not project.components and at.rules.assignment is None:
        return case
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


async def _searched(words: Sequence[str], case: Case, at: Services) -> _Found:
    """Return tickets from Jira, the index, the mail's keys and the follow-up hint, without those that it is apart from."""
    query = query_of(case.mail.subject, body_of(case.mail))
    project = (await at.tracker.metadata.project()).key
    retrieved = await at.index.find(project, query, RETRIEVED)
    asked = rarest(words, word_frequencies(words, retrieved.frequencies or {}))
    found = await at.tracker.tickets.search(TicketQuery(words=asked)) if words else ()
    found = (*await _named(case, {ticket.key for ticket in found}, at), *found)
    known = {ticket.key for ticket in found}
    if case.identity.follow_up and case.identity.follow_up not in known:
        found = (await at.tracker.tickets.get(case.identity.follow_up), *found)
    found = tuple(ticket for ticket in found if ticket.key not in case.identity.apart)
    hits = {hit.key: contender_of(hit) for hit in retrieved.hits if hit.key not in case.identity.apart}
    hits |= await _indexed([ticket for ticket in found if ticket.key not in hits], project, at)
    return replace(await _loaded(_Found.of(found, hits, case, at), case, at), searched=retrieved.tickets)


async def _indexed(tickets: Sequence[Ticket], project: str, at: Services) -> dict[str, Contender]:
    """Return index entries of unchanged tickets that only Jira's search found."""
    stored = await at.index.features(project, [ticket.key for ticket in tickets]) if tickets else {}
    known = {key: known_contender(key, features) for key, features in stored.items()}
    touched = {ticket.key: seconds_of(ticket.updated) for ticket in tickets}
    return {key: one for key, one in known.items() if one.updated == touched[key]}


async def _named(case: Case, known: Collection[str], at: Services) -> Sequence[Ticket]:
    """Look up tickets whose keys are in the mail, and the done ticket that the mail succeeds."""
    keys = dict.fromkeys([*([case.identity.succeeds] if case.identity.succeeds else []), *case.cues.keys[:NAMED]])
    looked = [
        await read_ticket(key, at) for key in keys if key not in {*known, *case.identity.apart, case.identity.follow_up}
    ]
    return [ticket for ticket in looked if ticket is not None]


async def _loaded(live: _Found, case: Case, at: Services) -> _Found:
    """Load the most probable hits from the store; read the likeliest from Jira, since the store may be out of date."""
    known = {ticket.key for ticket in live.tickets}
    likely = [one for one in live.ranking if one.key not in known][:LOADED]
    looked = {
        one.key: await read_ticket(one.key, at)
        for one in likely[:LOOKED_AT]
        if one.probability >= at.rules.may_be_from / 2
    }
    stored = await at.ticket_store.tickets([one.key for one in likely])
    now = [ticket for each in stored if (ticket := looked.get(each.key, each)) is not None]
    return live.and_whole(now, {key for key, ticket in looked.items() if ticket is None}, case, at)


def _scored(case: Case, found: _Found, at: Services) -> tuple[Candidate, ...]:
    """Return the most probable candidates; tickets that the mail names or may follow up are lifted."""
    candidates = explained(case.mail, found.tickets, found.ranking, case.cues)
    lifted = (_lifted(one, case, at.rules.may_be_from) for one in candidates)
    return tuple(sorted(lifted, key=lambda one: (not one.certain, -one.probability)))[:KEPT]


def _lifted(candidate: Candidate, case: Case, may_be_from: float) -> Candidate:
    if candidate.ticket.key in {*case.cues.keys, case.identity.succeeds}:
        candidate = replace(candidate, probability=max(candidate.probability, OFFERED * may_be_from))
    if candidate.ticket.key == case.identity.follow_up and candidate.ticket.open:
        odds = FOLLOW_UP_ODDS * candidate.probability / (1 - min(candidate.probability, 0.999))
        probability = odds / (1 + odds)
        return replace(
            candidate,
            probability=probability,
            evidence=(*candidate.evidence, FOLLOW_UP),
            certain=candidate.certain or (FOLLOW_UP if probability >= may_be_from else ""),
        )
    return candidate


async def _made_before(case: Case, at: Services, found: Sequence[Ticket]) -> Case:
    """Close the case if one of them carries this mail's mark: the database was restored from an older copy."""
    if at.rules.dry_run or not any(is_mark(label) for ticket in found for label in ticket.labels):
        return case
    made = await writes_of(case, at).made_before(found, (await at.tracker.metadata.project()).key)
    if made is None:
        return case
    return case.ending(Outcome.TICKETED, f"{made.key} was made from this mail before, and is adopted", made.key)


def describe(before: Case, after: Case) -> str:
    """Name a newly found thread's ticket, the best candidate and the first proposal."""
    thread = thread_of(after) if after.identity.joined and not before.identity.joined else ""
    proposed = [_proposal_text(one) for one in after.retrieval.proposals[:1]]
    return "; ".join(filter(None, (thread, _found(after), *proposed)))


def _proposal_text(one: Suggestion) -> str:
    sure = f"{one.probability:.0%}" if one.probability is not None else f"{one.score:g} points"
    return f"for {one.person.name}, {sure}" if one.proposed else f"nearest is {one.person.name}, {sure}"


def _found(case: Case) -> str:
    if not case.retrieval.searched:
        return ""
    best = [
        f"{many(len(case.retrieval.candidates), 'candidate')}, best {one.ticket.key} {one.percent}"
        for one in case.retrieval.candidates[:1]
    ]
    return "".join(best) or "no candidate"
