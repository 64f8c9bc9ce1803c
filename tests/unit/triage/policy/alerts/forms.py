"""What tests of alerts share: a mail in one line, and what comes out of it."""

from collections.abc import Mapping

from triage.domain.findings import AlertSeverity, AlertState
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.alerts.alert import alert_of

FIRING, RESOLVED = AlertState.FIRING, AlertState.RESOLVED
CRITICAL, HIGH, WARNING, INFO, UNKNOWN = (
    AlertSeverity.CRITICAL,
    AlertSeverity.HIGH,
    AlertSeverity.WARNING,
    AlertSeverity.INFO,
    AlertSeverity.UNKNOWN,
)
Told = tuple[str, AlertSeverity, str, AlertState]
Form = tuple[str, Mapping[str, str], str, str, Told | None]
"""Sender, header fields, subject, text; source, severity, object, state."""


def mail(sender: str, headers: Mapping[str, str], subject: str, text: str) -> Message:
    """A program's mail."""
    return Message(
        subject=Untrusted(subject),
        text=Untrusted(text),
        headers=tuple(headers.items()),
        sender=Address(address=sender) if sender else None,
    )


def told(form: Form) -> Told | None:
    """What is read of it."""
    found = alert_of(mail(*form[:4]))
    return (found.source, found.severity, found.object, found.state) if found else None
