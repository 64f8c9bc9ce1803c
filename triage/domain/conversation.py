"""Messages between Triage and a model, in the shape of chat completions."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from triage.domain.untrusted import Prompt

Json = Any
"""Any value that JSON can hold."""


class Role(StrEnum):
    """Author of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Grant(StrEnum):
    """Side effects that a tool may have."""

    READ = "read"
    WRITE = "write"
    SEND = "send"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    """JSON Schema of the arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call that the model requests."""

    id: str
    name: str
    arguments: str
    """As the model wrote them: not necessarily valid JSON."""
    extra: Json = None
    """What the provider wants back with the call, such as Gemini's signature of a thought; opaque to us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a conversation."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""
    """For role TOOL: the id of the call that this answers."""

    @classmethod
    def system(cls, prompt: Prompt) -> Self:
        return cls(role=Role.SYSTEM, text=prompt.text)

    @classmethod
    def user(cls, prompt: Prompt) -> Self:
        return cls(role=Role.USER, text=prompt.text)

    @classmethod
    def tool(cls, call_id: str, text: str) -> Self:
        """The result of a tool call, as JSON text."""
        return cls(role=Role.TOOL, text=text, answers=call_id)


Messages = tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and cost of model answers."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    """None if the model's price is unknown."""

    def __add__(self, other: "Usage") -> "Usage":
        """The sum; one unknown cost counts as zero, two stay unknown."""
        known = [c for c in (self.cost_usd, other.cost_usd) if c is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer of a model."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    finish: str = "stop"
    """`stop`, `tool_calls`, `length` or `content_filter`."""

    @property
    def message(self) -> ChatMessage:
        """The answer as the next message of the conversation."""
        return ChatMessage(role=Role.ASSISTANT, text=self.text, calls=self.calls)


class RunStatus(StrEnum):
    """How a run of the tool loop ended."""

    COMPLETED = "completed"
    MAX_ITERATIONS = "max_iterations"
    ERROR = "error"
    AWAITING_APPROVAL = "awaiting_approval"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """One tool call and its result, for the audit."""

    tool: str
    arguments: Json
    """Parsed JSON, or the text if it does not parse."""
    result: Json
    iteration: int

    @property
    def facts(self) -> Mapping[str, Json]:
        """What the result says, by name; empty where it is no object."""
        return self.result if isinstance(self.result, Mapping) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """Result of a run of the tool loop."""

    status: RunStatus
    final_message: str = ""
    tool_calls: tuple[ToolRun, ...] = ()
    iterations: int = 0
    usage: Usage = Usage()
    error: str = ""
    model: str = ""
    """The model of the last answer."""
