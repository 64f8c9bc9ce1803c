"""Finds the ticket of the thread that a mail belongs to, and says whether its sender may write there."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.errors import Behind, TicketGone
from triage.domain.findings import AlertState, Candidate, Joined
from triage.domain.mail import Trust
from triage.domain.tickets import Ticket
from triage.pipeline.context import Services
from triage.pipeline.thread_order import in_front
from triage.policy.people.mentions import keys_in
from triage.policy.sender.sender_checks import is_checked, is_colleague, is_deceptive
from triage.policy.sender.trust_verdict import behind_edge
from triage.policy.support.chat_message import SOURCE as CHAT
from triage.policy.thread.content_hash import content_hash
from triage.policy.thread.fingerprint import (
    SAME_ALERT,
    SAME_TOPIC,
    ThreadSender,
    after_its_answer,
    joins,
    kindred,
    people_of,
    proven_participant,
)
from triage.policy.thread.jira_notifications import answers_notification, may_answer_notification
from triage.policy.thread.new_topic import new_topic_in
from triage.policy.thread.reopening import still_open_to_answers
from triage.policy.thread.signed_message_ids import SignedId, answered_by


class ParentOpen(Behind):
    """A mail of the same thread has no ticket yet, and is being worked on."""


async def join_thread(case: Case, at: Services) -> Case:
    """Return the case with the ticket of its thread, or of what it answers, if the ticket exists and the sender may write there.

    Raises `ParentOpen` while an earlier mail of the thread may still make the ticket.
    """
    if case.correction and case.correction.ticket and (named := await surviving_ticket(case.correction.ticket, at)):
        return await _beside(replace(case, identity=replace(case.identity, joined=Joined.REFERENCES)), named, at)
    ours = None
    if (about := await case_answered(answered_by(case.mail, at.secret), at)) is not None:
        case, ours = replace(case, identity=replace(case.identity, replies_to_case=about.id)), about.ticket
    if (key := ours or await _parents_ticket(case, at)) and key != case.identity.not_of:
        found = await surviving_ticket(key, at)
        if found is None:
            return case.flagged("ticket-gone")
        return await _within(case, found, key, at, answers_us=ours is not None)
    return (
        await _notified(case, at) or await _late(case, at) or await _same_alert(case, at) or await _following(case, at)
    )


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
    ticket = await surviving_ticket(key, at) if key else None
    if key and ticket is not None:
        return await _within(case, ticket, key, at, answers_us=False)
    return await _late(case, at) or case


async def case_answered(sent: SignedId | None, at: Services) -> Case | None:
    """Return the case that a mail of ours was sent for; None if the store does not have it."""
    about = await at.cases.peek(sent.case) if sent else None
    return about if sent and about and sent.of(about) else None


async def surviving_ticket(key: str, at: Services) -> Ticket | None:
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


async def _notified(case: Case, at: Services) -> Case | None:
    """Return the case with the ticket of its subject if the mail answers a notification of Jira about it."""
    if not may_answer_notification(case.mail) or case.identity.trust is Trust.FAILED or is_deceptive(case):
        return None
    keys = keys_in(case.mail.subject, (await at.tracker.metadata.project()).key)
    ticket = await surviving_ticket(keys[0], at) if keys and keys[0] != case.identity.not_of else None
    if ticket is None or not answers_notification(case.mail, ticket.created):
        return None
    proven = case.identity.trust is Trust.VERIFIED
    identity = replace(case.identity, joined=Joined.NOTIFICATION, participant=proven)
    return await _beside(replace(case, identity=identity), ticket, at)


async def _late(case: Case, at: Services) -> Case | None:
    """Return the case with the ticket of an answer to this mail that came first, or of another answer to its parent."""
    kin = await at.threads.related(case.mail.ids)
    if busy := await in_front(case, [one.case for one in kin if one.busy], at):
        raise ParentOpen(busy)
    others = [await at.cases.peek(one.case) for one in kin]
    sender = await _thread_sender(case, at)
    other = kindred(case, [one for one in others if one], sender)
    ticket = await surviving_ticket(other.ticket or "", at) if other else None
    if other is None or ticket is None:
        return None
    proven = proven_participant(case.mail, sender, frozenset(people_of(other.mail)))
    case = case.flagged(*(("after-its-answer",) if after_its_answer(case.mail, other.mail) else ()))
    identity = replace(case.identity, joined=Joined.REFERENCES, participant=proven)
    return await _beside(replace(case, identity=identity), ticket, at)


async def _same_alert(case: Case, at: Services) -> Case | None:
    """Return the case with the ticket of the same sender's alerts about the same object; a resolved one joins a done ticket, too."""
    alert, sender = case.identity.alert, await _thread_sender(case, at)
    keys = () if alert is None or sender.deceptive else await at.threads.earlier_tickets(SAME_ALERT)
    ticket = await surviving_ticket(keys[0], at) if keys else None
    if alert is None or ticket is None:
        return None
    proven = case.identity.trust is Trust.VERIFIED
    case = replace(case, identity=replace(case.identity, joined=Joined.ALERT, participant=proven))
    if alert.state is AlertState.FIRING:
        return await _beside(case, ticket, at)
    return await _joined(case, ticket, at)


