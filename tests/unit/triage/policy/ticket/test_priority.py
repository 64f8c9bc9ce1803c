"""Which of two priorities of a project is higher."""

from triage.policy.ticket.priority import above


def test_which_priority_is_above_another() -> None:
    """By the project's order, whatever the case of letters; what the project does not know is above nothing."""
    names = ("Highest", "High", "Medium")

    assert above("high", "Medium", names)
    assert above("Medium", "", names)
    assert not above("Medium", "Medium", names)
    assert not above("Medium", "HIGH", names)
    assert not above("Blocker", "Medium", names)
