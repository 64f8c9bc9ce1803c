"""Grafana's alerting of today, with its folder in the group's name."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="grafana",
    severity=AlertSeverity.WARNING,
    object=Untrusted("Label printing is slow Carriers"),
    state=AlertState.FIRING,
    key="grafana:label printing is slow carriers",
)
