"""Reads mails of Jira, GitHub and GitLab; header fields that no mail program of a person writes prove them."""

import re
from typing import Final

from triage.domain.findings import Alert, AlertSeverity
from triage.policy.alerts.mail import AlertMail, alert, severity_of, state_of

_LINES: Final = re.IGNORECASE | re.MULTILINE
_DONE: Final = r"(?:done|resolved|closed|fixed|completed?|cancelled|won't (?:do|fix))"

_KEY: Final = re.compile(r"\b([A-Z][A-Z0-9_]{1,19}-\d{1,9})\b")
_JIRA_SUBJECT: Final = re.compile(r"(?:re:\s*)?\[[^\]]{0,40}jira[^\]]{0,20}\]", re.IGNORECASE)
_ENDS_DONE: Final = re.compile(rf"{_DONE}\W*$", re.IGNORECASE)
_MOVED: Final = re.compile(rf"\b(?:status|moved|transitioned)\b.{{0,80}}\bto\W{{1,4}}{_DONE}\b", re.IGNORECASE)
_CHANGED: Final = re.compile(rf"^[^\w\n]*status\b[\w\s]{{0,60}}(?:→|->|=>)\W{{1,4}}{_DONE}\b", _LINES)
_FINISHED: Final = re.compile(
    r"\b(?:resolved|closed)\W{1,3}(?:(?:an|the|this) issue|[A-Z][A-Z0-9_]+-\d|\()", re.IGNORECASE
)
_REOPENED: Final = re.compile(r"\breopened\b", re.IGNORECASE)

_REPOSITORY: Final = re.compile(r"\[([\w.-]+/[\w.-]+)\]\s*(.*)")
_NUMBER: Final = re.compile(r"#(\d{1,9})\)?\s*$")
_RUN: Final = re.compile(
    r"(?:[\w ]{0,20}\b)?run (failed|failure|cancell?ed|succeeded|success|fixed|passed|timed out|skipped)"
    r"(?: at startup)?:\s*(.*?)(?:\s+\([0-9a-f]{7,40}\))?$",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(r"^[^\w\n]*(?:closed|merged) (?:[\w.-]+/[\w.-]+)?#\d|\bclosed this\b", _LINES)
_OPENED_AGAIN: Final = re.compile(r"^[^\w\n]*reopened (?:[\w.-]+/[\w.-]+)?#\d|\breopened this\b", _LINES)
_ADVISORY: Final = re.compile(r"\b(critical|high|moderate|low)[ -]severity\b", re.IGNORECASE)

_WAS_CLOSED: Final = re.compile(r"^[^\w\n]*(?:issue|merge request)\b.{0,80}\bwas (?:closed|merged)\b", _LINES)
_ALERT_RESOLVED: Final = re.compile(r"\balert\b.{0,40}\bresolved\b", re.IGNORECASE)
_TITLED: Final = re.compile(r"\s*(?:re|alert|\w+ alert):\s*", re.IGNORECASE)

_GOOD: Final = frozenset({"success", "succeeded", "passed", "fixed"})
_ENDED: Final = frozenset({"closed", "merged"})


def jira(mail: AlertMail) -> Alert | None:
    """Read a notice of Jira about an issue."""
    key = _KEY.search(mail.subject)
    ours = mail.header("x-jira-fingerprint") or (_JIRA_SUBJECT.match(mail.subject) and mail.named("jira"))
    if key is None or not ours:
        return None
    return alert("jira", key[1], state_of(_is_done(mail)), severity_of(mail.field("priority").split(">")[-1]))


def _is_done(mail: AlertMail) -> bool:
    """Tell whether the notice says that the issue is done: by its status or resolution, or by a verb."""
    if _REOPENED.search(mail.text) or _REOPENED.search(mail.subject):
        return False
    if _CHANGED.search(mail.text):
        return True
    if status := mail.field("status"):
        return _ENDS_DONE.search(status) is not None
    signs = (_ENDS_DONE.search(mail.field("resolution")), _MOVED.search(mail.text), _FINISHED.search(mail.text))
    return any(signs) or bool(re.match(r"\[[^\]]+\] (?:Resolved|Closed): ", mail.subject))


def github(mail: AlertMail) -> Alert | None:
    """Read a notice of GitHub about a run, an issue, a pull request or an advisory."""
    found = _REPOSITORY.search(mail.subject)
    if found is None or not (mail.header("x-github-reason") or mail.header("x-github-sender")):
        return None
    repository, rest = found[1], found[2]
    if run := _RUN.match(rest):
        return alert("github", f"{repository}: {run[2]}", state_of(run[1].lower() in _GOOD), AlertSeverity.HIGH)
    if number := _NUMBER.search(rest):
        closed = _CLOSED.search(mail.text) and not _OPENED_AGAIN.search(mail.text)
        return alert("github", f"{repository}#{number[1]}", state_of(closed))
    severity = severity_of(mail.header("x-github-severity"), *_ADVISORY.findall(f"{rest}\n{mail.text}")[:1])
    return alert("github", f"{repository}: {rest}", state_of(resolved=False), severity)


def gitlab(mail: AlertMail) -> Alert | None:
    """Read a notice of GitLab about a pipeline, an issue, a merge request or an alert."""
    project = mail.header("x-gitlab-project-path") or mail.header("x-gitlab-project")
    if not project:
        return None
    if status := mail.header("x-gitlab-pipeline-status").lower():
        ref = mail.header("x-gitlab-pipeline-ref") or mail.field("branch")
        return alert("gitlab", f"{project}: pipeline ({ref})", state_of(status in _GOOD), AlertSeverity.HIGH)
    for name, sign in (("issue", "#"), ("mergerequest", "!")):
        if number := mail.header(f"x-gitlab-{name}-iid"):
            ended = mail.header(f"x-gitlab-{name}-state").lower() in _ENDED or _WAS_CLOSED.search(mail.text)
            return alert("gitlab", f"{project}{sign}{number}", state_of(ended))
    title = _TITLED.sub("", mail.subject.rpartition("|")[2], count=1)
    resolved = _ALERT_RESOLVED.search(f"{mail.subject}\n{mail.text}")
    return alert("gitlab", f"{project}: {title}", state_of(resolved), severity_of(mail.field("severity")))
