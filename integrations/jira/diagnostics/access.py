"""What the answer to "who am I?" says of our login."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from integrations.jira.diagnostics.jira_probe import only_a_scope
from integrations.jira.http.errors import Answer, a_stranger, read
from integrations.jira.http.wire import Lost
from integrations.jira.shapes import id_of, person_of
from triage.domain.errors import TrackerDenied, TriageError
from triage.domain.tickets import Person

_MOVED: Final = range(300, 400)


class Access(StrEnum):
    """How we stand with this Jira."""

    OURS = "ours"
    """It knows us by our name."""
    SCOPED = "scoped"
    """The token is good, and may not ask for its own name."""
    REFUSED = "refused"
    """A dead token, a wrong one, or one that belongs to another address."""
    STRANGER = "stranger"
    """Answered with 200 as to anybody who has not logged in."""
    CAPTCHA = "captcha"
    """After some wrong passwords it wants a picture read."""
    FORBIDDEN = "forbidden"
    """Known or not, nobody comes in from here."""
    PAGE = "page"
    """A login form for people where an answer should be."""
    MOVED = "moved"
    """Sent on to another address."""
    NOT_JIRA = "not jira"
    """Something else answers there."""
    AWAY = "away"
    """Nobody answers, or only to say that it is not the time."""


@dataclass(frozen=True, slots=True)
class LoginState:
    """How we stand with this Jira, and as whom."""

    access: Access
    told: str = ""
    """The words that came with it."""
    me: Person | None = None
    """Somebody exactly where access is `OURS`."""


_BY_STATUS: Final[Mapping[int, Access]] = {
    HTTPStatus.UNAUTHORIZED: Access.REFUSED,
    HTTPStatus.FORBIDDEN: Access.FORBIDDEN,
    HTTPStatus.TOO_MANY_REQUESTS: Access.AWAY,
}


def login_of(answer: Answer | Lost) -> LoginState:
    """How we stand, by one answer: who we are comes from the same one that let us in."""
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


def _refused(answer: Answer, trouble: TriageError) -> Access:
    """Which of the ways not to let us in it is."""
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
    """What it was, without the class's own sentence."""
    return str(getattr(trouble, "detail", "") or trouble)
