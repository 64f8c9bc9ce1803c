"""PagerDuty counts incidents in the subject; the description names the matter."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="pagerduty",
    severity=AlertSeverity.HIGH,
    object=Untrusted("Error rate of label API above 5 %"),
    state=AlertState.FIRING,
    key="pagerduty:error rate of label api above #",
)
