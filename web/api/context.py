"""The services that the API asks, and its limits."""

from dataclasses import dataclass

from triage.services.case_reports import CaseReports
from triage.services.operations.tokens import TokenService


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiContext:
    """Built by `cli/wiring/api.py`."""

    tokens: TokenService
    reports: CaseReports
    requests_per_minute: int
    """Requests that one token may make; each process counts its own."""
