"""The classifier that learns categories from examples."""

from pathlib import Path

import pytest

from tests.training.model_files import write_intents
from triage.domain.errors import SettingsInvalid
from triage.policy.intents import classifier as module
from triage.policy.intents.classifier import read_intents, train
from triage.policy.intents.features import Sample

MANY = [(f"{word} {number}", word) for number in "abcdefghijklm" for word in ("apple", "iron", "rain")]
CLASSIFIER = train([Sample(text) for text, _ in MANY], [label for _, label in MANY])


def test_a_text_like_the_examples_is_known() -> None:
    """It has the right label and a probability that says so."""
    found = CLASSIFIER.judge([Sample("iron b")])[0]

    assert (found.label, found.known) == ("iron", True)
    assert found.probability > 0.8


def test_a_text_like_no_example_is_not_known() -> None:
    """Its best score is lower than nearly all of those that were held out."""
    assert not CLASSIFIER.judge([Sample("zebra")])[0].known


def test_evidence_is_the_words_that_speak_for_the_label() -> None:
    """The strongest first; words that speak against it are none."""
    assert CLASSIFIER.evidence(Sample("rain 12 iron"), "iron") == ("iron",)


def test_a_category_with_few_examples_is_learnt_without_calibration() -> None:
    """Where no fold has all categories, nothing is held out and every text is known."""
    found = train([Sample("one"), Sample("two")], ["a", "b"], ["same", "same"])

    assert found.sharpness == 1.0
    assert found.judge([Sample("zebra")])[0].known


def test_of_many_examples_one_fold_is_held_out() -> None:
    """A fifth tells enough, and the other four would take as long as the training itself."""
    labels = ["a", "b"] * module.MANY
    texts = [f"{label}{number}" for number, label in enumerate(labels)]

    assert len(list(module._folds(labels, texts))) == 1


def test_a_classifier_survives_its_file(tmp_path: Path) -> None:
    """Weights lose digits, judgements do not."""
    write_intents(tmp_path / "one.npz", CLASSIFIER, {"what": "a test"})
    stored = read_intents(tmp_path / "one.npz")

    sample = Sample("apple c")
    assert stored.labels == CLASSIFIER.labels
    assert stored.judge([sample])[0].probability == pytest.approx(CLASSIFIER.judge([sample])[0].probability, abs=0.01)
    assert stored.judge([Sample("zebra")])[0].known is False


def test_a_file_that_is_no_classifier_is_refused(tmp_path: Path) -> None:
    """The error says what to do."""
    (tmp_path / "one.npz").write_bytes(b"nothing")

    with pytest.raises(SettingsInvalid, match="install Triage again"):
        read_intents(tmp_path / "one.npz")


def test_right_answers_may_be_missing() -> None:
    """Where all that was held out is judged wrongly, no floor is set."""
    found = train([Sample("x"), Sample("y"), Sample("x"), Sample("y")], ["a", "b", "b", "a"], ["1", "2", "3", "4"])

    assert found.labels == ("a", "b")
