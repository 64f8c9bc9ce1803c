"""It is fixed."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="gitlab",
    severity=AlertSeverity.HIGH,
    object=Untrusted("harbour/tracking: pipeline (main)"),
    state=AlertState.RESOLVED,
    key="gitlab:harbour/tracking: pipeline (main)",
)
