"""Decides whether and how the mail is answered: chooses the tools that prepare the answer."""

from dataclasses import replace

from triage.config.letters.rules import AnswerMode
from triage.domain.cases import Case
from triage.domain.findings import Intent, IntentFinding, Joined
from triage.domain.letters.reply import Execution, Reply, ReplyState, ToolExecution
from triage.domain.mail import Stub
from triage.pipeline.context import Services
from triage.pipeline.steps.review import effects_of
from triage.policy.decision.finish import finish_of
from triage.policy.letters.reply.decide import ReplyPlan, plan_of
from triage.policy.letters.reply.draft import TONES
from triage.policy.letters.reply.intent import intent_of
from triage.policy.letters.reply.language import letter_language
from triage.policy.letters.reply.missing_details import missing_in
from triage.policy.letters.reply.outcome import written_by_agent
from triage.policy.text.commands import commands_in
from triage.policy.ticket.attachments import ticket_of
from triage.toolsets.table import LETTER_NAMES, PARTS


async def decide(case: Case, at: Services) -> Case:
    """Return the case with the plan of its answer, or with the reason why there is none."""
    found = case.classification.intent or intent_of(
        case.mail, case.cues, case.classification.disposition, case.identity
    )
    asked = await _asked_back(case, found, at)
    plan = plan_of(found, PARTS, at.toolbox.names, _refusal(case, asked, at))
    reply = replace(_reply(found, plan), missing=asked, language=_language(case, at))
    return replace(case, classification=replace(case.classification, intent=found), reply=reply)


def _refusal(case: Case, asked: tuple[str, ...], at: Services) -> str:
    """Return why the mail is not answered by these steps; empty if it is."""
    if tool := written_by_agent(case, LETTER_NAMES):
        return f"the agent has answered it with {tool}"
    ended = finish_of(case)
    if ended is not None and ended.aside:
        return f"it is set aside as {ended.disposition}"
    if refused := at.letters.no_letter(case) if at.letters else "letters are switched off":
        return refused
    if case.stub is Stub.OVERSIZE and at.rules.letters.rejections:
        return "its sender is told that it is too large"
    if asked:
        return f"it is asked back for: {', '.join(asked)}"
    return "answers are off (letters.answers)" if at.rules.letters.answers is AnswerMode.OFF else ""


async def _asked_back(case: Case, found: IntentFinding, at: Services) -> tuple[str, ...]:
    """Return the question to the sender of a new bug; nothing if a person should review it first."""
    mail = case.mail
    careful = found.intent is Intent.COMPLAINT or mail.hidden_text or bool(commands_in(mail.text))
    if not at.rules.letters.questions or careful or case.stub or case.identity.joined is Joined.REPLY_ID:
        return ()
    _, new = ticket_of(await effects_of(case, at))
    return missing_in(mail, case.cues) if new else ()


def _language(case: Case, at: Services) -> str:
    default = at.rules.letters.language
    return letter_language(case.mail, at.texts, default) if at.texts else default


def _reply(found: IntentFinding, plan: ReplyPlan) -> Reply:
    missing = tuple(ToolExecution(tool=tool, state=Execution.MISSING) for tool in plan.missing)
    return Reply(
        state=ReplyState.PLANNED if plan.tools else ReplyState.NONE,
        because=plan.because,
        tools=plan.tools,
        needed=plan.needed,
        executions=missing,
        tone=TONES.get(found.intent, "") if plan.tools else "",
    )


def describe(_before: Case, after: Case) -> str:
    """Name the intent and the tools, or why the mail is not answered."""
    reply = after.reply
    if reply is None:
        return ""
    if reply.state is ReplyState.NONE:
        return f"no answer: {reply.because}"
    missing = [one.tool for one in reply.executions if one.state is Execution.MISSING]
    left_out = f"; not installed: {', '.join(missing)}" if missing else ""
    return f"{reply.because}: {', '.join(reply.tools)}{left_out}"