async def _within(case: Case, ticket: Ticket, of: str, at: Services, *, answers_us: bool) -> Case:
    """Join the ticket if the sender takes part in the thread, else flag a stranger; `of` was merged into `ticket`, or is it."""
    people = await at.threads.participants(case.mail.thread, of)
    sender = await _thread_sender(case, at)
    joined = joins(case.mail, sender, people, answers_us=answers_us)
    if joined is None:
        return replace(case, identity=replace(case.identity, foreign_thread=ticket.key)).flagged("stranger-in-thread")
    proven = proven_participant(case.mail, sender, people)
    return await _beside(replace(case, identity=replace(case.identity, joined=joined, participant=proven)), ticket, at)


async def _beside(case: Case, ticket: Ticket, at: Services) -> Case:
    """Join the thread's ticket; a new one follows it if it was done before `reopen_days`, or if the mail begins a new topic."""
    if not ticket.open and not still_open_to_answers(ticket, at.clock.now(), at.rules.reopen_days):
        identity = replace(case.identity, joined=None, participant=False, succeeds=ticket.key)
        return replace(case, identity=identity).flagged("thread-long-done")
    may_part = case.identity.joined is not Joined.ALERT and case.source != CHAT
    if may_part and case.identity.trust is Trust.VERIFIED and (topic := new_topic_in(case.mail, ticket)):
        apart = replace(case.identity, joined=None, participant=False, new_topic=ticket.key)
        apart = replace(apart, new_topic_because=topic.because, own_subject=topic.own_subject)
        return replace(case, identity=apart).flagged("new-topic")
    return await _joined(case, ticket, at)


async def _joined(case: Case, ticket: Ticket, at: Services) -> Case:
    """Make the ticket the case's own."""
    if not case.identity.participant:
        await link_sender_only(case, at)
    own = Candidate.of(ticket, 1.0, ("same thread",))
    case = replace(case, ticket=ticket.key, retrieval=replace(case.retrieval, candidates=(own,)))
    return case.flagged(*(() if ticket.open else ("ticket-closed",)))


async def link_sender_only(case: Case, at: Services) -> None:
    """Link an unproven mail with its sender only, so that its recipients do not become participants."""
    if case.mail.message_id and case.identity.trust is not Trust.VERIFIED:
        await at.threads.link([case.mail.message_id], content_hash(case.mail), None, people_of(case.mail)[:1])


async def _following(case: Case, at: Services) -> Case:
    """Without a thread, note an open ticket of the same sender and subject as a hint."""
    keys = () if case.mail.thread else await at.threads.earlier_tickets(SAME_TOPIC)
    if not keys or keys[0] == case.identity.not_of:
        return case
    ticket = await surviving_ticket(keys[0], at)
    if ticket is None:
        return case.flagged("ticket-gone")
    if not ticket.open:
        return case
    return replace(case, identity=replace(case.identity, follow_up=ticket.key)).flagged("follow-up")


async def _thread_sender(case: Case, at: Services) -> ThreadSender:
    """Return what the thread's policy needs to know about the sender."""
    people = (await at.tracker.metadata.project()).people
    return ThreadSender(
        trust=case.identity.trust,
        checked=is_checked(case, behind_edge(case.source, at.rules.edge)),
        known=is_colleague(case.mail.sender, people, at.rules.domains),
        deceptive=is_deceptive(case),
    )


def thread_of(case: Case) -> str:
    """Name the thread's ticket and how it was found; empty if there is none."""
    if not case.ticket:
        return ""
    joined = case.identity.joined
    who = "" if case.identity.participant else ", by somebody unproven" if joined else ""
    return f"thread of {case.ticket}{f' by its {joined}' if joined else ''}{who}"
