"""Identifies the mail: sender and trust, kind, duplicate delivery, thread."""

from dataclasses import replace
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.errors import Behind, TicketGone
from triage.domain.findings import AlertState, Candidate, Classification, DispositionAction, Joined
from triage.domain.mail import Kind, KindVerdict, Trust
from triage.domain.tickets import Ticket
from triage.domain.traces import Copy
from triage.pipeline.context import Services
from triage.pipeline.waiting import in_front, turn_of
from triage.policy.alerts.alert import alert_of
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.letters.returned import returned
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.kind import kind_of
from triage.policy.sender.lookalike import imitations, lookalike
from triage.policy.sender.sender_checks import is_checked, is_colleague, is_deceptive
from triage.policy.sender.trust import sender_of
from triage.policy.sender.trust_verdict import TrustVerdict, behind_edge, trust_of, unproven
from triage.policy.support.chat_message import SOURCE as CHAT
from triage.policy.thread.content_hash import content_hash, same_but_for_a_footer
from triage.policy.thread.fingerprint import (
    SAME_ALERT,
    SAME_MAIL,
    SAME_TOPIC,
    ThreadSender,
    after_its_answer,
    fingerprint_of,
    joins,
    kindred,
    people_of,
    plain_subject,
    proven_participant,
)
from triage.policy.thread.new_topic import new_topic_in
from triage.policy.thread.reopening import still_open_to_answers
from triage.policy.thread.signed_message_ids import SignedId, answered_by, reported_by, written_by_us

SIGNS: Final = 3
"""Signs of an automatic mail that the reason names; the report of the case lists all."""


class ParentOpen(Behind):
    """A mail of the same thread has no ticket yet, and is being worked on."""


async def identify(case: Case, at: Services) -> Case:
    """Return the case with kind, trust and ticket; closed if the mail may make none. Raises `Behind` to wait."""
    await turn_of(case, at)
    ours = written_by_us(case.mail, at.secret)
    kind = kind_of(case.mail, own=ours is not None)
    alert = alert_of(case.mail) if ours is None else None
    case = _trusted(replace(case, identity=replace(case.identity, kind=kind, alert=alert)), await _trust(case, at))
    if not kind.may_ticket and not _wanted_all_the_same(case, kind, at):
        # It stores no fingerprint, so that its headers cannot make another mail a duplicate.
        return await _set_aside(case, kind, ours or reported_by(case.mail, at.secret), at)
    case = await _seen_through(case, at)
    if (answered := await _answer_of(case, at)) is not None:
        return case.ending(Outcome.IGNORED, answered)
    copy = await _copy(case, kind, at)
    if copy is not None and not copy.outranked and not await _apart_from(copy, case, at):
        await _known_to_nobody_new(case, at)
        return case.ending(Outcome.IGNORED, f"the same mail was delivered before: {copy.case}")
    if known := await _ticket_of_notice(case, at):
        return case.ending(Outcome.IGNORED, f"our own Jira tells of {known}, where it stands already", known)
    return await _threaded(case.flagged("copy-conflict") if copy else case, at)


async def _answer_of(case: Case, at: Services) -> str | None:
    """Carry out what an approver answers to our question; None if the mail is no such answer."""
    if at.answers is None or at.rules.dry_run:
        return None
    sent = answered_by(case.mail, at.secret)
    return await at.answers(case, sent.effect) if sent and await _case_of(sent, at) else None


def _wanted_all_the_same(case: Case, kind: KindVerdict, at: Services) -> bool:
    """Tell whether a person or the table of dispositions wants such mails; never our own mails and bounces."""
    if kind.kind in {Kind.OWN, Kind.BOUNCE}:
        return False
    found = disposition_of(Facts(message=case.mail, kind=kind)).disposition
    wanted = case.correction.disposition if case.correction else found
    return at.rules.dispositions.action_of(wanted) is not DispositionAction.IGNORE


async def _apart_from(copy: Copy, case: Case, at: Services) -> bool:
    """Tell whether an earlier copy does not count: its words caused it to be ignored, or a person corrects this case.

    Else a stranger's copy, made to look like spam, could swallow the mail itself.
    """
    if case.correction is not None:
        return True
    earlier = await at.cases.peek(copy.case)
    found = earlier.classification.disposition if earlier else None
    return found is not None and at.rules.dispositions.action_of(found.disposition) in {
        DispositionAction.IGNORE,
        DispositionAction.PERSON,
    }


