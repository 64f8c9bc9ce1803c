"""How much judgement a matter needs."""

import pytest

from triage.domain.support.conversations import Complexity
from triage.policy.support.complexity import complexity_of
from triage.policy.support.topics import topics_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I change my password?", Complexity.SIMPLE),
        ("What happened to my reservation for Friday?", Complexity.MODERATE),
        ("help", Complexity.MODERATE),
        ("word " * 200, Complexity.MODERATE),
        ("How do I reset my password, and where do I find the invoice?", Complexity.MODERATE),
        ("Your webhooks do not arrive on our side.", Complexity.MODERATE),
        ("Could you make an exception and move the deadline?", Complexity.COMPLEX),
        ("The app crashes, the invoice is wrong and I forgot my password.", Complexity.COMPLEX),
        ("I have tried everything and your api still fails.", Complexity.COMPLEX),
    ],
)
def test_complexity_grows_with_what_must_be_judged(text: str, expected: Complexity) -> None:
    """One clear question is simple; data, several issues or vagueness make it moderate; exceptions need judgement."""
    assert complexity_of("", text, topics_of("", text).categories) is expected
