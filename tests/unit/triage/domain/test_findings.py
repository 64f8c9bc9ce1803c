"""How an alert tells itself."""

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.untrusted import Untrusted


def alert(severity: AlertSeverity) -> Alert:
    """An alert about a host."""
    return Alert(
        source="nagios", severity=severity, object=Untrusted("web1"), state=AlertState.FIRING, key="nagios:web1"
    )


def test_an_alert_tells_itself_without_words_of_the_mail() -> None:
    """What reports show of it is the program, the state and the severity, if it has one."""
    assert f"{alert(AlertSeverity.WARNING)}" == "nagios: firing, warning"
    assert f"{alert(AlertSeverity.UNKNOWN)}" == "nagios: firing"
