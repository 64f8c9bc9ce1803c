"""Grafana before version 9 says OK."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="grafana",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("Gateway 5xx alert"),
    state=AlertState.RESOLVED,
    key="grafana:gateway 5xx alert",
)
