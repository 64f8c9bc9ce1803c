"""A closed issue of GitLab."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="gitlab",
    severity=AlertSeverity.UNKNOWN,
    object=Untrusted("harbour/tracking#45"),
    state=AlertState.RESOLVED,
    key="gitlab:harbour/tracking#45",
)
