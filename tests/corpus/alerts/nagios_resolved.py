"""Its recovery names the state OK, which is no severity."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="nagios",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("quay-db2/Disk /var"),
    state=AlertState.RESOLVED,
    key="nagios:quay-db2/disk /var",
)
