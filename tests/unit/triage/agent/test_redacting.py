"""The wrapper around a model: placeholders go out, values come back."""

from collections.abc import Sequence

from triage.agent.redacting import RedactingModel
from triage.domain.conversation import ChatMessage, Messages, Role, ToolSpec, Turn


class Echo:
    """A model that repeats the last message."""

    name = "echo"

    def __init__(self) -> None:
        self.saw: list[str] = []

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The last message."""
        del tools, max_tokens
        self.saw += [message.text for message in conversation]
        return Turn(text=conversation[-1].text)


async def test_the_model_sees_no_address_and_writes_it_all_the_same() -> None:
    """Its answer has the value in the placeholder's place."""
    echo = Echo()
    model = RedactingModel(echo, personal=True)
    turn = await model.complete((ChatMessage(role=Role.USER, text="Answer ada@example.com"),), (), 100)

    assert model.name == "echo"
    assert not any("ada@" in text for text in echo.saw)
    assert turn.text.startswith("Answer ada@example.com")
