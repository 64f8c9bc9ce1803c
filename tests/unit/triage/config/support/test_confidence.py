"""The weights and limits of the confidence are set in triage.yaml, and checked when it is read."""

import pytest

from triage.config.support.confidence import Scorer, Scoring
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid
from triage.policy.knowledge.answer import calculate_confidence


def test_the_shipped_numbers_are_those_of_the_formula() -> None:
    """40, 30, 20 and 10 percent, whatever else the section says."""
    assert config_of(b"support: {resolve_from: 0.8}").support.confidence == Scoring()


def test_other_weights_are_used() -> None:
    """With likeness alone the confidence is the likeness."""
    text = "support: {confidence: {scorer: seed, similarity: 1, completeness: 0, quality: 0, match: 0, refuses: 0.2}}"
    told = config_of(text.encode()).support.confidence

    assert (told.scorer, told.refuses) == (Scorer.SEED, 0.2)
    assert calculate_confidence([0.4], 9, has_suggested_phrasing=False, classification_match=False, scoring=told) == 0.4


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("similarity: 0.5", "make 1.1 together; make them 1"),
        ("short: 60", "short (60) must be below long (50)"),
        ("labels: 0", "greater than or equal to 1"),
        ("scorer: best", "scorer"),
    ],
)
def test_what_makes_no_confidence_is_told(given: str, told: str) -> None:
    """When the file is read, with the cure."""
    with pytest.raises(SettingsInvalid) as caught:
        config_of(f"support: {{confidence: {{{given}}}}}".encode())

    assert told in str(caught.value)
