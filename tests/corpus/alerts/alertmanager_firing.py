"""Alertmanager's own template: the group's name stands before the labels."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted

EXPECTED = Alert(
    source="alertmanager",
    severity=AlertSeverity.CRITICAL,
    object=Untrusted("QueueBacklog quay"),
    state=AlertState.FIRING,
    key="alertmanager:queuebacklog quay",
)
