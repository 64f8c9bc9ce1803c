"""Counting of right and wrong observations."""

from cli.evaluate.memory.figures import PrecisionRecall, rate


def test_nothing_found_is_no_error() -> None:
    """Where there is nothing to find, precision and recall are 1."""
    assert rate(0, 0, 0) == PrecisionRecall(0, 0, 0, 1.0, 1.0)
