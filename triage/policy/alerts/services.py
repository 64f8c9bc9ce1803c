"""Reads mails of status pages, CloudWatch, UptimeRobot, Jenkins, and of a team's own scripts that write as monitors do."""

import re
from typing import Final

from triage.domain.findings import Alert, AlertSeverity
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_CLOUDWATCH: Final = re.compile(r"(?P<state>ALARM|OK|INSUFFICIENT_DATA): \"(?P<name>[^\"]+)\" in (?P<region>.+)$")
_UPTIME: Final = re.compile(r"(?:\W{0,4})Monitor is (?P<state>DOWN|UP): (?P<name>.+)$", re.IGNORECASE)
_JENKINS: Final = re.compile(
    r"(?:(?P<bad>Build (?:failed|still failing|is unstable|still unstable)) in Jenkins|"
    r"Jenkins build (?:is|became) (?:(?P<good>back to (?:normal|stable))|(?P<unstable>unstable|still unstable)))"
    r"\s*:\s*(?P<name>.+?)(?:\s+#\d+)?$",
    re.IGNORECASE,
)

_PAGE: Final = re.compile(
    r"(?:\[[^\]]{1,60}\]\s*)??(?:\[(?P<state>\w+)\]\s*:?|(?P<word>\w+)\s*:)\s*(?P<name>\S.*)$", re.IGNORECASE
)
_UPDATE: Final = re.compile(
    r"^\W{0,4}(?:investigating|identified|monitoring|update|resolved|completed)\s+[-\u2013\u2014]\s",
    re.IGNORECASE | re.MULTILINE,
)
_PAGE_STATES: Final = {
    **dict.fromkeys(("investigating", "identified", "monitoring", "update"), False),
    **dict.fromkeys(("resolved", "completed"), True),
}
"""States of an incident on a status page, and whether it is over."""
_BRACKETED: Final = re.compile(
    r"\W{0,4}[\[(](?P<word>warn(?:ing)?|crit(?:ical)?|alert|alarm|firing|error|fatal|down|problem|p[1-4]|ok|up|resolved|recover(?:ed|y))"
    r"[\])]\s*:?\s*(?P<name>.+)$",
    re.IGNORECASE,
)
_GOOD: Final = frozenset({"ok", "up", "resolved", "recovered", "recovery"})
_WHERE: Final = ("host", "hostname", "server", "instance", "node", "device", "pod", "cluster", "service", "target")
_MEASURED: Final = frozenset(
    {
        *("metric", "value", "current", "threshold", "usage", "used", "state", "status"),
        *(
            *("severity", "check", "duration", "since", "trigger", "expression", "load", "latency"),
            *("limit", "growth", "mount"),
        ),
    }
)
LEAST_MEASURED: Final = 2
"""Fields about a measurement by which a text is a monitor's; a person's report has a version or steps."""


def statuspage(mail: AlertMail) -> Alert | None:
    """Read an update about an incident of somebody else's service, as its status page sends it to subscribers."""
    found = _PAGE.match(mail.subject)
    over = _PAGE_STATES.get((found["state"] or found["word"]).lower()) if found else None
    subscribed = mail.named("status") or "status page" in mail.text.lower()
    if found is None or over is None or not subscribed or not _UPDATE.search(mail.text):
        return None
    return alert("statuspage", found["name"], state_of(over))


def cloudwatch(mail: AlertMail) -> Alert | None:
    """Read a message of an alarm of Amazon CloudWatch, as its notification service sends it."""
    found = _CLOUDWATCH.match(mail.subject)
    if found is None or "cloudwatch" not in mail.text.lower():
        return None
    severity = AlertSeverity.WARNING if found["state"] == "INSUFFICIENT_DATA" else AlertSeverity.UNKNOWN
    return alert("cloudwatch", f"{found['name']} in {found['region']}", state_of(found["state"] == "OK"), severity)


def uptimerobot(mail: AlertMail) -> Alert | None:
    """Read a message of UptimeRobot about a monitor that is down, or up again."""
    found = _UPTIME.match(mail.subject)
    if found is None or not (mail.named("uptimerobot") or "uptimerobot" in mail.text.lower()):
        return None
    down = found["state"].upper() == "DOWN"
    return alert(
        "uptimerobot", found["name"], state_of(not down), AlertSeverity.HIGH if down else AlertSeverity.UNKNOWN
    )


def jenkins(mail: AlertMail) -> Alert | None:
    """Read a message of Jenkins about a build that fails, is unstable, or is well again; all builds of a job are one object."""
    found = _JENKINS.match(mail.subject)
    return alert("jenkins", found["name"], state_of(found["good"])) if found else None


def own_monitor(mail: AlertMail) -> Alert | None:
    """Read a message of a script: its subject begins with a severity in brackets, and its text is fields about a measurement."""
    found = _BRACKETED.match(mail.subject)
    host = mail.field(*_WHERE) if found else ""
    if found is None or not host or len(_MEASURED & mail.fields.keys()) < LEAST_MEASURED:
        return None
    word = found["word"].lower()
    return alert("monitor", f"{host}/{found['name']}", state_of(word in _GOOD), severity_of(word))
