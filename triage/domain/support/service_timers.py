"""The SLA timer of a customer request in a service project."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceTimer:
    """One SLA of one request, as Jira counts it by its own calendar."""

    name: str
    """`Time to first response`, or what the project's admins have called it."""
    running: bool
    """False once it has been met or missed for good."""
    paused: bool = False
    """Jira counts no time, mostly because it is the customer's turn."""
    breaches_at: datetime | None = None
    """When it is too late, if it goes on running."""
