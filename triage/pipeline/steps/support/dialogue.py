"""Keeps the conversation that a case is part of: later mails of a thread see what was tried about the earlier ones."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.support.conversations import Support, SupportPriority, SupportStatus
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.steps.support.parts import own_words, question_of, support_of
from triage.policy.memory.asking.follow_up import goes_on
from triage.policy.memory.asking.questions import LONGEST, read_question
from triage.policy.support.chat_message import SOURCE
from triage.toolsets.prompt import mail_text

CHAT: Final = SOURCE
KEPT: Final = 30
"""Attempts of a conversation that are kept, the latest."""


def key_of(case: Case) -> str:
    """Return the key of the case's conversation: thread and sender, so that only the sender continues it."""
    sender = case.mail.sender.address.lower() if case.mail.sender else ""
    thread = case.identity.thread_key or case.mail.message_id or case.id
    return hashlib.sha256(f"{thread}\n{sender}".encode(errors="surrogatepass")).hexdigest()


async def begun(case: Case, at: Services) -> Support:
    """Return the first findings: channel, account, and what the conversation knows; store the customer's message."""
    channel = CHAT if case.source == CHAT else "email"
    fresh = Support(channel=channel, account=case.route.account if case.route else "")
    if at.dialogue is None:
        return fresh
    key = key_of(case)
    known = await at.dialogue.dialogue(key) or Dialogue(key=key, channel=channel, account=fresh.account)
    message = DialogueMessage(role=Author.USER, text=question_of(case), case=case.id)
    await at.dialogue.keep(known, (message,))
    if known.status is not SupportStatus.ESCALATED:
        return replace(fresh, earlier=known.attempts)
    before = SupportPriority(known.priority) if known.priority else None
    return replace(fresh, earlier=known.attempts, with_person=True, before=before, due_before=known.respond_by)


async def asked_of(case: Case, at: Services) -> Untrusted:
    """Return the customer's question; if it continues an earlier mail, with that question before it.

    Only the conversation's own mails count, so that it is the same sender's.
    """
    if at.dialogue is None or not goes_on(read_question(mail_text(case.mail).strip())):
        return own_words(case) if _begun_before(case) else asked_in(case)
    earlier = await at.dialogue.asked_before(key_of(case))
    named = next((text for text in earlier if not goes_on(read_question(text))), "")
    return Untrusted(f"{named[:LONGEST]}\n{asked_in(case)}") if named else asked_in(case)


def _begun_before(case: Case) -> bool:
    """Tell whether an earlier mail has opened the conversation: the subject is that mail's, and this one asks in its text."""
    return case.source != CHAT and bool(support_of(case).earlier) and bool(own_words(case))


async def looked_up_before(case: Case, at: Services) -> tuple[Mapping[str, Json], ...]:
    """Return what tools brought about earlier mails of the conversation, by tool, latest mail first."""
    return await at.dialogue.looked_up_before(key_of(case)) if at.dialogue else ()


def asked_in(case: Case) -> Untrusted:
    """Return the question as articles are searched for it: no greeting, no closing and no name, which no article has."""
    text = own_words(case)
    return Untrusted(f"{case.mail.subject}\n{text}".strip()) if text and case.source != CHAT else question_of(case)


async def kept(case: Case, at: Services, role: Author, text: str, ticket: str = "") -> None:
    """Store what the conversation has come to, and the answer or summary that ends the case's part of it."""
    if at.dialogue is None:
        return
    support, key = support_of(case), key_of(case)
    known = await at.dialogue.dialogue(key) or Dialogue(key=key)
    message = (DialogueMessage(role=role, text=Untrusted(text), case=case.id),) if text else ()
    after = _after(known, support, case)
    await at.dialogue.keep(replace(after, ticket=ticket or after.ticket), message)


async def store_reply(case: Case, at: Services, text: str) -> None:
    """Store what the customer hears about a mail of the conversation after a person has decided; other mails may have come since."""
    if at.dialogue is None:
        return
    support, key = support_of(case), key_of(case)
    known = await at.dialogue.dialogue(key)
    if known is None:
        return
    new = tuple(one for one in support.attempts if one not in known.attempts)
    ended = support.status is SupportStatus.RESOLVED
    after = replace(
        known,
        status=support.status if ended else known.status,
        respond_by=None if ended else known.respond_by,
        attempts=(*known.attempts, *new)[-KEPT:],
    )
    messages = (DialogueMessage(role=Author.AI, text=Untrusted(text), case=case.id),) if text else ()
    await at.dialogue.keep(after, messages)


def _after(known: Dialogue, support: Support, case: Case) -> Dialogue:
    found, escalation = support.classification, support.escalation
    used = support.resolution.articles_used if support.resolution and support.resolution.resolved else ()
    after = replace(
        known,
        channel=support.channel,
        account=support.account,
        status=support.status,
        main_issue_type=known.main_issue_type or (found.issue_type if found else ""),
        tags=tuple(dict.fromkeys((*known.tags, *(found.tags if found else ())))),
        articles_used=tuple(dict.fromkeys((*known.articles_used, *used))),
        attempts=(*support.earlier, *support.attempts)[-KEPT:],
    )
    if escalation is None or (known.status is SupportStatus.ESCALATED and escalation.raised_from is None):
        return after
    return replace(
        after,
        priority=str(escalation.priority),
        escalated_at=case.received_at,
        respond_by=datetime.fromisoformat(escalation.context["respond_by"]),
    )
