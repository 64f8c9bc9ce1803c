"""The example texts of the shipped categories."""

from collections import Counter

from triage.config.support.examples import EXAMPLES, shipped_examples
from triage.policy.support.topics import CATEGORIES


def test_every_line_is_an_example_of_a_shipped_category() -> None:
    """All categories have examples in every language, none stands twice."""
    pairs = shipped_examples()

    assert {name for name, _ in pairs} == set(CATEGORIES)
    assert [text for text, often in Counter(text for _, text in pairs).items() if often > 1 or not text] == []
    assert len(list(EXAMPLES.glob("*.txt"))) == 10
