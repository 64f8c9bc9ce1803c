"""The classifier: what the mail is about, how urgent and how complex, by rules, and by a model where there is one."""

from dataclasses import replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage
from triage.domain.findings import Intent
from triage.domain.support.conversations import SupportClass, SupportStatus
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.single_question import QuestionId
from triage.pipeline.steps.support.by_model import asked, rules_of
from triage.pipeline.steps.support.dialogue import CHAT
from triage.pipeline.steps.support.parts import question_of, settings_of, support_of
from triage.policy.support.by_model.classified import categories_shown, class_in, weighed
from triage.policy.support.classify import LONGEST, configured
from triage.policy.support.classify import classify as class_of
from triage.policy.support.priority import pressed
from triage.policy.support.topics import GENERAL
from triage.policy.text.untrusted import fenced, ours
from triage.toolsets.prompt import mail_text, nonce_of

PROMPT: Final = "support/classifier.md"


async def classify(case: Case, at: Services) -> Case:
    """Return the case with its class; the rest of the findings stays."""
    rules = class_of(
        "" if case.source == CHAT else case.mail.subject,
        mail_text(case.mail),
        configured(settings_of(at).examples),
    )
    rules = pressed(rules, complains=_complains(case))
    found = await _with_model(case, rules, at)
    return replace(case, support=replace(support_of(case), classification=found, status=SupportStatus.CLASSIFIED))


def _complains(case: Case) -> bool:
    wants = case.classification.intent
    return wants is not None and wants.intent is Intent.COMPLAINT


async def _with_model(case: Case, rules: SupportClass, at: Services) -> SupportClass:
    """Return the class by rules and model; by rules alone where there is no model or it does not get it right."""
    categories = categories_shown(settings_of(at).examples)
    names = tuple(name for name, _ in categories)
    text = Untrusted(question_of(case)[:LONGEST])
    opening = (
        ChatMessage.system(rules_of(PROMPT, categories=categories, general=GENERAL in names)),
        ChatMessage.user(ours("Classify this mail.\n\n") + fenced("MAIL", text, nonce_of(case, at.secret))),
    )
    judged = await asked(case, opening, QuestionId("classifier", 1), lambda text: class_in(text, names), at)
    return weighed(rules, *judged) if judged else rules


def describe(_before: Case, after: Case) -> str:
    """Name type, urgency, complexity, tags and confidence; where a model was asked, what the rules had found, too."""
    found = after.support.classification if after.support else None
    if found is None:
        return ""
    tags = f"; {', '.join(found.tags)}" if found.tags else ""
    beside = f"; asked {found.asked}; {found.evidence[-1]}" if found.asked else ""
    return f"{found.issue_type} ({found.confidence:.0%}), {found.urgency}, {found.complexity}{tags}{beside}"
