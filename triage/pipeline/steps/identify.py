"""Identifies the mail: sender and trust, kind, duplicate delivery, thread."""

from dataclasses import replace
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.findings import Classification, DispositionAction
from triage.domain.mail import Kind, KindVerdict, Trust
from triage.domain.traces import Copy
from triage.pipeline.context import Services
from triage.pipeline.related_ticket.thread_ticket import (
    case_answered,
    join_thread,
    link_sender_only,
    surviving_ticket,
    thread_of,
)
from triage.pipeline.thread_order import turn_of
from triage.policy.alerts.alert import alert_of
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.letters.bounces import returned
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.kind import kind_of
from triage.policy.sender.lookalike import imitations, lookalike
from triage.policy.sender.trust import sender_of
from triage.policy.sender.trust_verdict import TrustVerdict, behind_edge, trust_of, unproven
from triage.policy.thread.content_hash import same_but_for_a_footer
from triage.policy.thread.fingerprint import (
    SAME_MAIL,
    fingerprint_of,
    plain_subject,
)
from triage.policy.thread.signed_message_ids import SignedId, answered_by, reported_by, written_by_us

SIGNS: Final = 3
"""Signs of an automatic mail that the reason names; the report of the case lists all."""


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
        await link_sender_only(case, at)
        return case.ending(Outcome.IGNORED, f"the same mail was delivered before: {copy.case}")
    if known := await _ticket_of_notice(case, at):
        return case.ending(Outcome.IGNORED, f"our own Jira tells of {known}, where it stands already", known)
    return await join_thread(case.flagged("copy-conflict") if copy else case, at)


async def _answer_of(case: Case, at: Services) -> str | None:
    """Carry out what an approver answers to our question; None if the mail is no such answer."""
    if at.answers is None or at.rules.dry_run:
        return None
    sent = answered_by(case.mail, at.secret)
    return await at.answers(case, sent.effect) if sent and await case_answered(sent, at) else None


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
    return found is not None and at.rules.dispositions.action_about(found) in {
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
    about = await case_answered(sent, at)
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


async def _seen_through(case: Case, at: Services) -> Case:
    """Lower the trust in a sender who imitates one of us, flag the case, and record how he resembles whom."""
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


async def _copy(case: Case, kind: KindVerdict, at: Services) -> Copy | None:
    """Return the case of an earlier copy of this mail, ignoring a list's footer; record this mail's fingerprint."""
    names = await at.threads.copies(case.mail.message_id) if case.mail.message_id else ()
    others = [await at.cases.peek(name) for name in names]
    also = [one.id for one in others if one and one.message and same_but_for_a_footer(case.mail, one.message)]
    fingerprint = fingerprint_of(case.mail, kind.kind, case.identity.trust, case.identity.thread_key)
    return await at.threads.trace(fingerprint, SAME_MAIL, also)


async def _ticket_of_notice(case: Case, at: Services) -> str | None:
    """Return the ticket of our project that a notice of Jira is about; what we write there would come back as a mail again."""
    alert = case.identity.alert
    if alert is None or alert.source != "jira" or case.correction:
        return None
    key = str(alert.object)
    ours = key.rpartition("-")[0] == (await at.tracker.metadata.project()).key
    ticket = await surviving_ticket(key, at) if ours else None
    return key if ticket and plain_subject(ticket.summary) in plain_subject(case.mail.subject) else None


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
