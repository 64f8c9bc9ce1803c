"""Its end."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="zabbix",
    severity=AlertSeverity.WARNING,
    object=Untrusted("quay-app4: High memory use (96.0 %)"),
    state=AlertState.RESOLVED,
    key="zabbix:quay-app4: high memory use (#)",
)
