"""A model that does as it is told, turn by turn: for tests of what code makes of whatever a model wants."""

import json
from collections.abc import Sequence
from typing import Any

from triage.domain.conversation import Messages, Role, ToolCall, ToolSpec, Turn, Usage


class ScriptedModel:
    """Calls these tools, one turn after the other, then says its last words; the same for every mail."""

    name = "scripted"

    def __init__(self, *turns: tuple[str, dict[str, Any]], last: str = "That is what I did.") -> None:
        self.turns = turns
        self.last = last
        self.heard: list[Messages] = []

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """What comes next, counted by what it has said before."""
        self.heard.append(conversation)
        said = sum(one.role is Role.ASSISTANT for one in conversation)
        if said >= len(self.turns):
            return Turn(text=self.last, usage=Usage(input_tokens=1, output_tokens=1))
        tool, arguments = self.turns[said]
        call = ToolCall(id=f"call_{said}", name=tool, arguments=json.dumps(arguments))
        return Turn(text="", calls=(call,), usage=Usage(input_tokens=1, output_tokens=1))
