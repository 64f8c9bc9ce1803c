"""Reads mails of status pages, CloudWatch, UptimeRobot and Jenkins."""

import re
from typing import Final

from triage.domain.findings import Alert, AlertSeverity
from triage.policy.alerts.mail import AlertMail, alert, state_of

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
