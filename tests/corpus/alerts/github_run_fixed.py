"""The next run of it succeeds."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="github",
    severity=AlertSeverity.HIGH,
    object=Untrusted("harbour/labels: Release - main"),
    state=AlertState.RESOLVED,
    key="github:harbour/labels: release - main",
)
