"""What a model's class changes of what the rules have found."""

import json

import pytest

from triage.domain.support.conversations import Complexity, SupportClass, Urgency
from triage.policy.support.by_model.classified import NAMED, ModelClass, categories_shown, class_in, weighed

SAID = {"issue_type": "billing", "urgency": "high", "complexity": "simple"}


def said(issue_type: str, urgency: Urgency = Urgency.LOW, complexity: Complexity = Complexity.SIMPLE) -> ModelClass:
    """What a model says."""
    return ModelClass(issue_type=issue_type, urgency=urgency, complexity=complexity)


def by_rules(issue_type: str, confidence: float) -> SupportClass:
    """What the rules have found."""
    return SupportClass(issue_type=issue_type, urgency=Urgency.LOW, confidence=confidence, evidence=("invoice",))


@pytest.mark.parametrize(
    ("rules", "model", "issue_type", "confidence"),
    [
        (by_rules("billing", 0.9), "billing", "billing", 0.9),
        (by_rules("billing", 0.4), "billing", "billing", NAMED),
        (by_rules("billing", 0.9), "booking", "billing", 0.9),
        (by_rules("billing", 0.79), "booking", "booking", NAMED),
        (by_rules("general", 0.95), "booking", "booking", NAMED),
    ],
)
def test_the_rules_type_stands_where_they_are_sure(
    rules: SupportClass, model: str, issue_type: str, confidence: float
) -> None:
    """`general` is what is left over, so the model may name another type; what the rules found is always kept."""
    found = weighed(rules, said(model), "gpt")

    assert (found.issue_type, found.confidence, found.asked) == (issue_type, confidence, "gpt")
    assert found.evidence == (
        "invoice",
        f"gpt: {model}, low, simple",
        f"rules: {rules.issue_type} ({rules.confidence:.0%}), low, simple",
    )


def test_a_model_moves_urgency_and_complexity_by_one_step() -> None:
    """A mail that talks a model into `critical` does not make a question an emergency."""
    rules = by_rules("billing", 0.9)
    near = weighed(rules, said("billing", Urgency.MEDIUM, Complexity.MODERATE), "gpt")
    far = weighed(rules, said("billing", Urgency.CRITICAL, Complexity.COMPLEX), "gpt")

    assert (near.urgency, near.complexity) == (Urgency.MEDIUM, Complexity.MODERATE)
    assert (far.urgency, far.complexity) == (Urgency.LOW, Complexity.SIMPLE)


def test_an_answer_of_the_schema_is_read() -> None:
    """Each value is one that is configured or defined."""
    assert class_in(json.dumps(SAID), ("billing",)) == said("billing", Urgency.HIGH)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"issue_type": "refunds"}, "issue_type: one of billing, general"),
        ({"issue_type": ["billing"]}, "issue_type: one of billing, general"),
        ({"urgency": "now"}, "urgency: one of low, medium, high, critical"),
        ({"urgency": None}, "urgency: one of low, medium, high, critical"),
        ({"complexity": ["simple"]}, "complexity: one of simple, moderate, complex"),
        ({"priority": "P1"}, "there is no field priority"),
    ],
)
def test_what_does_not_fit_is_told(more: dict[str, object], problem: str) -> None:
    """The sentence names the values that there are."""
    with pytest.raises(ValueError, match=problem):
        class_in(json.dumps(SAID | more), ("billing", "general"))


def test_the_model_is_shown_categories_with_examples() -> None:
    """Those of triage.yaml first with their own examples; without any the shipped five."""
    assert categories_shown((("delivery", ("a", "b", "c", "d")),)) == (("delivery", ("a", "b", "c")),)
    assert [len(examples) for _, examples in categories_shown(())] == [3, 3, 3, 3, 3]
    assert all(example.isascii() for _, examples in categories_shown(()) for example in examples)
