"""Writes at most one letter of fixed text that needs no person: rejection, question or receipt."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.errors import Refused
from triage.domain.letters import LetterKind
from triage.domain.letters.reply import Reply, ReplyState
from triage.domain.mail import Stub
from triage.pipeline.context import Services
from triage.pipeline.steps.reply.generate import facts_of
from triage.policy.letters.compose import Wording
from triage.policy.letters.reply.draft import draft_of, megabytes, subject_text


async def acknowledge(case: Case, at: Services) -> Case:
    """Return the case with a line about the letter, or why none was sent."""
    reply, texts, writer = case.reply, at.texts, at.letters
    if reply is None or texts is None or writer is None or at.rules.dry_run:
        return case
    facts, certain = await facts_of(case, at)
    kind = _kind(case, reply, new=certain and bool(facts.ticket) and case.identity.joined is None, at=at)
    if kind is None:
        return case
    facts = replace(
        facts,
        missing=reply.missing,
        subject=subject_text(case.mail.subject),
        limit=megabytes(at.rules.largest_mail),
    )
    body = draft_of(str(kind), reply.language, facts, texts)
    wording = Wording(kind=kind, body=body, language=reply.language)
    try:
        letter = await writer.write_automatically(case, f"{kind}:1", wording)
    except Refused as e:
        return replace(case, reply=replace(reply, letter=f"no {kind}: {e}"))
    return replace(case, reply=replace(reply, letter=f"{kind}: letter {letter.id} to {letter.person}"))


def _kind(case: Case, reply: Reply, *, new: bool, at: Services) -> LetterKind | None:
    """Return the kind of letter to send; a mail that gets an answer gets no receipt."""
    settings = at.rules.letters
    if case.stub is Stub.OVERSIZE:
        return LetterKind.REJECTION if settings.rejections else None
    if reply.missing:
        return LetterKind.QUESTION
    return LetterKind.RECEIPT if settings.receipt and new and reply.state is not ReplyState.SENT else None


def describe(_before: Case, after: Case) -> str:
    """Name the letter, or say why none was sent."""
    return after.reply.letter if after.reply else ""
