"""Who should do it: the proposals on a real tracker in the order of time, against simple rules; and what they take."""

from pathlib import Path

import pytest

from cli.evaluate.backtest import measured

pytestmark = pytest.mark.bench

ASKED = 2_204
"""The last so many tickets that were fixed by somebody."""


@pytest.mark.timeout(900)
def test_the_right_person_is_named(shared_data: Path) -> None:
    """On a real tracker the first proposal is right far more often than the busiest person or the documents' rule."""
    tallies = measured(shared_data / "bugs-titanium" / "issues.jsonl.gz", "TIMOB", ASKED)
    print(f"\n{ASKED} tickets of TIMOB in the order of time{'':>10}top1    top3  ms (median)")
    for name, tally in tallies.items():
        print(f"{name:<42}{tally.figures['top1']:8.3f}{tally.figures['top3']:8.3f}{tally.figures['ms']:9.1f}")
    delivered, frequent = tallies["as delivered"], tallies["most frequent of 90 days"]

    assert delivered.asked == ASKED
    assert delivered.first / delivered.asked >= 0.45
    assert delivered.first > 2.5 * frequent.first
    assert tallies["as delivered, from closed tickets only"].first > 2 * frequent.first
    assert tallies["the documents' points alone"].first < 0.05 * delivered.first
