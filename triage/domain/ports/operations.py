"""The store, as those who run Triage and connect programs to it need it: tokens, audit."""

from datetime import datetime
from typing import Protocol

from triage.domain.operations.audit import AuditFilter, CallAudit, CaseEvent, DayCount, RunAudit, Spent
from triage.domain.operations.tokens import ApiToken


class TokenStore(Protocol):
    """Access tokens of the HTTP API, by their hash; called by the token service alone. Raises `StoreDown`."""

    async def add(self, token: ApiToken, digest: str) -> ApiToken:
        """Store a new token by the hex SHA-256 of its text; return it with its id."""

    async def find(self, digest: str) -> ApiToken | None:
        """The token with this hash, valid or not."""

    async def tokens(self) -> tuple[ApiToken, ...]:
        """All tokens, in the order in which they were made."""

    async def usable(self, now: datetime) -> bool:
        """Whether there is a token that is neither revoked nor expired."""

    async def revoke(self, token: int, at: datetime) -> ApiToken | None:
        """Revoke a token and return it; one that is revoked already stays as it is. None: there is none."""

    async def used(self, token: int, at: datetime) -> None:
        """Record when it was last used."""


class AuditLog(Protocol):
    """Reads what agents and models did and cost; called by the services of audit, stats, spending and events. Raises `StoreDown`."""

    async def runs(self, where: AuditFilter, limit: int) -> tuple[RunAudit, ...]:
        """Runs of agents, newest first."""

    async def calls(self, where: AuditFilter, limit: int) -> tuple[CallAudit, ...]:
        """Answers of models, newest first."""

    async def events(self, where: AuditFilter, limit: int) -> tuple[CaseEvent, ...]:
        """Events of cases, newest first; none where a profile is asked for."""

    async def events_after(self, number: int, until: datetime, limit: int) -> tuple[CaseEvent, ...]:
        """Events with a higher number that were written before `until`, in order."""

    async def last_event(self) -> int:
        """Number of the newest event, 0 if there is none."""

    async def spending(self, where: AuditFilter) -> tuple[Spent, ...]:
        """Sums by day (UTC), profile and model, newest day first; the playbook is no model."""

    async def spent(self, since: datetime) -> tuple[float, int]:
        """USD of all answers since then, and how many of them have tokens but no price."""

    async def mails_by_day(self, since: datetime) -> tuple[DayCount, ...]:
        """Accepted mails by day (UTC) since then, newest day first."""
