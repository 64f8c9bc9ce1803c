"""A notice of another company's Jira."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="jira",
    severity=AlertSeverity.HIGH,
    object=Untrusted("PORT-88"),
    state=AlertState.FIRING,
    key="jira:port-88",
)
