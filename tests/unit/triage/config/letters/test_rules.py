"""The section `letters` of triage.yaml."""

import pytest

from triage.config.letters.rules import AnswerMode, LetterSettings
from triage.config.triage_yaml import Config, config_of
from triage.domain.errors import SettingsInvalid

FULL = b"""
letters:
  answers: letters
  receipt: true
  questions: true
  status: true
  comments: true
  rejections: true
  threshold: 0.9
  language: de
  signature: Harbour Support
  templates: letters
  out_of_hours: true
"""


def test_without_the_section_nothing_is_written() -> None:
    """Every letter is off until somebody turns it on, whoever leaves the section out."""
    assert Config().letters == LetterSettings() == config_of(b"letters: {answers: off}").letters
    assert not LetterSettings().any


def test_the_section_is_read() -> None:
    """Each setting arrives."""
    rules = config_of(FULL).letters

    assert rules.any
    assert (rules.answers, rules.threshold, rules.language) == (AnswerMode.LETTERS, 0.9, "de")
    assert (rules.receipt, rules.questions, rules.status, rules.rejections) == (True,) * 4
    assert rules.out_of_hours
    assert rules.comments


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"letters: {recipt: true}", "did you mean receipt?"),
        (b"letters: {threshold: 2}", "less than or equal to 1"),
        (b"letters: {answers: always}", "letters.answers"),
    ],
)
def test_mistakes_are_told_with_their_cure(text: bytes, told: str) -> None:
    """Each mistake names its place and what to write."""
    with pytest.raises(SettingsInvalid) as caught:
        config_of(text)

    assert told in caught.value.problems[0]
