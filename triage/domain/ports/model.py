"""The language model."""

from collections.abc import Sequence
from typing import Protocol

from triage.domain.conversation import Messages, ToolSpec, Turn


class Model(Protocol):
    """A language model; called by the agent run. Raises `ModelDown`, `ModelDenied`, `ContextTooLong`."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The model's answer, with at most `max_tokens` output tokens."""
