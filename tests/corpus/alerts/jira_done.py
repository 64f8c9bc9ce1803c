"""The same issue, done."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="jira",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("PORT-88"),
    state=AlertState.RESOLVED,
    key="jira:port-88",
)
