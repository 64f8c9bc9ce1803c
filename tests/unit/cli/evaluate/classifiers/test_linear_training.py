"""Training of linear classifiers: it learns, it is reproducible, and its probabilities hold on unseen texts."""

from pathlib import Path

import numpy as np

from cli.evaluate.classifiers.linear_training import Options, TextExample, accuracy, cross_validated, macro_f1, train
from tests.training.model_files import write_classifier
from triage.policy.classifiers.linear_classifier import FeatureShape, read_classifier

THINGS = ("printer", "invoice", "calendar", "door", "screen", "badge", "report", "scanner", "ledger", "phone")
BROKEN = ("the {} is broken", "the {} crashes", "my {} does not work", "an error in the {}")
WANTED = ("we would like a new {}", "please order a {}", "could we have another {}", "a {} for our team, please")
EXAMPLES = [
    TextExample(form.format(thing), label, thing)
    for thing in THINGS
    for label, forms in (("bug", BROKEN), ("request", WANTED))
    for form in forms
]
OPTIONS = Options(shape=FeatureShape(buckets=1 << 12))


def test_it_learns_what_tells_labels_apart() -> None:
    """A thing that was never seen is judged by the words around it."""
    model = train(EXAMPLES, OPTIONS)
    answer = model.classify("The elevator does not work")

    assert answer.label == "bug"
    assert answer.probability > 0.8


def test_the_same_examples_give_the_same_file(tmp_path: Path) -> None:
    """Training draws no lots."""
    for name in ("one.npz", "two.npz"):
        write_classifier(tmp_path / name, train(EXAMPLES, OPTIONS), {})

    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert read_classifier(tmp_path / "one.npz").classify("it crashes").label == "bug"


def test_folds_are_held_out_by_group() -> None:
    """Each example is answered by a model that saw nothing of its group."""
    answers = cross_validated(EXAMPLES, OPTIONS)

    assert answers == [example.label for example in EXAMPLES]


def test_noise_makes_probabilities_modest() -> None:
    """Where labels do not depend on the text, no answer is sure of itself."""
    draw = np.random.default_rng(1)
    noise = [
        TextExample(f"{draw.integers(9)} {THINGS[draw.integers(10)]}", str(draw.integers(2)), str(n)) for n in range(80)
    ]

    assert train(noise, OPTIONS).classify("the printer").probability < 0.75


def test_rare_labels_count_as_much() -> None:
    """One label in twenty is still found, unless the frequencies are asked for."""
    many = [example for example in EXAMPLES if example.label == "bug"]
    few = [example for example in EXAMPLES if example.label == "request"][:2]

    assert train([*many, *few], OPTIONS).classify("please order a door").label == "request"


def test_one_group_alone_can_be_learnt() -> None:
    """Examples that all belong together leave nothing to hold out; the model is trained all the same."""
    together = [TextExample(example.text, example.label, "all") for example in EXAMPLES]

    assert train(together, Options(shape=OPTIONS.shape, balanced=False)).classify("it crashes").label == "bug"


PAIRS = [*[("a", "a")] * 9, ("b", "a")]


def test_rare_labels_count_as_much_as_frequent_ones() -> None:
    """Always saying the frequent one is accurate and worth little; labels that are not named count for nothing."""
    assert accuracy(PAIRS) == 0.9
    assert macro_f1(PAIRS, {"a", "b"}) == 0.4737
    assert macro_f1(PAIRS, {"a"}) == 0.9474
