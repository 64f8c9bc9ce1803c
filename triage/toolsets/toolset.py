"""What a toolset is made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from triage.agent.toolbox import Tool
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect
from triage.domain.tickets import Project
from triage.domain.untrusted import Untrusted
from triage.effects.kinds import EffectKind
from triage.policy.decision.permission import RunHistory
from triage.policy.decision.playbook import Addition, Results, RuleInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a prompt is about."""

    case: Case
    project: Project
    done: str
    """The status that is proposed for a fixed ticket."""
    short: bool = False
    """The model has said that the long prompt is too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFacts:
    """What a toolset puts into a prompt."""

    words: Mapping[str, str] = field(default_factory=dict)
    """For the system prompt, by the names that its text uses."""
    sections: Mapping[str, Untrusted] = field(default_factory=dict)
    """Other people's words for the user prompt, by the name of their fence; empty ones are left out."""
    found: Mapping[str, Json] = field(default_factory=dict)
    """What code has worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """One subject: its tools with their rules, its effects, and what it has to say."""

    name: str
    tools: tuple[Tool, ...]
    effects: tuple[EffectKind[Any, Any], ...] = ()
    arguments: tuple[str, ...] = ()
    """Arguments of other toolsets' tools that exist only together with this one."""
    facts: Callable[[Subject], PromptFacts] = lambda _: PromptFacts()
    fragment: str = ""
    """The file under `prompts/` that an agent reads who may call one of the tools."""
    began: Callable[[Case, RunHistory], RunHistory] = lambda _, history: history
    """The history of a run whose prompt has shown the facts."""
    reasons: Callable[[Case, Sequence[Effect]], Iterator[str]] = lambda *_: iter(())
    """Why a case ended as it did, in sentences."""
    addition: Callable[[RuleInput, Results], Addition] = lambda *_: Addition()
    """What the playbook does for a new ticket beside finding its words."""
