"""The letter tools; they exist only where SMTP_HOST is set. The thread gives the recipients; only a person may add one."""

from typing import Annotated, Final

from pydantic import Field

from triage.agent.toolbox import ForPeople, LiveName, tool
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.letters import LetterKind
from triage.domain.tickets import Person
from triage.effects.letter_writer import LetterWriter
from triage.policy.decision.resolution import Live
from triage.policy.letters.compose import Wording
from triage.toolsets.context import Context
from triage.toolsets.letters.rules import (
    DRAFT,
    DRAFT_RULE,
    ESCALATE_RULE,
    ESCALATED,
    ESCALATION,
    REPLY,
    SEND_RULE,
)

Body = Annotated[str, Field(min_length=1, max_length=10_000, description="Markdown, in the sender's language")]
Subject = Annotated[str | None, Field(max_length=160, description="only where it shall differ")]
CopyTo = Annotated[
    str | None, ForPeople(), Field(max_length=200, description="one more address, of the sender's organisation or ours")
]


@tool(Grant.SEND, SEND_RULE)
async def send_reply(at: Context, body: Body, subject: Subject = None, copy_to: CopyTo = None) -> Json:
    """Answer the sender. A person may have to decide first; the result says so."""
    if not at.accepted:
        await _writer(at).check_automatic(at.case, f"{REPLY}:{at.sequence}")
    letter = _writer(at).letter(
        at.case,
        f"{REPLY}:{at.sequence}",
        Wording(kind=LetterKind.ANSWER, body=body, subject=subject or "", copy_to=copy_to or ""),
        by=at.accepted,
    )
    sent = await at.effects.once(REPLY, _writer(at), letter, sequence=at.sequence)
    queued = sent.answer or letter
    by = {"by": at.accepted} if at.accepted else {}
    return {"status": "queued", "letter": queued.id, "to": list(queued.recipients), "subject": queued.subject, **by}


@tool(Grant.WRITE, DRAFT_RULE)
async def create_draft(at: Context, body: Body, subject: Subject = None) -> Json:
    """Lay a draft of an answer before a person, in the mailbox's folder of drafts."""
    wording = Wording(kind=LetterKind.ANSWER, body=body, subject=subject or "")
    letter = _writer(at).letter(at.case, f"{DRAFT}:{at.sequence}", wording, draft=True)
    sent = await at.effects.once(DRAFT, _writer(at), letter, sequence=at.sequence)
    queued = sent.answer or letter
    return {"status": "drafted", "letter": queued.id, "to": list(queued.recipients), "subject": queued.subject}


@tool(Grant.WRITE, ESCALATE_RULE)
async def escalate(
    at: Context,
    reason: Annotated[str, Field(min_length=3, max_length=300, description="one sentence for people")],
    to: Annotated[Person | None, LiveName(Live.PERSON, "name or e-mail", 200)] = None,
) -> Json:
    """Hand the case to a person, where neither a ticket nor an answer settles it."""
    await at.effects.once(ESCALATION, at.tracker, reason, sequence=at.sequence)
    return {"status": ESCALATED, "reason": f"for {to.name}: {reason}" if to else reason}


LETTER_TOOLS: Final = (send_reply, create_draft, escalate)


def _writer(at: Context) -> LetterWriter:
    if at.letters is None:
        raise ToolRefused("letters are switched off: set SMTP_HOST and MAIL_FROM")
    return at.letters
