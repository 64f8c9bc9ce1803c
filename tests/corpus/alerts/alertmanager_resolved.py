"""The same group, resolved: other labels are shared now, the key is the same."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="alertmanager",
    severity=AlertSeverity.CRITICAL,
    object=Untrusted("QueueBacklog quay"),
    state=AlertState.RESOLVED,
    key="alertmanager:queuebacklog quay",
)
