"""A conversation as its pages show it: mail by mail, what was said and what Triage has made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.errors import CaseNotFound
from triage.domain.reports import Report
from triage.domain.support.dialogues import Author, DialogueMessage
from triage.domain.text.soft_breaks import soft_wrapped
from triage.policy.letters.markdown import plain_of
from triage.services.case_reports import CaseReports
from web.console.words import TextPiece, pieces

SHOWN: Final = 30
"""Mails of a conversation that a page shows, the latest."""
WHO: Final = {Author.USER: "Customer", Author.AI: "Triage", Author.SYSTEM: "Triage, to the person who takes over"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One mail of a conversation: what was said, and what Triage has decided about it."""

    case: str
    messages: tuple[tuple[DialogueMessage, tuple[TextPiece, ...]], ...]
    report: Report | None
    """None: the case was forgotten."""


async def turns_of(messages: Sequence[DialogueMessage], reports: CaseReports) -> tuple[ChatTurn, ...]:
    """Return the latest mails of a conversation, oldest first. Raises `StoreDown`."""
    cases = tuple(dict.fromkeys(one.case for one in messages))[-SHOWN:]
    by_case = {case: tuple((one, _pieces(one)) for one in messages if one.case == case) for case in cases}
    return tuple([ChatTurn(case=case, messages=by_case[case], report=await _report(reports, case)) for case in cases])


async def _report(reports: CaseReports, case: str) -> Report | None:
    try:
        return await reports.report(case)
    except CaseNotFound:
        return None


def _pieces(message: DialogueMessage) -> tuple[TextPiece, ...]:
    """Return the text; what Triage has written is Markdown."""
    return pieces(soft_wrapped(message.text) if message.role is Author.USER else plain_of(message.text))
