"""The calendar month by which spending is counted, and what people hear when the cap is reached."""

from datetime import UTC, datetime
from typing import Final

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.operations.audit import Budget

DECEMBER: Final = 12


def month_of(now: datetime) -> tuple[str, datetime, datetime]:
    """Return the month as `2026-11`, its first moment and that of the next one, in UTC."""
    at = now.astimezone(UTC)
    begin = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    year, month = (at.year + 1, 1) if at.month == DECEMBER else (at.year, at.month + 1)
    return f"{begin:%Y-%m}", begin, begin.replace(year=year, month=month)


def budget_notice(budget: Budget) -> Notice:
    """Return what people hear once in a month whose budget is used up."""
    return Notice(
        kind=NoticeKind.BUDGET,
        severity=NoticeSeverity.FAILURE,
        text=f"Models have cost {budget.spent_usd:.2f} USD in {budget.month}, and {budget.cap_usd:.2f} USD are the cap: "
        "until the month ends (UTC) rules decide, and their tickets are marked for review.",
        cure="Raise MAX_COST_PER_MONTH and restart, or let it be; `triage audit` shows what cost so much.",
        key=f"budget-{budget.month}",
    )
