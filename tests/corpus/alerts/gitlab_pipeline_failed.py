"""A pipeline of GitLab."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="gitlab",
    severity=AlertSeverity.HIGH,
    object=Untrusted("harbour/tracking: pipeline (main)"),
    state=AlertState.FIRING,
    key="gitlab:harbour/tracking: pipeline (main)",
)