async def _trust(case: Case, at: Services) -> TrustVerdict:
    """Judge the sender by our mail servers' results; if they have none, by our own DKIM check if it is enabled."""
    edge = behind_edge(case.source, at.rules.edge)
    domain = unproven(case.mail, case.verdict, edge) if at.signatures else ""
    if not (at.signatures and domain):
        return trust_of(case.mail, case.verdict, edge)
    raw = await at.cases.raw()
    # Only if the raw From has the same domain: the check must verify the sender that we read.
    signatures = await at.signatures.check(raw, domain) if sender_of(raw) == domain else ()
    return trust_of(case.mail, case.verdict, edge, signatures)


def _trusted(case: Case, found: TrustVerdict) -> Case:
    return replace(case, identity=replace(case.identity, trust=found.trust, trust_because=found.evidence))


async def _set_aside(case: Case, kind: KindVerdict, sent: SignedId | None, at: Services) -> Case:
    """Close the case as ignored; if it is about a mail of ours, under that mail's ticket."""
    found = disposition_of(Facts(message=case.mail, kind=kind))
    case = replace(case, classification=Classification(disposition=found))
    why, evidence = kind.reason or str(kind.kind), ", ".join(kind.evidence[:SIGNS])
    if sent is None:
        return case.ending(Outcome.IGNORED, f"{why}: {evidence}")
    what = why if kind.kind is Kind.OWN else f"{why} about our mail"
    about = await _case_of(sent, at)
    if about is None:
        return case.ending(Outcome.IGNORED, f"{what} of {sent.case}, which is gone: {evidence}")
    await _record_letter_response(sent, case, kind, at)
    where = f" in {about.ticket}" if about.ticket else ""
    ended = case.ending(Outcome.IGNORED, f"{what} of {about.id}{where}: {evidence}", about.ticket)
    return replace(ended, identity=replace(ended.identity, replies_to_case=about.id))


async def _record_letter_response(sent: SignedId, case: Case, kind: KindVerdict, at: Services) -> None:
    """Record the response to the letter; a copy of our own mail in the mailbox only proves that it was sent."""
    if at.letters is not None and not at.rules.dry_run:
        await at.letters.store.returned(returned(case.mail, kind, sent))


async def _case_of(sent: SignedId | None, at: Services) -> Case | None:
    """Return the case that a mail of ours was sent for; None if the store does not have it."""
    about = await at.cases.peek(sent.case) if sent else None
    return about if sent and about and sent.of(about) else None


async def _seen_through(case: Case, at: Services) -> Case:
    """Cap the trust in a sender who imitates a known person, flag the case, and say how he resembles one of us."""
    sender = case.mail.sender
    if sender is None:
        return case
    people = (await at.tracker.metadata.project()).people
    signs = lookalike(sender, people, at.rules.domains)
    case = case.flagged(*(("sender-differs",) if senders_of(case.mail).all else ()))
    if not signs:
        return case
    found = TrustVerdict(trust=case.identity.trust, evidence=case.identity.trust_because)
    proven = found.trust is Trust.VERIFIED
    imitates = next(imitations(sender, people, at.rules.domains, proven=proven), "")
    case = replace(case, identity=replace(case.identity, imitates=imitates)).flagged("lookalike")
    return _trusted(case, found.capped(*signs))


async def _speaker(case: Case, at: Services) -> ThreadSender:
    """Return what the thread's policy needs to know about the sender."""
    people = (await at.tracker.metadata.project()).people
    return ThreadSender(
        trust=case.identity.trust,
        checked=is_checked(case, behind_edge(case.source, at.rules.edge)),
        known=is_colleague(case.mail.sender, people, at.rules.domains),
        deceptive=is_deceptive(case),
    )


async def _copy(case: Case, kind: KindVerdict, at: Services) -> Copy | None:
    """Return the case of an earlier copy of this mail, ignoring a list's footer; record this mail's fingerprint."""
    names = await at.threads.copies(case.mail.message_id) if case.mail.message_id else ()
    others = [await at.cases.peek(name) for name in names]
    also = [one.id for one in others if one and one.message and same_but_for_a_footer(case.mail, one.message)]
    fingerprint = fingerprint_of(case.mail, kind.kind, case.identity.trust, case.identity.thread_key)
    return await at.threads.trace(fingerprint, SAME_MAIL, also)


