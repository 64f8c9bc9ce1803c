"""Rules of the letter tools: nobody unproven gets one; the table of autonomy says whether a person decides about the others. Pure."""

from enum import StrEnum
from typing import Final

from triage.config.autonomy.table import LETTER
from triage.domain.conversation import Json, ToolRun
from triage.policy.decision.permission import Arguments, RunHistory, Terms, ToolRule
from triage.policy.decision.rights import Right, RightsRow
from triage.policy.letters.one_letter import counted, one_letter

REPLY: Final = "reply"
DRAFT: Final = "draft"
ESCALATION: Final = "escalation"
ESCALATED: Final = "escalated"
"""Status in the result of a call that hands the case to a person."""


class LetterDeed(StrEnum):
    """What a call would do."""

    ANSWER = "answer the sender"
    DRAFT = "lay a draft of an answer before a person"
    HAND_OVER = "hand the case to a person"


_YES, _, _, _, _NO = Right


def _once(_: Arguments, history: RunHistory, _terms: Terms) -> str:
    return "the case is with a person already" if history.times(ESCALATION) else ""


def _body(arguments: Arguments) -> tuple[str, Json]:
    """Show the whole letter to the person who decides."""
    subject = f"{arguments['subject']}\n\n" if arguments.get("subject") else ""
    return REPLY, f"{subject}{arguments.get('body', '')}"


def _letter_text(run: ToolRun) -> str:
    result = run.result
    match result.get("status"):
        case "queued":
            accepted = f" {result['by']} accepted it." if result.get("by") else ""
            return f"Answers {', '.join(map(str, result['to']))} (letter {result['letter']}).{accepted}"
        case "drafted":
            return f"Lays a draft of an answer before a person (letter {result['letter']})."
        case "dry_run":
            return "Would answer the sender."
    return ""


def _handed_over(run: ToolRun) -> str:
    return "Would hand it to a person." if run.result.get("status") == "dry_run" else ""


SEND_RULE: Final = ToolRule(
    rights={LetterDeed.ANSWER: RightsRow(_YES, _YES, _NO, _NO)},
    effect=LETTER,
    refusal=one_letter(REPLY),
    deeds=lambda *_: {"": LetterDeed.ANSWER},
    counts=(REPLY,),
    whole=_body,
    record=counted(REPLY),
    kinds=lambda _: (REPLY,),
    describe=_letter_text,
    instead="; hand the case to a person where an answer is needed",
)
DRAFT_RULE: Final = ToolRule(
    rights={LetterDeed.DRAFT: RightsRow(_YES, _YES, _NO, _NO)},
    effect="draft",
    refusal=one_letter(DRAFT),
    deeds=lambda *_: {"": LetterDeed.DRAFT},
    counts=(DRAFT,),
    record=counted(DRAFT),
    kinds=lambda _: (DRAFT,),
    describe=_letter_text,
)
ESCALATE_RULE: Final = ToolRule(
    rights={LetterDeed.HAND_OVER: RightsRow(_YES, _YES, _YES, _YES)},
    refusal=_once,
    deeds=lambda *_: {"": LetterDeed.HAND_OVER},
    counts=(ESCALATION,),
    record=counted(ESCALATION),
    kinds=lambda _: (ESCALATION,),
    describe=_handed_over,
)
