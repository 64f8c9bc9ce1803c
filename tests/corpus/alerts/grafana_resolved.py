"""The same rule, resolved."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="grafana",
    severity=AlertSeverity.WARNING,
    object=Untrusted("Label printing is slow Carriers"),
    state=AlertState.RESOLVED,
    key="grafana:label printing is slow carriers",
)
