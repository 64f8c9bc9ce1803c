"""When a sprint is full."""

from triage.domain.tickets import Sprint
from triage.domain.untrusted import Untrusted
from triage.policy.decision.sprints import full, usual_load


def sprint(state: str, tickets: int) -> Sprint:
    """One with so many tickets."""
    return Sprint(id=1, name=Untrusted("Sprint 1"), state=state, tickets=tickets)


def test_usual_is_what_closed_sprints_held() -> None:
    """On average, rounded up; running and future ones say nothing about it."""
    sprints = [sprint("active", 40), sprint("closed", 10), sprint("closed", 13), sprint("future", 0)]

    assert usual_load(sprints) == 12
    assert usual_load(sprints[:1]) is None


def test_full_is_as_much_as_usual() -> None:
    """One more would be more; where nothing is usual yet, nothing is full."""
    assert full(sprint("active", 12), 12)
    assert not full(sprint("active", 11), 12)
    assert not full(sprint("active", 500), None)
