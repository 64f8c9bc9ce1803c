"""A monitor of Datadog with a priority."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="datadog",
    severity=AlertSeverity.HIGH,
    object=Untrusted("Tracking page is slow on service:tracking"),
    state=AlertState.FIRING,
    key="datadog:tracking page is slow on service:tracking",
)
