"""An issue of Sentry by its short name."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="sentry",
    severity=AlertSeverity.HIGH,
    object=Untrusted("LABEL-API-7QD"),
    state=AlertState.FIRING,
    key="sentry:label-api-7qd",
)
