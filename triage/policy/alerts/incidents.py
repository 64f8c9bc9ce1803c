"""Reads mails of Sentry and PagerDuty."""

import re
from typing import Final

from triage.domain.findings import Alert, AlertState
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_SHORT_ID: Final = re.compile(r"\b([A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)*-[0-9A-Z]{1,6})\b(?=\s+[-\u2013\u2014]|\s*:|$)")
_SENTRY_RESOLVED: Final = re.compile(
    r"\b(?:marked|has been marked|was marked)\b.{0,80}\b(?:as )?resolved\b|\bresolved (?:in|by)\b", re.IGNORECASE
)
_SENTRY_BACK: Final = re.compile(
    r"\bregression:|\bas (?:a )?regression\b|\bregressed\b|\b(?:seen|happened|occurred) again\b|\bas unresolved\b|\bre-?opened\b",
    re.IGNORECASE,
)
"""The issue is back, whoever resolved it before: a regression's mail tells that, too."""
_METRIC: Final = re.compile(r"\[(Critical|Warning|Resolved)\]\s*(.+)$", re.IGNORECASE)
_LEVEL: Final = re.compile(
    r"^(?:re:\s*)?(?:\[[^\]]+\]\s*)?(?:[\w.-]+\s+)?(FATAL|ERROR|WARNING|INFO|DEBUG):\s*(.+)$", re.IGNORECASE
)
_ANSWER: Final = re.compile(r"^(?:re:\s*)+", re.IGNORECASE)

_INCIDENT: Final = re.compile(r"\[?#(\d{1,9})\]?")
_PAGER_STATE: Final = re.compile(
    r"\b(triggered|acknowledged|resolved|escalated|reassigned|unacknowledged)\b", re.IGNORECASE
)
_STATUS: Final = re.compile(r"\[PagerDuty[^\]]{0,40}\]\s*\w+:\s*(?P<title>.+)$", re.IGNORECASE)
_COUNTED: Final = re.compile(r"\byou have \d+ ", re.IGNORECASE)
_TITLE: Final = re.compile(
    r"(?:incident\s*)?\[?#\d{1,9}\]?\W{0,3}(?:(?:triggered|acknowledged|resolved|escalated|reassigned)\b\W{0,4})?(?P<title>[^\n]{3,200})",
    re.IGNORECASE,
)


def sentry(mail: AlertMail) -> Alert | None:
    """Read a mail of Sentry: an issue by its short name, an older one by level and message, or a metric's alert."""
    fields = ("x-sentry-project", "x-sentry-logger", "x-sentry-reply-to", "x-sentry-logger-level")
    if not (any(map(mail.header, fields)) or mail.sent_by("sentry.io", "getsentry.com") or mail.named("sentry")):
        return None
    if metric := _METRIC.match(mail.subject):
        resolved = metric[1].lower() == "resolved"
        return alert("sentry", metric[2], state_of(resolved), severity_of("" if resolved else metric[1]))
    return _sentry_issue(mail, certain=any(map(mail.header, fields)))


def _sentry_issue(mail: AlertMail, *, certain: bool) -> Alert | None:
    """Read what a mail says of an issue; `certain`: the mail's headers prove that Sentry has sent it."""
    project = mail.header("x-sentry-project")
    whole = f"{mail.subject}\n{mail.text}"
    resolved = _SENTRY_RESOLVED.search(whole) and not _SENTRY_BACK.search(whole)
    short, level = _SHORT_ID.search(mail.subject), _LEVEL.match(mail.subject)
    severity = severity_of(mail.header("x-sentry-logger-level"), mail.field("level"), level[1] if level else "")
    title = short[1] if short else level[2] if level else ""
    if not title and not certain:
        return None
    title = title or _ANSWER.sub("", mail.subject)
    return alert("sentry", title if short or not project else f"{project}: {title}", state_of(resolved), severity)


def pagerduty(mail: AlertMail) -> Alert | None:
    """Read a mail of PagerDuty about an incident: by its title, which its number only dates."""
    if not (mail.sent_by("pagerduty.com") or mail.named("pagerduty")):
        return None
    state = _PAGER_STATE.search(mail.subject) or _PAGER_STATE.search(mail.field("status") or mail.text)
    about = _incident_title(mail)
    if state is None or not about:
        return None
    urgency = severity_of(mail.field("priority").split(" ")[0], mail.field("severity"), mail.field("urgency"))
    return alert(
        "pagerduty", about, AlertState.RESOLVED if state[1].lower() == "resolved" else AlertState.FIRING, urgency
    )


def _incident_title(mail: AlertMail) -> str:
    """Return the incident's title: a field of the text, or what stands behind its number."""
    if status := _STATUS.match(mail.subject):
        return status["title"]
    if title := mail.field("description", "incident title", "title", "incident name"):
        return title
    for text in ("" if _COUNTED.search(mail.subject) else mail.subject, mail.text):
        found = _TITLE.search(text)
        if found and _INCIDENT.search(found[0]):
            return found["title"].strip(" \"'")
    return ""
