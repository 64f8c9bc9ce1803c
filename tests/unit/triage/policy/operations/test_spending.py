"""The month by which spending is counted."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from triage.domain.operations.audit import Budget
from triage.policy.operations.spending import budget_notice, month_of


@pytest.mark.parametrize(
    ("now", "month", "begin", "end"),
    [
        (datetime(2026, 11, 22, 11, 0, tzinfo=UTC), "2026-11", (2026, 11), (2026, 12)),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), "2026-12", (2026, 12), (2027, 1)),
        # 1 December in Tokyo is still November in UTC.
        (datetime(2026, 12, 1, 8, 59, tzinfo=timezone(timedelta(hours=9))), "2026-11", (2026, 11), (2026, 12)),
    ],
)
def test_a_month_is_one_of_the_calendar(
    now: datetime, month: str, begin: tuple[int, int], end: tuple[int, int]
) -> None:
    """It begins at midnight of its first day in UTC and ends where the next one begins."""
    assert month_of(now) == (month, datetime(*begin, 1, tzinfo=UTC), datetime(*end, 1, tzinfo=UTC))


def test_what_people_hear() -> None:
    """Both sums, what happens now, the cure; the same key all month, so that it is told once."""
    budget = Budget(month="2026-11", spent_usd=50.004, cap_usd=50, resets_at=datetime(2026, 12, 1, tzinfo=UTC))
    told = budget_notice(budget)

    assert budget.used_up
    assert "50.00 USD in 2026-11" in told.text
    assert "MAX_COST_PER_MONTH" in told.cure
    assert told.key == "budget-2026-11"
