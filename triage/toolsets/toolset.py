"""Defines the parts of a toolset."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from triage.agent.toolbox import Tool
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect
from triage.domain.tickets import Project, TicketDetails
from triage.domain.untrusted import Untrusted
from triage.effects.kinds import EffectKind
from triage.policy.decision.permission import RunHistory
from triage.policy.decision.playbook import Addition, Results, RuleInput
from triage.policy.decision.rights import Sender
from triage.policy.letters.reply.decide import ReplyPart
from triage.toolsets.context import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInput:
    """What toolsets get to make their prompt facts."""

    case: Case
    project: Project
    sender: Sender = field(default_factory=Sender)
    """How far the sender is proven, and what he is to the tickets."""
    rules: Rules = field(default_factory=Rules)
    pages: Mapping[str, TicketDetails] = field(default_factory=dict)
    """Pages of the likeliest similar tickets by key; rules do without them."""
    short: bool = False
    """Whether to make a shorter prompt, after the model rejected the long one as too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFacts:
    """What a toolset adds to a prompt."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Template variable → text, for the system prompt."""
    sections: Mapping[str, Untrusted] = field(default_factory=dict)
    """Fence name → untrusted text, for the user prompt; empty ones are left out."""
    found: Mapping[str, Json] = field(default_factory=dict)
    """Findings of code, for the user prompt's JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """One subject: its tools with their rules, its effects, and its texts."""

    name: str
    tools: tuple[Tool, ...]
    effects: tuple[EffectKind[Any, Any], ...] = ()
    arguments: tuple[str, ...] = ()
    """Arguments of other toolsets' tools that exist only if this toolset is on."""
    deeds: tuple[str, ...] = ()
    """Deeds of other toolsets' tools that are possible only if this toolset is on."""
    facts: Callable[[PromptInput], PromptFacts] = lambda _: PromptFacts()
    fragment: str = ""
    """File under `prompts/` that is added to the system prompt of agents that may call one of the tools."""
    named_if_off: bool = True
    """Whether prompts of agents without its tools say that it is not available."""
    began: Callable[[Case, RunHistory], RunHistory] = lambda _, history: history
    """Returns the history with the facts that the prompt shows."""
    reasons: Callable[[Case, Sequence[Effect]], Iterator[str]] = lambda *_: iter(())
    """Yields sentences that explain a case's outcome."""
    answers: Mapping[ReplyPart, str] = field(default_factory=dict)
    """What tools of it do for an answer to a mail: part → name of the tool."""
    addition: Callable[[RuleInput, Results], Addition] = lambda *_: Addition()
    """Returns what the playbook adds to the draft of a new ticket."""
