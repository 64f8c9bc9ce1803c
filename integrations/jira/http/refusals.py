"""Status codes that refuse one action where they otherwise mean a denied account or a missing ticket."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Final, TypeVar

from integrations.jira.http.errors import Answer, in_its_own_words, problems_of, written
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected

_Thing = TypeVar("_Thing")

_LESS: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})
_DOUBTFUL: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND})
"""May mean a dead token or a ticket that has just gone; Data Center says 401 of a single permission, too."""


async def settled(session: JiraSession, ours: CreatedTickets, key: str, answer: Answer, what: str, cure: str) -> Json:
    """What a write beside the ticket brought.

    Jira saying no in its own words means a permission, a switch or a limit: one thing that cannot be had is no reason
    to stop everything, as `TrackerDenied` would. Raises `TrackerRejected` with the cure, and `TicketGone`.
    """
    if answer.status in _DOUBTFUL:
        await ours.look(session, key, "project")
    if answer.status in _LESS | _DOUBTFUL and in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer, key)


def accepted(answer: Answer, what: str, cure: str) -> Json:
    """The same for a write that is about no ticket yet."""
    if answer.status in _LESS and in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer)


def rejected(answer: Answer, what: str, cure: str) -> TrackerRejected:
    """What Jira said, and what a person can do."""
    return TrackerRejected(problems={what: f"{' '.join(problems_of(answer).values())} ({cure})"})


async def permitted(question: Awaitable[_Thing], session: JiraSession, otherwise: _Thing) -> _Thing:
    """What it brings; something else where our account may not ask it, and is welcome elsewhere."""
    try:
        return await question
    except (TicketGone, TrackerDenied, TrackerRejected):
        if session.known.gate.trouble:
            raise
        return otherwise
