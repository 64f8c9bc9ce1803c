"""Reads mails of Nagios (with Icinga and Naemon), Zabbix and Datadog."""

import re
from typing import Final

from triage.domain.findings import Alert, AlertSeverity
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_NAGIOS_SUBJECT: Final = re.compile(
    r"\W{0,4}(?P<type>PROBLEM|RECOVERY|ACKNOWLEDGE(?:MENT|D)|FLAPPING\w*|DOWNTIME\w*|CUSTOM)\W{1,4}"
    r"(?:(?:Host|Service)(?: Alert)?:?\s+)?(?P<about>.*?)(?:\s+(?:is|are)\s+(?P<state>[A-Z]\w+))?\W*$"
)
_NAGIOS_TEXT: Final = re.compile(
    r"\*{3,}\s*(?:Nagios|Icinga|Naemon|Host|Service)\b|^[^\S\n]*Notification Type[^\S\n]*:|\bis (?:DOWN|UP|CRITICAL|WARNING|OK|UNKNOWN)!",
    re.IGNORECASE | re.MULTILINE,
)
_ON: Final = re.compile(r"(?P<service>.+) on (?P<host>\S+)$")

_ZABBIX_SUBJECT: Final = re.compile(
    r"(?P<type>Problem|Resolved|Updated problem|PROBLEM|OK|RESOLVED)(?: in [\d a-z]+)?:\s*(?P<name>.+)$"
)
_ZABBIX_TEXT: Final = re.compile(
    r"^[^\w\n]*(?:Original problem ID|Problem name|Trigger(?: status| severity)?|Problem started at|Problem has been resolved)\b",
    re.IGNORECASE | re.MULTILINE,
)

_DATADOG_SUBJECT: Final = re.compile(
    r"(?:\[Monitor Alert\]\s*)?(?P<open>\[)?(?P<type>Re-?Triggered|Triggered|Recovered|Warn(?:ing)?|No Data|Alert|OK|Renotify)"
    r"(?: on (?P<on>[^\]]*?))?(?(open)\]|:)\s*(?:\[(?P<priority>P[1-5])\]\s*)?(?P<name>.+)$",
    re.IGNORECASE,
)
_DATADOG_TEXT: Final = re.compile(r"\bdatadog(?:hq)?\b", re.IGNORECASE)
_STATES: Final = {
    "triggered": AlertSeverity.HIGH,
    "retriggered": AlertSeverity.HIGH,
    "alert": AlertSeverity.HIGH,
    "no data": AlertSeverity.HIGH,
}


def nagios(mail: AlertMail) -> Alert | None:
    """Read a notification of Nagios or one of its descendants; the fields of the text name host and service."""
    found = _NAGIOS_SUBJECT.match(mail.subject)
    if found is None or not (_NAGIOS_TEXT.search(mail.text) or mail.header("x-nagios-notification")):
        return None
    host, service = mail.field("host", "hostname"), mail.field("service", "service name")
    about = f"{host}/{service}" if host and service else host or _slashed(found["about"])
    state = (mail.field("state") or found["state"] or "").split("(")[0]
    good = found["type"] == "RECOVERY" or state.strip().upper() in {"OK", "UP"}
    return alert("nagios", about, state_of(good), severity_of(state))


def _slashed(about: str) -> str:
    """Write `HTTP on web01` as `web01/HTTP`, as the fields of the text do."""
    found = _ON.match(about)
    return f"{found['host']}/{found['service']}" if found else about


def zabbix(mail: AlertMail) -> Alert | None:
    """Read a message of Zabbix: of version 4.4 and later, or of the older `PROBLEM: name`."""
    found = _ZABBIX_SUBJECT.match(mail.subject)
    if found is None or not _ZABBIX_TEXT.search(mail.text):
        return None
    host, name = mail.field("host", "trigger host"), mail.field("problem name", "trigger") or found["name"]
    status = mail.field("trigger status", "status").upper()
    good = found["type"].upper() in {"RESOLVED", "OK"} or status in {"OK", "RESOLVED"}
    severity = severity_of(mail.field("severity", "trigger severity"))
    return alert("zabbix", f"{host}: {name}" if host else name, state_of(good), severity)


def datadog(mail: AlertMail) -> Alert | None:
    """Read a monitor's message of Datadog."""
    found = _DATADOG_SUBJECT.match(mail.subject)
    known = mail.sent_by("datadoghq.com", "datadoghq.eu", "dtdg.co", "ddog-gov.com") or mail.named("datadog")
    if found is None or not (known or _DATADOG_TEXT.search(mail.text)):
        return None
    state, on = found["type"].lower(), (found["on"] or "").strip("{}")
    warned = state.startswith("warn") or on.lower() in {"warn", "warning"}
    worst = AlertSeverity.WARNING if warned else _STATES.get(state.rpartition("re-")[2], AlertSeverity.UNKNOWN)
    severity = severity_of(found["priority"] or "")
    severity = worst if severity is AlertSeverity.UNKNOWN else severity
    about = found["name"] if warned or not on or on in found["name"] else f"{found['name']} on {on}"
    return alert("datadog", about, state_of(state in {"recovered", "ok"}), severity)
