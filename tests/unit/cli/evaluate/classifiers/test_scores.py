"""Scores of classifiers: what `triage eval classify` and `intents` count alike."""

from cli.evaluate.classifiers.scores import accuracy, macro_f1

PAIRS = [*[("a", "a")] * 9, ("b", "a")]


def test_rare_labels_count_as_much_as_frequent_ones() -> None:
    """Always saying the frequent one is accurate and worth little; labels that are not named count for nothing."""
    assert accuracy(PAIRS) == 0.9
    assert macro_f1(PAIRS, {"a", "b"}) == 0.4737
    assert macro_f1(PAIRS, {"a"}) == 0.9474
