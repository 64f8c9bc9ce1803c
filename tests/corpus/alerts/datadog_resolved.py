"""Its recovery."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="datadog",
    severity=AlertSeverity.HIGH,
    object=Untrusted("Tracking page is slow on service:tracking"),
    state=AlertState.RESOLVED,
    key="datadog:tracking page is slow on service:tracking",
)
