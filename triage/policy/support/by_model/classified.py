"""The classifier's answer by a model: its schema, and what it changes of what the rules have found."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

from triage.config.support.examples import shipped_examples
from triage.domain.conversation import Json
from triage.domain.support.conversations import Complexity, SupportClass, Urgency
from triage.policy.support.topics import CATEGORIES, GENERAL
from triage.policy.text.json_answer import object_in

SHOWN: Final = 3
"""Examples of a category that the model is shown."""
SURE: Final = 0.8
"""From this confidence on the rules' issue type stands; `general` does not, since that is what no other type fits."""
NAMED: Final = 0.7
"""Confidence of an issue type that the model alone names; no labelled texts say more of it."""
_FIELDS: Final = frozenset({"issue_type", "urgency", "complexity"})
Step = TypeVar("Step", Urgency, Complexity)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelClass:
    """A model's classification of a mail."""

    issue_type: str
    urgency: Urgency
    complexity: Complexity

    def __str__(self) -> str:
        """`billing, high, simple`."""
        return f"{self.issue_type}, {self.urgency}, {self.complexity}"


def categories_shown(configured: Sequence[tuple[str, Sequence[str]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the categories with some examples each, those of triage.yaml or the shipped ones."""
    given = configured or [(name, ()) for name in CATEGORIES]
    shipped = shipped_examples("en")
    return tuple(
        (name, tuple([*own, *(text for category, text in shipped if category == name)][:SHOWN])) for name, own in given
    )


def class_in(text: str, categories: Collection[str]) -> ModelClass:
    """Return what a model has answered. Raises `ValueError` with what does not fit."""
    read = object_in(text, _FIELDS)
    issue_type = read["issue_type"]
    if not isinstance(issue_type, str) or issue_type not in categories:
        raise ValueError(f"issue_type: one of {', '.join(categories)}")
    return ModelClass(
        issue_type=issue_type,
        urgency=_one_of(Urgency, "urgency", read["urgency"]),
        complexity=_one_of(Complexity, "complexity", read["complexity"]),
    )


def _one_of(kind: type[Step], name: str, value: Json) -> Step:
    if value not in [one.value for one in kind]:
        raise ValueError(f"{name}: one of {', '.join(kind)}")
    return kind(value)


def weighed(rules: SupportClass, model_class: ModelClass, model: str) -> SupportClass:
    """Return the class by both. What the rules have found is its last evidence.

    The rules' issue type stands where they are sure, their urgency and complexity where the model is more than a step away.
    """
    agreed = model_class.issue_type == rules.issue_type
    stands = agreed or (rules.confidence >= SURE and rules.issue_type != GENERAL)
    found = f"rules: {rules.issue_type} ({rules.confidence:.0%}), {rules.urgency}, {rules.complexity}"
    return replace(
        rules,
        issue_type=rules.issue_type if stands else model_class.issue_type,
        confidence=max(rules.confidence, NAMED) if agreed else rules.confidence if stands else NAMED,
        urgency=_near(rules.urgency, model_class.urgency),
        complexity=_near(rules.complexity, model_class.complexity),
        evidence=(*rules.evidence, f"{model}: {model_class}", found),
        asked=model,
    )


def _near(rules: Step, by_model: Step) -> Step:
    """Return what the model says where it is at most one step from the rules."""
    steps: list[StrEnum] = list(type(rules))
    return by_model if abs(steps.index(rules) - steps.index(by_model)) <= 1 else rules
