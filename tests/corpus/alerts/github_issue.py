"""A new issue."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="github",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("harbour/labels#212"),
    state=AlertState.FIRING,
    key="github:harbour/labels#212",
)
