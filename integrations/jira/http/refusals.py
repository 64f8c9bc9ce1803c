"""Statuses that refuse one action here, but elsewhere mean a denied account or a missing ticket."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Final, TypeVar

from integrations.jira.http.errors import JiraAnswer, in_its_own_words, problems_of, written
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from triage.domain.conversation import Json
from triage.domain.errors import ProjectHidden, TicketGone, TrackerDenied, TrackerRejected

_Thing = TypeVar("_Thing")

_LESS: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})
_DOUBTFUL: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND})
"""May mean a dead token or a deleted ticket; Data Center also sends 401 for a missing permission."""


async def settled(
    session: JiraSession, ours: CreatedTickets, key: str, answer: JiraAnswer, what: str, cure: str
) -> Json:
    """Return the JSON of a write that adds to a ticket (link, file, watcher, sprint).

    A refusal by Jira itself means a permission, a switch or a limit of this one action, so it raises `TrackerRejected`
    with the cure instead of `TrackerDenied`, which stops everything. Raises `TicketGone` for a missing ticket.
    """
    if answer.status in _DOUBTFUL:
        await ours.issue(session, key, "project")
    if answer.status in _LESS | _DOUBTFUL and in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer, key)


def accepted(answer: JiraAnswer, what: str, cure: str) -> Json:
    """Return the JSON of a write that needs no existing ticket. Raises as `settled` does."""
    if answer.status in _LESS and in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer)


def rejected(answer: JiraAnswer, what: str, cure: str) -> TrackerRejected:
    """Build the error from Jira's message and the cure."""
    return TrackerRejected(problems={what: f"{' '.join(problems_of(answer).values())} ({cure})"})


async def project_shown(key: str, reading: Awaitable[_Thing]) -> _Thing:
    """Read something of the project itself: what is missing then is no ticket. Raises `ProjectHidden`."""
    try:
        return await reading
    except TicketGone as e:
        raise ProjectHidden(key) from e


async def permitted(question: Awaitable[_Thing], session: JiraSession, otherwise: _Thing) -> _Thing:
    """Return the answer, or `otherwise` if our account may not ask this but its login works."""
    try:
        return await question
    except (TicketGone, TrackerDenied, TrackerRejected):
        if session.known.gate.trouble:
            raise
        return otherwise
