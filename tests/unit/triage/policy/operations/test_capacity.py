"""The capacity model: what grows with the mails, which limit is named, what fits."""

import math

import pytest

from triage.policy.operations.capacity import Ceilings, Costs, most_mails, needs_of

RULES = Costs(processor=0.1, jira=4, jira_seconds=0.3, storage=40_000)
MODEL = Costs(processor=0.1, jira=4, jira_seconds=0.3, calls=2, call_seconds=3, tokens=5000)
CEILINGS = Ceilings(jira=50, calls=600, peak=0.1)


def test_a_quiet_team() -> None:
    """A thousand mails a day are nothing: one process, mostly idle."""
    needs = needs_of(1000, RULES, CEILINGS, cores=1)

    assert needs.peak == pytest.approx(100 / 3600)
    assert (needs.workers, needs.first) == (1, "processor")
    assert needs.cores < 0.01
    assert needs.storage == pytest.approx(14.6e9)
    assert (needs.calls, needs.tokens) == (0, 0)


def test_all_grows_alike() -> None:
    """Ten times the mails need ten times of everything, but for whole processes."""
    small, large = (needs_of(mails, MODEL, CEILINGS, cores=4) for mails in (50_000, 500_000))

    for name in ("peak", "cores", "in_hand", "jira", "calls", "tokens", "reached"):
        assert getattr(large, name) == pytest.approx(10 * getattr(small, name))


@pytest.mark.parametrize(
    ("costs", "cores", "first"), [(RULES, 0.5, "processor"), (RULES, 1000, "jira"), (MODEL, 1000, "model")]
)
def test_the_first_limit(costs: Costs, cores: float, first: str) -> None:
    """The limit of which most is used is named."""
    assert needs_of(100_000, costs, CEILINGS, cores).first == first


def test_hands_for_those_who_wait() -> None:
    """Processes are counted for the hands, too: a mail that waits for a model needs a hand and no core."""
    needs = needs_of(100_000, MODEL, CEILINGS, cores=1)

    assert needs.in_hand == pytest.approx(needs.peak * 7.3)
    assert needs.workers == math.ceil(needs.in_hand / 0.7 / 4) > needs.cores


def test_most_mails() -> None:
    """What Jira and the model allow is the most, whatever is bought."""
    assert most_mails(RULES, CEILINGS) == pytest.approx(50 * 36_000)
    assert most_mails(MODEL, CEILINGS) == pytest.approx(5 * 36_000)
    assert needs_of(most_mails(MODEL, CEILINGS), MODEL, CEILINGS, 1e9).reached == pytest.approx(1)
