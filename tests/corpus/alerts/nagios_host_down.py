"""A host, which has no service."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="nagios",
    severity=AlertSeverity.CRITICAL,
    object=Untrusted("quay-db2"),
    state=AlertState.FIRING,
    key="nagios:quay-db2",
)
