"""The rules, agents and features of this installation, for people to read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.agent.loop import Limits
from triage.agent.profiles import Profile
from triage.config.features import Feature
from triage.config.routing.rule import RoutingRule
from triage.policy.privacy.secrets import masked

_KEY: Final = r"[\w.-]*(?:password|passwd|token|secret|api[_-]?key|credential)s?[\"']?\s*:"
_SECRET: Final = re.compile(rf"(?im)(?<![\w.-])({_KEY})[ \t]+(?![|>]?[ \t]*$)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\n,}}]+)")
_BLOCK: Final = re.compile(rf"(?im)^(([ \t]*)(?:- )?[\"']?{_KEY})[ \t]*[|>][^\n]*\n(?:\2[ \t]+[^\n]*\n?|[ \t]*\n)+")
MASK: Final = "masked"
"""A single word, so that the text remains a valid triage.yaml."""
_TOLD: Final = re.compile(r"\[[a-z ]+ masked\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """Routing rules, agents and the text of triage.yaml, as they are now; `warnings` says what is doubtful in them."""

    file: str
    """Name of triage.yaml."""
    text: str
    """Its text without secrets; empty: there is no file."""
    rules: tuple[RoutingRule, ...] = ()
    warnings: tuple[str, ...] = ()
    """What is doubtful about the rules."""
    trouble: str = ""
    """Why the present file is not used; empty if it is."""
    features: tuple[Feature, ...] = ()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    limits: Limits
    """Of profiles that name none."""
    default_model: str = ""
    """Of profiles that name none; empty: rules decide."""
    granted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Profile → the tools that it has, of those that are switched on."""


def without_secrets(text: str) -> str:
    """Return the text of a triage.yaml without possible secrets: values of secret keys, and what looks like a secret."""
    shown = _SECRET.sub(rf"\g<1> {MASK}", _BLOCK.sub(rf"\g<1> {MASK}\n", text))
    return _TOLD.sub(MASK, masked(shown))
