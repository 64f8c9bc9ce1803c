"""A problem of Zabbix; the measured value is no part of the key."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="zabbix",
    severity=AlertSeverity.WARNING,
    object=Untrusted("quay-app4: High memory use (93.4 %)"),
    state=AlertState.FIRING,
    key="zabbix:quay-app4: high memory use (#)",
)
