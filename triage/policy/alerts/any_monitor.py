"""Reads mails of monitors that have no reader of their own: by their names, or by texts that are fields about a measurement."""

import re
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.findings import Alert, AlertSeverity
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_GOOD: Final = frozenset(
    {
        *("ok", "up", "resolved", "recovered", "recovery", "closed", "cleared", "normal", "restored", "inactive"),
        *("success", "successful", "succeeded", "passed", "healthy"),
    }
)
_BAD: Final = frozenset(
    {
        *("warn", "warning", "crit", "critical", "alert", "alarm", "firing", "fired", "triggered", "activated"),
        *("error", "fatal", "down", "unreachable", "problem", "fail", "failed", "failure", "degraded", "major"),
        *("disaster", "p1", "p2", "p3", "p4", "sev0", "sev1", "sev2", "sev3", "sev4"),
    }
)
_WORD: Final = re.compile(
    rf"(?<![\w/.-])(?:{'|'.join(sorted(_GOOD | _BAD, key=len, reverse=True))})(?![\w/.-]*[\w/-])", re.IGNORECASE
)
_PLAIN: Final = frozenset({"alert", "alarm", "error", "problem", "event", "normal", "up"})
"""Written small, words of everybody: `never miss an alert`."""
_CHANGE: Final = re.compile(r"\w+\s*(?:->|=>|\u2192|\u27a1)\s*(?=\w)")
"""From one state to the next: `WARN -> CRIT`."""
_BRACKET: Final = re.compile(r"[\[({]([^\])}]{0,60})[\])}]")
_EMPTY: Final = re.compile(
    r"[\[({]\W*[\])}]|^(?:issue|incident)(?:\s+is)?\s*:|^[\s_:|,;!.-]+"
    r"|(?:\s+(?:is|has|been|gone|went|back|are|was|on|created|opened|acknowledged))+$|[\s:|,;!\u2013\u2014-]+$",
    re.IGNORECASE,
)
"""What is left around the name of a thing when states are taken out."""
_STATES: Final = ("monitor condition", "status", "state", "event", "current state", "alarm state", "new state")
_SEVERITIES: Final = ("severity", "priority", "urgency")
_WHERE: Final = (
    *("host", "hostname", "host name", "server", "instance", "node", "device", "pod", "cluster", "target"),
    *("service", "monitor name", "monitor", "affected resource", "resource", "sensor", "backup job"),
)
_WHAT: Final = ("service", "check", "check name", "alarm", "alert name", "sensor", "monitor name", "backup job")
_MEASURED: Final = frozenset(
    {
        *("metric", "value", "current", "threshold", "usage", "used", "state", "status", "output", "info", "perfdata"),
        *("severity", "check", "check name", "duration", "since", "trigger", "expression", "load", "latency", "event"),
        *("limit", "growth", "mount", "monitor condition", "down for", "down since", "last ping", "last message"),
        *("occurrences", "condition", "alarm"),
    }
)
LEAST_MEASURED: Final = 2
"""Fields about a measurement by which a text is a monitor's; a person's report has a version or steps."""
_PRODUCTS: Final = lazy_pattern(
    lambda: rf"(?<!\w){word_lists().alternatives('sender.monitors', 'sender.monitor_names')}(?!\w)", re.IGNORECASE
)
"""Names that such programs and services write under."""
_MACHINE: Final = re.compile(r"(?:root|cron|noc|alerts?|monitor(?:ing)?|no-?reply|backup|admin)@")
_TIME: Final = re.compile(r"\b\d{1,2}:\d\d\b")


def any_monitor(mail: AlertMail) -> Alert | None:
    """Read a mail of a monitor whose form is not known: its subject says the state, its sender or its fields what it is."""
    words = [found[0] for found in _WORD.finditer(_CHANGE.sub("", mail.subject))]
    if not words or not (_is_measured(mail) or _is_named(mail)):
        return None
    field = _WORD.search(_CHANGE.sub("", mail.field(*_STATES)))
    state = (field[0] if field else _marked(words, mail.subject)).lower()
    if not state:
        return None
    severity = severity_of(mail.field(*_SEVERITIES))
    if severity is AlertSeverity.UNKNOWN:
        severity = AlertSeverity.HIGH if state == "down" else severity_of(state, *words)
    return alert("monitor", _about(mail), state_of(state in _GOOD), severity)


def _is_measured(mail: AlertMail) -> bool:
    """Tell whether the text is fields about a measurement somewhere."""
    return bool(mail.field(*_WHERE)) and len(_MEASURED & mail.fields.keys()) >= LEAST_MEASURED


def _is_named(mail: AlertMail) -> bool:
    """Tell whether sender, or an account of a machine and the subject, name such a program, and the text has a field or a time."""
    name = mail.message.sender.name if mail.message.sender else ""
    machine = _MACHINE.match(mail.address)
    named = _PRODUCTS.search(f"{mail.address} {name}") or (machine and _PRODUCTS.search(mail.subject))
    return bool(named) and bool(_TIME.search(mail.text) or {*_MEASURED, *_WHERE} & mail.fields.keys())


def _marked(words: list[str], subject: str) -> str:
    """Return the state that stands in capitals, in brackets, before a sign or at the end; nothing where none does."""
    signed = rf"(?:{'|'.join(map(re.escape, words))})"
    parts = [*_BRACKET.findall(subject), *re.findall(rf"{signed}(?=\s*[:|!\u2013-]|$)", subject)]
    marked = (word for word in words if word.isupper() or any(word in part for part in parts))
    return next((word for word in marked if word not in _PLAIN), "")


def _about(mail: AlertMail) -> str:
    """Return what the mail is about, with the same words when it fires and when it is over."""
    where, what = mail.field(*_WHERE), mail.field(*_WHAT)
    if where and what and where != what:
        return f"{where}/{what}"
    rest = _BRACKET.sub(lambda found: "" if _PRODUCTS.search(found[1]) else found[0], mail.subject)
    rest = _WORD.sub("", _CHANGE.sub("", rest))
    while (bare := _EMPTY.sub("", rest)) != rest:
        rest = bare
    return f"{where}/{rest}" if where and where not in rest else rest
