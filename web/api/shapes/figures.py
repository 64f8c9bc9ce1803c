"""Figures, mailboxes, floods and rights as JSON."""

from datetime import date, datetime

from pydantic import Field

from web.api.shapes.parts import Asked, Part


class StatsQuery(Asked):
    """How far back the figures reach."""

    days: int = Field(30, ge=1, le=366)


class ThrottleQuery(Asked):
    """How many floods."""

    limit: int = Field(50, ge=1, le=200)


class DayShape(Part):
    """Mails of one day (UTC)."""

    day: date
    mails: int


class SpentShape(Part):
    """What one model cost on one day (UTC) for one profile."""

    day: date
    profile: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int = Field(description="Answers among them that used tokens at an unknown price.")


class BudgetShape(Part):
    """What models have cost this month (UTC), and the cap."""

    month: str = Field(examples=["2026-11"])
    spent_usd: float
    cap_usd: float | None = Field(description="MAX_COST_PER_MONTH; null: none.")
    unpriced: int
    resets_at: datetime
    used_up: bool


class StatsShape(Part):
    """Figures of the installation."""

    counts: dict[str, int] = Field(examples=[{"ticketed": 41, "waiting": 2}], description="Cases by state.")
    days: list[DayShape]
    spending: list[SpentShape]
    budget: BudgetShape
    approvals_open: int
    mailboxes_in_trouble: int


class MailboxShape(Part):
    """A watched mailbox."""

    name: str
    state: str = Field(examples=["idle"])
    changed_at: datetime
    complete_at: datetime = Field(description="When all mails were last fetched.")
    missing: int = Field(description="Mails on the server that should be in the store and are not.")
    trouble: str


class ThrottleShape(Part):
    """Mails that one rate limit holds and one ticket collects."""

    group: str
    ticket: str
    held: int
    reported: int
    since: datetime
    until: datetime
    newest: str = Field(description="Subject of the latest mail.")
    case: str
    due: datetime | None


class PermissionShape(Part):
    """What one agent may do with one tool, by the standing of the sender."""

    agent: str
    tool: str
    deed: str
    rights: dict[str, str] = Field(examples=[{"verified participant": "yes", "failed": "no"}])
