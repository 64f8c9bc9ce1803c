"""The linear classifier: what a text's features are, what it answers, and how it is kept in a file."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import growth
from tests.training.model_files import write_classifier
from triage.domain.errors import SettingsInvalid
from triage.policy.classifiers.linear_classifier import (
    FeatureShape,
    LinearClassifier,
    features_of,
    linear_classifier,
    read_classifier,
    words_of,
)

WORDS = FeatureShape(buckets=1 << 12, pairs=False, longest=0)


def classifier(**worth: float) -> LinearClassifier:
    """A classifier that reads words as signs of `yes`, each as far as it is worth."""
    weights = np.zeros((WORDS.buckets, 2))
    for word, value in worth.items():
        (bucket,) = features_of((word,), WORDS).places
        weights[bucket] = (-value, value)
    return LinearClassifier(labels=("no", "yes"), shape=WORDS, weights=weights, bias=np.zeros(2))


def test_the_label_comes_with_probability() -> None:
    """The answer names the label and how probable it is."""
    model = classifier(broken=2.0, dark=0.5, thanks=-1.0)
    answer = model.classify("Thanks, the DARK theme is broken")

    assert answer.label == "yes"
    assert 0.5 < answer.probability < 1
    assert sum(answer.probabilities.values()) == pytest.approx(1)


def test_several_at_once_are_judged_alike() -> None:
    """Texts that are judged together get the labels and, as far as anyone can see, the probabilities that each gets alone."""
    texts = ("The export is broken again.", "", "Please add a column.", "Wie bekomme ich Zugang zum Lager?")
    for model in (classifier(broken=2.0), linear_classifier("request_type")):
        for text, together in zip(texts, model.classify_all(texts), strict=True):
            alone = model.classify(text)

            assert together.label == alone.label
            assert together.probability == pytest.approx(alone.probability, abs=1e-3)


def test_nothing_known_is_even() -> None:
    """Where no word is known, the labels are equally probable."""
    model = classifier(broken=2.0)
    answer = model.classify("")

    assert answer.probabilities == {"no": 0.5, "yes": 0.5}


def test_words_of_any_script() -> None:
    """Case, accents and numbers are folded; scripts without blanks give pairs of characters."""
    assert words_of("Größe 12,5 l'écran a1") == ["grosse", "0", "0", "l'ecran", "a", "0"]
    assert words_of("画面が白") == ["画面", "面か", "か白"]
    assert words_of("a" * 100) == ["a" * 40]
    assert words_of("Order 4711\nPay $5", bare=True) == ["order", "pay", "xmoney"]


def test_features_see_parts_and_neighbours() -> None:
    """Inflected words share features, and so do equal neighbours; each alone can be switched off."""
    whole = FeatureShape(buckets=1 << 20)
    one, other = features_of(["drucker"], whole), features_of(["druckern"], whole)

    assert len(np.intersect1d(one.places, other.places)) > 5
    assert len(features_of(["a", "b"], FeatureShape(longest=0)).places) == 3
    assert len(features_of(["a", "b"], WORDS).places) == 2
    assert len(features_of([], whole).places) == 0


def test_a_repeated_word_counts_by_its_logarithm() -> None:
    """A word that stands three times counts 2.1 times one that stands once, and ten times as much as a hundred."""
    (one, thrice), often = (sorted(features_of(text.split(), WORDS).values) for text in ("a b b b", "a " * 100))

    assert thrice / one == pytest.approx(2.1)
    assert one**2 + thrice**2 == pytest.approx(1)
    assert often == sorted(features_of(["a"] * 10, WORDS).values)


def test_a_file_keeps_the_classifier(tmp_path: Path) -> None:
    """A classifier that is written and read answers alike; a missing one is told with the cure."""
    told = classifier(broken=2.0, thanks=-1.0)
    write_classifier(tmp_path / "m.npz", told, {"trained_on": "3 texts"})

    assert read_classifier(tmp_path / "m.npz").classify("broken, thanks") == told.classify("broken, thanks")
    with pytest.raises(SettingsInvalid, match="install Triage again"):
        linear_classifier("no-such-model")


@pytest.mark.parametrize("piece", ["a", "a ", "画", "broken 1 ", "é'"])
def test_no_text_makes_it_slow(piece: str) -> None:
    """A longer text costs no more than it is longer."""
    model = classifier(broken=1.0)

    assert growth(lambda size: model.classify(piece * (size // len(piece))), 50_000) < 3


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    """Whatever is written, there is one label with a probability."""
    answer = classifier(broken=1.0).classify(text)

    assert 0.5 <= answer.probability <= 1
