"""Wraps a model so that it sees placeholders, and what it writes has the values again."""

from collections.abc import Sequence

from triage.domain.conversation import Messages, ToolSpec, Turn
from triage.domain.ports import Model
from triage.policy.privacy.redaction import redacted, unredacted


class RedactingModel:
    """A `Model`; journal, guard and tools outside of it meet the values alone."""

    def __init__(self, model: Model, *, personal: bool) -> None:
        self._model = model
        self._personal = personal

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Ask with placeholders; return the answer with values. Raises what the model raises."""
        shown, known = redacted(conversation, personal=self._personal)
        return unredacted(await self._model.complete(shown, tools, max_tokens), known)