async def _threaded(case: Case, at: Services) -> Case:
    """Return the case with its thread's ticket, if the ticket exists and the sender may write there."""
    if case.correction and case.correction.ticket and (named := await _ticket(case.correction.ticket, at)):
        return await _beside(replace(case, identity=replace(case.identity, joined=Joined.REFERENCES)), named, at)
    about = await _case_of(answered_by(case.mail, at.secret), at)
    if about is not None:
        case = replace(case, identity=replace(case.identity, replies_to_case=about.id))
    ours = about.ticket if about else None
    if (key := ours or await _parents_ticket(case, at)) and key != case.identity.not_of:
        found = await _ticket(key, at)
        if found is None:
            return case.flagged("ticket-gone")
        return await _within(case, found, key, at, answers_us=ours is not None)
    return await _late(case, at) or await _same_alert(case, at) or await _following(case, at)


async def rejoined(case: Case, at: Services) -> Case:
    """Look again for the thread's ticket, which an earlier mail may have made since `identify`."""
    if (
        case.ticket
        or case.identity.not_of
        or case.identity.foreign_thread
        or case.identity.succeeds
        or case.identity.new_topic
        or "ticket-gone" in case.flags
    ):
        return case
    key = await _parents_ticket(case, at)
    ticket = await _ticket(key, at) if key else None
    if key and ticket is not None:
        return await _within(case, ticket, key, at, answers_us=False)
    return await _late(case, at) or case


async def _ticket(key: str, at: Services) -> Ticket | None:
    """Return the ticket, or the one that a person has merged it into."""
    try:
        return await at.tracker.tickets.get(await at.history.survivor(key))
    except TicketGone:
        return None


async def _parents_ticket(case: Case, at: Services) -> str | None:
    """Return the ticket of earlier mails of the thread. Raises `ParentOpen` while one of them may still make it."""
    thread = case.mail.thread
    if not thread:
        return None
    earlier = await at.threads.unfinished(thread)  # asked first: a case that ends in between has linked its ticket
    key = await at.threads.thread_ticket(thread)
    if key is None and (parent := await in_front(case, earlier, at)):
        raise ParentOpen(parent)
    return key


async def _late(case: Case, at: Services) -> Case | None:
    """Return the case with the ticket of an answer to this mail that came first, or of another answer to its parent."""
    kin = await at.threads.related(case.mail.ids)
    if busy := await in_front(case, [one.case for one in kin if one.busy], at):
        raise ParentOpen(busy)
    others = [await at.cases.peek(one.case) for one in kin]
    sender = await _speaker(case, at)
    other = kindred(case, [one for one in others if one], sender)
    ticket = await _ticket(other.ticket or "", at) if other else None
    if other is None or ticket is None:
        return None
    proven = proven_participant(case.mail, sender, frozenset(people_of(other.mail)))
    case = case.flagged(*(("after-its-answer",) if after_its_answer(case.mail, other.mail) else ()))
    identity = replace(case.identity, joined=Joined.REFERENCES, participant=proven)
    return await _beside(replace(case, identity=identity), ticket, at)


async def _ticket_of_notice(case: Case, at: Services) -> str | None:
    """Return the ticket of our project that a notice of Jira is about; what we write there would come back as a mail again."""
    alert = case.identity.alert
    if alert is None or alert.source != "jira" or case.correction:
        return None
    key = str(alert.object)
    ours = key.rpartition("-")[0] == (await at.tracker.metadata.project()).key
    ticket = await _ticket(key, at) if ours else None
    return key if ticket and plain_subject(ticket.summary) in plain_subject(case.mail.subject) else None


async def _same_alert(case: Case, at: Services) -> Case | None:
    """Return the case with the ticket of the same sender's alerts about the same object; a resolved one joins a done ticket, too."""
    alert, sender = case.identity.alert, await _speaker(case, at)
    keys = () if alert is None or sender.deceptive else await at.threads.earlier_tickets(SAME_ALERT)
    ticket = await _ticket(keys[0], at) if keys else None
    if alert is None or ticket is None:
        return None
    proven = case.identity.trust is Trust.VERIFIED
    case = replace(case, identity=replace(case.identity, joined=Joined.ALERT, participant=proven))
    if alert.state is AlertState.FIRING:
        return await _beside(case, ticket, at)
    return await _joined(case, ticket, at)


