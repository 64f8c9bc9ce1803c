"""The playbook as a model: it reads the same prompt and calls the same tools, and costs nothing."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from triage.agent.loop import RESULT
from triage.agent.prompt import FACTS, fence_of, read_back
from triage.domain.conversation import Json, Messages, Role, ToolCall, ToolSpec, Turn, Usage
from triage.policy.decision.playbook import ACTIVE, decide
from triage.policy.text.untrusted import unfenced

IDLE: Final = "Ready. I decide about mails, by rules."
"""To who asks something else, such as `triage doctor`."""


class Playbook:
    """A `Model` without a model."""

    name = "playbook"

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next move by the rules; only tools that are granted are called."""
        del max_tokens
        if len(messages) < 2 or FACTS not in messages[1].text:  # noqa: PLR2004 - system and user
            return Turn(text=IDLE, usage=_estimated(messages, tools, IDLE, ()), model=self.name)
        granted = {spec.name for spec in tools}
        facts = replace(read_back(messages), sprints=ACTIVE in granted)
        move = decide(facts, results_of(messages), self._threshold)
        turn = sum(said.role is Role.ASSISTANT for said in messages) + 1
        calls = tuple(
            ToolCall(
                id=f"call_{turn}_{place}", name=call.tool, arguments=json.dumps(call.arguments, ensure_ascii=False)
            )
            for place, call in enumerate(move.calls, 1)
            if call.tool in granted
        )
        return Turn(text=move.text, calls=calls, usage=_estimated(messages, tools, move.text, calls), model=self.name)


def results_of(messages: Messages) -> list[tuple[str, Json]]:
    """Tool names and results so far."""
    names = {call.id: call.name for said in messages for call in said.calls}
    nonce = fence_of(messages)
    texts = ((said.answers, said.text) for said in messages if said.role is Role.TOOL)
    return [(names.get(call, ""), json.loads(unfenced(text, RESULT, nonce) or text)) for call, text in texts]


def _estimated(messages: Messages, tools: Sequence[ToolSpec], text: str, calls: Sequence[ToolCall]) -> Usage:
    """Tokens that a real model would have been charged for, at four bytes each: an estimate, and free."""
    asked = sum(len(s.text.encode()) + sum(len(c.arguments) + len(c.name) for c in s.calls) for s in messages)
    shown = sum(len(spec.description) + len(json.dumps(spec.parameters)) + len(spec.name) for spec in tools)
    answered = len(text.encode()) + sum(len(c.arguments) + len(c.name) for c in calls)
    return Usage(input_tokens=(asked + shown) // 4, output_tokens=answered // 4, cost_usd=0.0)
