"""A run of GitHub Actions; the commit is no part of the key."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="github",
    severity=AlertSeverity.HIGH,
    object=Untrusted("harbour/labels: Release - main"),
    state=AlertState.FIRING,
    key="github:harbour/labels: release - main",
)