async def _within(case: Case, ticket: Ticket, of: str, at: Services, *, answers_us: bool) -> Case:
    """Join the ticket if the sender is of the thread; `of` is the thread's own ticket, which may be merged into this one."""
    people = await at.threads.participants(case.mail.thread, of)
    sender = await _speaker(case, at)
    joined = joins(case.mail, sender, people, answers_us=answers_us)
    if joined is None:
        return replace(case, identity=replace(case.identity, foreign_thread=ticket.key)).flagged("stranger-in-thread")
    proven = proven_participant(case.mail, sender, people)
    return await _beside(replace(case, identity=replace(case.identity, joined=joined, participant=proven)), ticket, at)


async def _beside(case: Case, ticket: Ticket, at: Services) -> Case:
    """Join the thread's ticket; if that has been done longer than `reopen_days`, succeed it instead."""
    if not ticket.open and not still_open_to_answers(ticket, at.clock.now(), at.rules.reopen_days):
        identity = replace(case.identity, joined=None, participant=False, succeeds=ticket.key)
        return replace(case, identity=identity).flagged("thread-long-done")
    parts = case.identity.joined is not Joined.ALERT and case.source != CHAT
    another = case.identity.participant and parts
    if another and (topic := new_topic_in(case.mail, ticket)):
        apart = replace(case.identity, joined=None, participant=False, new_topic=ticket.key)
        apart = replace(apart, new_topic_because=topic.because, own_subject=topic.own_subject)
        return replace(case, identity=apart).flagged("new-topic")
    return await _joined(case, ticket, at)


async def _joined(case: Case, ticket: Ticket, at: Services) -> Case:
    """Make the ticket the case's own."""
    if not case.identity.participant:
        await _known_to_nobody_new(case, at)
    own = Candidate.of(ticket, 1.0, ("same thread",))
    case = replace(case, ticket=ticket.key, retrieval=replace(case.retrieval, candidates=(own,)))
    return case.flagged(*(() if ticket.open else ("ticket-closed",)))


async def _known_to_nobody_new(case: Case, at: Services) -> None:
    """Link an unproven mail with its sender only, so that its recipients do not become participants."""
    if case.mail.message_id and case.identity.trust is not Trust.VERIFIED:
        await at.threads.link([case.mail.message_id], content_hash(case.mail), None, people_of(case.mail)[:1])


async def _following(case: Case, at: Services) -> Case:
    """Without a thread, note an open ticket of the same sender and subject as a hint."""
    keys = () if case.mail.thread else await at.threads.earlier_tickets(SAME_TOPIC)
    if not keys or keys[0] == case.identity.not_of:
        return case
    ticket = await _ticket(keys[0], at)
    if ticket is None:
        return case.flagged("ticket-gone")
    if not ticket.open:
        return case
    return replace(case, identity=replace(case.identity, follow_up=ticket.key)).flagged("follow-up")


def describe(_before: Case, after: Case) -> str:
    """Name the thread's ticket, related tickets and the sender."""
    who = after.identity
    ties = (
        thread_of(after),
        f"refers to the thread of {who.foreign_thread}, of which the sender is no part" if who.foreign_thread else "",
        f"about our mail of {who.replies_to_case}" if who.replies_to_case else "",
        f"same sender and subject as {who.follow_up}" if who.follow_up else "",
        f"a new topic in the thread of {who.new_topic}: {who.new_topic_because}" if who.new_topic else "",
        f"its thread's ticket {who.succeeds} has been done for too long: a new one" if who.succeeds else "",
    )
    why = f" ({', '.join(who.trust_because)})" if who.trust_because else ""
    kind = f"{who.kind.kind}, sender {who.trust}{why}" if who.kind else ""
    return "; ".join(filter(None, (*ties, f"{who.alert}" if who.alert else "", kind)))


def thread_of(case: Case) -> str:
    """Name the thread's ticket and how it was found; empty if there is none."""
    if not case.ticket:
        return ""
    joined = case.identity.joined
    who = "" if case.identity.participant else ", by somebody unproven" if joined else ""
    return f"thread of {case.ticket}{f' by its {joined}' if joined else ''}{who}"
