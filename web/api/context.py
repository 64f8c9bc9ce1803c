"""The services that the API asks, and its limits."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from triage.services.approvals import ApprovalService
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService
from triage.services.health import HealthService
from triage.services.operations.agents import Permission
from triage.services.operations.audit import AuditService
from triage.services.operations.events import EventFeed
from triage.services.operations.stats import StatsService
from triage.services.operations.tokens import TokenService
from triage.services.operations.webhooks import WebhookService


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiContext:
    """Built by `cli/wiring/operations.py`."""

    tokens: TokenService
    reports: CaseReports
    cases: CaseService
    approvals: ApprovalService | None
    """None: Jira is not set, so that nothing can be decided."""
    notify: Callable[[str], Awaitable[None]]
    """Wakes a worker for a case."""
    health: HealthService
    stats: StatsService
    audit: AuditService
    permissions: tuple[Permission, ...]
    events: EventFeed
    webhooks: WebhookService
    stop: asyncio.Event
    """Set when the service ends: streams end with it."""
    requests_per_minute: int
    """Requests that one token may make; each process counts its own."""
