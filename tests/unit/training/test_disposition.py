"""The training data of the dispositions, and that the shipped model is made of it."""

import hashlib
from collections import Counter

from tests.training.disposition import LABELS, MAILS, chosen, examples
from triage.config.model_files import FOLDER

SHA256 = "4bdd61bba792c1f2b5fa42a3070839d01e8ab8af173842b45d45c1d5e720c801"
"""Of the shipped model: `python -m tests.training.disposition` makes it again after each change of the examples."""


def test_what_it_is_trained_with() -> None:
    """At least 300 unwanted mails and as many for us, in at least ten languages."""
    found = Counter(example.label for example in examples())
    texts = Counter(
        label for path in MAILS.glob("*.txt") for label in LABELS for _ in _texts(path.read_text("utf-8"), label)
    )

    assert set(found) == set(LABELS)
    assert texts["spam"] >= 300
    assert texts["mail"] >= 300
    assert len({path.stem[:2] for path in MAILS.glob("??.txt")}) >= 10


def _texts(text: str, label: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"{label}: ")]


def test_alternatives() -> None:
    """One of the words at each place, by the number of the example."""
    assert [chosen("a {b|c} {d|e|f}", number) for number in range(3)] == ["a b d", "a c e", "a b f"]


def test_the_shipped_model() -> None:
    """It is the one that was measured."""
    assert hashlib.sha256((FOLDER / "disposition.npz").read_bytes()).hexdigest() == SHA256
