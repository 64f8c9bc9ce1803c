"""Somebody resolved it."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="sentry",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("LABEL-API-7QD"),
    state=AlertState.RESOLVED,
    key="sentry:label-api-7qd",
)
