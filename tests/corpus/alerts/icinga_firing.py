"""Icinga's form of the same."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="nagios",
    severity=AlertSeverity.WARNING,
    object=Untrusted("quay-web1/HTTP"),
    state=AlertState.FIRING,
    key="nagios:quay-web1/http",
)
