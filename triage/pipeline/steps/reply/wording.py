"""Words the body of an answer: by the model, checked, or by the texts of its language."""

from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Messages
from triage.domain.errors import LeaseLost, Permanent, StoreDown, Transient
from triage.domain.letters.reply import Execution, Reply
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.single_question import QuestionId, asking
from triage.policy.letters.reply.body_check import fault_in
from triage.policy.letters.reply.draft import DraftFacts, Texts, draft_of, framed
from triage.policy.text.untrusted import facts as as_facts
from triage.policy.text.untrusted import fenced, ours
from triage.toolsets.prompt import FACTS, TEMPLATES, mail_text, nonce_of

PROMPT: Final = "parts/reply.md"
ASKER: Final = QuestionId("reply", 2)
TOKENS: Final = 800
TRIES: Final = 3
"""Times that a model is asked while it is down; then the text of the language answers."""
TEMPLATE: Final = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """A body, its author, and why the preferred author did not write it."""

    body: str
    by: str
    fallback: str = ""


async def worded(case: Case, reply: Reply, block: str, facts: DraftFacts, texts: Texts, at: Services) -> Worded:
    """Return the body by the model where there is one; without one, or if it fails or writes what may not leave, by the text."""
    template = draft_of(block, reply.language, facts, texts)
    if at.rules.dry_run:
        return Worded(body=template, by=TEMPLATE)
    messages = opening(case, reply, facts, at)
    try:
        async with asking(case, ASKER, messages, at, tries=TRIES) as model:
            turn = await model.complete(messages, (), TOKENS) if model else None
    except (StoreDown, LeaseLost):
        raise
    except (Transient, Permanent) as e:
        return Worded(body=template, by=TEMPLATE, fallback=f"the model did not write the answer: {e}")
    if turn is None:
        return Worded(body=template, by=TEMPLATE)
    if fault := fault_in(turn.text, {facts.ticket}):
        return Worded(body=template, by=TEMPLATE, fallback=fault)
    return Worded(body=framed(turn.text, reply.language, facts, texts), by=turn.model or "model")


def opening(case: Case, reply: Reply, facts: DraftFacts, at: Services) -> Messages:
    """Return the prompt: rules, facts, and the fenced mail and tool results."""
    system = TEMPLATES.get_template(PROMPT).render(language=reply.language, tone=reply.tone)
    nonce = nonce_of(case, at.secret)
    known = {"ticket": facts.ticket, "status": facts.status, "because": reply.because}
    user = ours("Answer this e-mail.\n\n")
    user += fenced("MAIL", Untrusted(f"Subject: {case.mail.subject}\n\n{mail_text(case.mail, short=True)}"), nonce)
    for one in reply.executions:
        if one.state is Execution.DONE:
            user += fenced("RESULT", Untrusted(f"{one.tool}: {one.result}"), nonce)
    user += ours("\n" + FACTS) + as_facts({name: value for name, value in known.items() if value}) + ours("\n")
    return ChatMessage.system(ours(system)), ChatMessage.user(user)
