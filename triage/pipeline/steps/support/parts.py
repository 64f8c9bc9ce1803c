"""Shared by the support hub's steps: its settings, the question, and tool calls through the guard."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from triage.agent.loop import dumped, error_result
from triage.agent.toolbox import Invoke
from triage.config.support.rules import SupportSettings
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolCall
from triage.domain.errors import Denied, Permanent, Refused
from triage.domain.mail import RichLine
from triage.domain.support.conversations import Support
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.policy.letters.reply.outcome import with_letter
from triage.policy.support.chat_message import SOURCE
from triage.policy.ticket.text.letter import letter_of
from triage.toolsets.prompt import mail_text

NAME: Final = "support hub"
"""Who decided, where no model did."""


def settings_of(at: Services) -> SupportSettings:
    """Return the hub's settings. Raises `LookupError` where it is off: its steps do not exist there."""
    if at.support is None:
        raise LookupError("the support hub is off")
    return at.support


def support_of(case: Case) -> Support:
    """Return the findings. Raises `LookupError` before the first decision."""
    if case.support is None:
        raise LookupError(f"nothing has been decided about {case.id}")
    return case.support


def question_of(case: Case) -> Untrusted:
    """Return what the customer asks: subject, and the text without quotes. The subject of a chat message is the text's own."""
    if case.source == SOURCE:
        return Untrusted(mail_text(case.mail).strip())
    return Untrusted(f"{case.mail.subject}\n{mail_text(case.mail)}".strip())


def own_words(case: Case) -> Untrusted:
    """Return the text between greeting and closing; empty if there is none."""
    lines = [RichLine(Untrusted(line)) for line in mail_text(case.mail).split("\n")]
    own = letter_of(lines, sender=f"{case.mail.sender or ''}").lines
    return Untrusted("\n".join(line.text for line in own).strip())


def result_of(case: Case) -> AgentResult:
    """Return the record of the case's run; a new one if no step has begun it."""
    return case.result or AgentResult(status=RunStatus.COMPLETED, iterations=1, model=NAME)


async def called(tool: str, arguments: Mapping[str, Json], place: str, invoke: Invoke, at: Services) -> Json:
    """Call a tool and return its result; a refusal or a permanent error is returned as `{"error": …}`. Raises `Denied`, `Transient`."""
    try:
        invocation = at.toolbox.invocation(ToolCall(id=place, name=tool, arguments=dumped(arguments)), place)
        return await invoke(invocation)
    except Denied:
        raise
    except (Refused, Permanent) as e:
        return error_result(e)


def recorded(case: Case, tool: str, arguments: Mapping[str, Json], came: Json) -> Case:
    """Return the case whose record has this call."""
    return replace(case, result=with_letter(result_of(case), tool, arguments, came))
