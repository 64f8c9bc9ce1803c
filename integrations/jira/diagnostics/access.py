"""Classifies our login by Jira's answer to `myself`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from integrations.jira.diagnostics.jira_probe import only_a_scope
from integrations.jira.http.errors import JiraAnswer, a_stranger, read
from integrations.jira.http.wire import Lost
from integrations.jira.shapes import id_of, person_of
from triage.domain.errors import TrackerDenied, TriageError
from triage.domain.tickets import Person

_MOVED: Final = range(300, 400)


class Access(StrEnum):
    """The state of our login."""

    OURS = "ours"
    """Logged in; Jira names our account."""
    SCOPED = "scoped"
    """The token is valid but lacks the scope for `myself`."""
    REFUSED = "refused"
    """An expired token, a wrong one, or one of another account."""
    STRANGER = "stranger"
    """Jira answers with 200 as to an anonymous user."""
    CAPTCHA = "captcha"
    """Jira demands a captcha after several wrong passwords."""
    FORBIDDEN = "forbidden"
    """Access from here is forbidden, whatever the login."""
    PAGE = "page"
    """An HTML login form instead of JSON."""
    MOVED = "moved"
    """A redirect to another address."""
    NOT_JIRA = "not jira"
    """Another server answers."""
    AWAY = "away"
    """No answer, or a server error such as maintenance."""


@dataclass(frozen=True, slots=True)
class LoginState:
    """The state of our login, and our account."""

    access: Access
    detail: str = ""
    """The message of the answer."""
    me: Person | None = None
    """Set only if access is `OURS`."""


_BY_STATUS: Final[Mapping[int, Access]] = {
    HTTPStatus.UNAUTHORIZED: Access.REFUSED,
    HTTPStatus.FORBIDDEN: Access.FORBIDDEN,
    HTTPStatus.TOO_MANY_REQUESTS: Access.AWAY,
}


def login_of(answer: JiraAnswer | Lost) -> LoginState:
    """Derive state and account from one answer."""
    if isinstance(answer, Lost):
        return LoginState(Access.AWAY, answer.detail)
    if denied := answer.headers.get("X-Authentication-Denied-Reason", ""):
        return LoginState(Access.CAPTCHA, denied[:200])
    if only_a_scope(answer):
        return LoginState(Access.SCOPED, "its scopes do not include read:jira-user")
    try:
        myself = read(answer)
    except TriageError as e:
        return LoginState(_refused(answer, e), _words(e))
    return LoginState(Access.OURS, me=person_of(myself)) if id_of(myself) else LoginState(Access.NOT_JIRA)


def _refused(answer: JiraAnswer, trouble: TriageError) -> Access:
    """Choose the state for a refusal."""
    if answer.status in _BY_STATUS:
        return _BY_STATUS[answer.status]
    if answer.status in _MOVED:
        return Access.MOVED
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Access.AWAY
    if a_stranger(answer):
        return Access.STRANGER
    return Access.PAGE if isinstance(trouble, TrackerDenied) else Access.NOT_JIRA


def _words(trouble: TriageError) -> str:
    """Return the error's detail without the sentence of its class."""
    return str(getattr(trouble, "detail", "") or trouble)
