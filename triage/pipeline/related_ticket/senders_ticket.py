"""Finds the open ticket that a proven sender means: one that he names, answers, or has written about before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import TicketGone
from triage.domain.findings import Candidate, Disposition
from triage.domain.mail import Trust
from triage.domain.tickets import Ticket
from triage.pipeline.context import Services
from triage.pipeline.disposition import with_consequence
from triage.policy.people.mentions import keys_in
from triage.policy.ranking.references import asks_for_news, references_in
from triage.policy.sender.mail_hosts import names_organisation
from triage.policy.sender.sender_checks import answers_us, is_colleague
from triage.policy.text.author_text import matter_of
from triage.policy.thread.fingerprint import SAME_TOPIC, is_answer, leading_key
from triage.policy.thread.new_topic import new_topic_in

SAME_SENDER: Final = 30 * 86_400.0
"""Seconds within which a proven sender's mail may come back to an earlier one of his."""
LATEST: Final = 5
"""Most of his tickets that are looked at."""
OFFERED: Final = 0.9
"""Part of MAY_BE_DUPLICATE_FROM that a ticket named in the mail has at least: enough to be shown in full, too little to be called the same."""
TITLED: Final = "its subject begins with the ticket's key, and a proven colleague sent it"
CONCERNED: Final = "it names the ticket, and the ticket names its proven sender's organisation"
NAMED: Final = "it names the ticket"
ANSWERED: Final = "its proven sender answers its own subject without thread headers, and has one ticket of it this week"
SAME_NUMBER: Final = "same proven sender, and the same invoice, order or booking"
ASKS_FOR_NEWS: Final = "its proven sender asks for news, and wrote about no other ticket in 30 days"


async def with_senders_ticket(case: Case, found: Sequence[Ticket], at: Services) -> Case:
    """Make the open ticket certain that a proven sender means.

    One that an outsider names, and that names nothing of his, is only noted: a person decides about a comment.
    """
    if case.identity.trust is not Trust.VERIFIED:
        return case
    people = (await at.tracker.metadata.project()).people
    if is_colleague(case.mail.sender, people, at.rules.domains):
        meant, why = _titled(case, found), TITLED
    else:
        meant, why = await _named(case, found, at), CONCERNED
        if meant and not _concerns_sender(case, meant):
            noted = replace(case, retrieval=replace(case.retrieval, named=meant.key))
            return _addition(_first(noted, meant, at), meant, NAMED, at)
    if meant is None:
        meant, why = await _answered(case, found, at), ANSWERED
    if meant is None:
        meant, why = await _earlier(case, at)
    return _addition(_first(case, meant, at, why), meant, why, at) if meant else case


def _addition(case: Case, meant: Ticket, why: str, at: Services) -> Case:
    """Call the mail an addition to the ticket, with what the table of dispositions says of those."""
    found = case.classification.disposition
    if found is None or found.disposition not in {Disposition.WORK, Disposition.QUESTION, Disposition.SEVERAL}:
        return case
    found = replace(found, disposition=Disposition.ADDITION, evidence=(f"about {meant.key}: {why}",))
    case = replace(case, classification=replace(case.classification, disposition=found))
    return with_consequence(case, found, at.rules.dispositions)


def _first(case: Case, meant: Ticket, at: Services, why: str = "") -> Case:
    """Put a ticket first among the candidates; this evidence makes it certain."""
    candidates = case.retrieval.candidates
    offered = OFFERED * at.rules.may_be_from
    scored = next((one for one in candidates if one.ticket.key == meant.key), Candidate.of(meant, offered, ()))
    scored = replace(scored, probability=max(scored.probability, offered))
    if why:
        scored = replace(scored, evidence=(*scored.evidence, why), certain=scored.certain or why)
    others = (one for one in candidates if one.ticket.key != meant.key)
    return replace(case, retrieval=replace(case.retrieval, candidates=(scored, *others)))


def _titled(case: Case, found: Iterable[Ticket]) -> Ticket | None:
    """Return the open ticket whose key begins the subject of one of us: `Re: [JIRA] (OPS-7) Portal is slow`.

    It is among the tickets `found`, since those that the mail names have been looked up.
    """
    key = leading_key(case.mail.subject, case.cues.keys)
    return next((ticket for ticket in found if ticket.key == key and ticket.open), None)


async def _named(case: Case, found: Iterable[Ticket], at: Services) -> Ticket | None:
    """Return the open ticket whose key begins the subject, or stands alone in the mail of ours that this one answers, or in its id."""
    meant = _titled(case, found)
    if meant is None and is_answer(case.mail.subject) and answers_us(case.mail, at.rules.domains):
        answered = " ".join(case.mail.in_reply_to).replace(".", " ")  # `<JIRA.OPS-7.1795448400@jira.example>`
        keys = keys_in(f"{case.mail.quoted}\n{answered}", (await at.tracker.metadata.project()).key)
        meant = await read_ticket(keys[0], at) if len(keys) == 1 and keys[0] not in case.identity.apart else None
    return meant if meant and meant.open and not new_topic_in(case.mail, meant) else None


def _concerns_sender(case: Case, ticket: Ticket) -> bool:
    """Tell whether the ticket names the organisation of the mail's sender; comments do not count, as outsiders' mails become some."""
    sender = case.mail.sender
    texts = (ticket.summary, ticket.description, *ticket.labels)
    return sender is not None and names_organisation("\n".join(texts), sender.domain)


async def _answered(case: Case, found: Sequence[Ticket], at: Services) -> Ticket | None:
    """Return the sender's one open ticket of the subject that the mail answers, as some mail programs do, without naming its mail."""
    key = case.identity.follow_up
    if not key or not is_answer(case.mail.subject) or len(await at.threads.earlier_tickets(SAME_TOPIC)) > 1:
        return None
    ticket = next((ticket for ticket in found if ticket.key == key and ticket.open), None)
    return None if ticket is None or new_topic_in(case.mail, ticket) else ticket


async def _earlier(case: Case, at: Services) -> tuple[Ticket | None, str]:
    """Return the sender's open ticket of which the mail names the invoice or order, or asks for news, and why that is meant."""
    text = f"{case.mail.subject}\n{matter_of(case.mail)}"
    numbers, news = references_in(text), asks_for_news(case.mail)
    if not (numbers or news):
        return None, ""
    keys = [key for key in await at.threads.earlier_tickets(SAME_SENDER, alike=False) if key not in case.identity.apart]
    looked = [await read_ticket(key, at) for key in keys[:LATEST]]
    opened = [ticket for ticket in looked if ticket is not None and ticket.open]
    same = (one for one in opened if numbers & references_in(f"{one.summary}\n{one.description}"))
    if meant := next(same, None):
        return meant, SAME_NUMBER
    return (opened[0], ASKS_FOR_NEWS) if news and len(keys) == len(opened) == 1 else (None, "")


async def read_ticket(key: str, at: Services) -> Ticket | None:
    """Read the ticket from Jira; if it is gone, remove it from the index and return None."""
    try:
        return await at.tracker.tickets.get(key)
    except TicketGone:
        await at.ticket_store.forget([key])
        return None
