"""Reads mails of build servers that have no reader of their own: a subject with a state, about a build that has a number or commit."""

import re
from typing import Final

from triage.domain.findings import Alert
from triage.policy.alerts.mail import AlertMail, alert, state_of
from triage.policy.sender.automatic_reply import automatic_submission
from triage.policy.sender.machine_patterns import MACHINES, NO_REPLY

_BAD: Final = r"(?:still |now )?(?:failed|failure|failing|broken|errored|timed out|unstable)"
_GOOD: Final = (
    r"(?:fixed|passed|passing|succeeded|success(?:ful)?|recovered|back to (?:normal|stable)|completed successfully)"
)
_STATE: Final = re.compile(rf"(?<![\w-])(?:(?P<bad>{_BAD})|(?P<good>{_GOOD}))(?![\w-])", re.IGNORECASE)
_NUMBER: Final = re.compile(r"#\s?\d{1,9}\b")
_COMMIT: Final = re.compile(r"(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])")
_BUILD: Final = re.compile(
    r"\b(?:builds?|pipelines?|workflows?|deployments?|deploys?|commits?|branch|nightly)\b", re.IGNORECASE
)
_REST: Final = re.compile(
    r"(?<![\w-])(?:build|pipeline|workflow|run|job|has|was|is|been|for|of|in|on)(?![\w-])|->|=>|\u2192|[^\w\s./-]|(?<!\w)[./-]|[./-](?!\w)",
    re.IGNORECASE,
)
"""What is no part of the name: words around the state, and signs that stand alone."""
_ROBOTS: Final = re.compile(
    r"(?:ci|cd|builds?|buildbot|teamcity|bamboo|travis|circleci|deploy(?:s|ments?)?)(?:[._+-].*)?", re.IGNORECASE
)


def build(mail: AlertMail) -> Alert | None:
    """Read a message about a build that failed or is well again; all builds of one name and branch are one object."""
    subject = mail.subject
    states = list(_STATE.finditer(subject))
    numbered = _NUMBER.search(subject) or _COMMIT.search(subject)
    if not states or not numbered or not _BUILD.search(f"{subject}\n{mail.text}") or not _is_robot(mail):
        return None
    name = subject
    for pattern in (_STATE, _NUMBER, _COMMIT, _REST):
        name = pattern.sub(" ", name)
    return alert("build", " ".join(name.split()), state_of(states[-1]["good"]))


def _is_robot(mail: AlertMail) -> bool:
    """Tell whether no person sends the mail: a field says so, or its address."""
    local = mail.address.partition("@")[0]
    machine = MACHINES.fullmatch(local) or NO_REPLY.search(local) or _ROBOTS.fullmatch(local)
    return bool(machine or automatic_submission(mail.message))
