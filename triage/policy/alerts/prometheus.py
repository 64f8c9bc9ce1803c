"""Reads mails of Alertmanager and Grafana, which share the form of the subject: `[FIRING:2] Name (labels)`."""

import re
from typing import Final

from triage.domain.findings import Alert
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_SUBJECT: Final = re.compile(
    r"(?:\[(?=[^\]]*\])|(?=(?:FIRING|RESOLVED):\s\D))(?P<state>FIRING|RESOLVED|Alerting|OK|No Data|Pending|Error)"
    r"(?::\s?\d+)?(?:,?\s*RESOLVED:\s?\d+)?[\]:]\s*"
    r"(?P<name>[^()]*?)\s*(?:\((?P<labels>.*?)\)?)?\s*$",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"\b(severity|priority)\s*[=:]\s*[\"']?([\w-]+)", re.IGNORECASE)
_TEMPLATE: Final = re.compile(
    r"\b(?:sent by|view in|source:?) (?:the )?alertmanager\b|\b\d+ alerts? for\b|^[^\w\n]*(?:alertname|alert name)\s*[=:]|"
    r"\bprometheus\b|/alertmanager\b|^[^\w\n]*labels[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_GRAFANA: Final = re.compile(r"\bgrafana\b|\bgrafana_folder\b", re.IGNORECASE)
_GOOD: Final = frozenset({"resolved", "ok"})


def grafana(mail: AlertMail) -> Alert | None:
    """Read an alert of Grafana, of today's alerting or of the older one."""
    found = _SUBJECT.match(mail.subject)
    if found is None or not (mail.named("grafana") or _GRAFANA.search(mail.text)):
        return None
    return _alert("grafana", mail, found)


def alertmanager(mail: AlertMail) -> Alert | None:
    """Read an alert of Prometheus' Alertmanager. Grafana's are read before."""
    found = _SUBJECT.match(mail.subject)
    if found is None or found["state"].lower() not in {"firing", "resolved"}:
        return None
    known = mail.named("alertmanager") or mail.named("prometheus") or _TEMPLATE.search(mail.text)
    if not known:
        return None
    return _alert("alertmanager", mail, found)


def _alert(source: str, mail: AlertMail, found: re.Match[str]) -> Alert | None:
    """The group's name stays the same in all its mails; the labels behind it are those that all its alerts share."""
    name = found["name"] or mail.field("alertname", "alert name", "rulename", "name")
    if not found["name"] and (instance := mail.field("instance", "host", "job")):
        name = f"{name} {instance}"
    named = _LABEL.search(f"{found['labels'] or ''}\n{mail.text}")
    bare = [word for word in (found["labels"] or "").split() if severity_of(word) is not severity_of()]
    severity = severity_of(named[2] if named else "", mail.field("severity", "priority"), *bare)
    return alert(source, name or (found["labels"] or ""), state_of(found["state"].lower() in _GOOD), severity)
