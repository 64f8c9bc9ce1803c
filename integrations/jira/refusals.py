"""Answers that refuse one thing, where elsewhere the same number means our account or the ticket itself."""

from http import HTTPStatus
from typing import Final

from integrations.jira.errors import Answer, problems_of, written
from integrations.jira.ours import OurTickets
from integrations.jira.session import JiraSession
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected

_LESS: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})
_DOUBTFUL: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND})
"""May mean a dead token or a ticket that has just gone; Data Center says 401 of a single permission, too."""


async def settled(session: JiraSession, ours: OurTickets, key: str, answer: Answer, what: str, cure: str) -> Json:
    """What a write beside the ticket brought.

    Jira saying no in its own words means a permission, a switch or a limit: one thing that cannot be had is no reason
    to stop everything, as `TrackerDenied` would. Raises `TrackerRejected` with the cure, and `TicketGone`.
    """
    if answer.status in _DOUBTFUL:
        await ours.look(session, key, "project")
    if answer.status in _LESS | _DOUBTFUL and _in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer, key)


def accepted(answer: Answer, what: str, cure: str) -> Json:
    """The same for a write that is about no ticket yet."""
    if answer.status in _LESS and _in_its_own_words(answer):
        raise rejected(answer, what, cure)
    return written(answer)


def rejected(answer: Answer, what: str, cure: str) -> TrackerRejected:
    """What Jira said, and what a person can do."""
    return TrackerRejected(problems={what: f"{' '.join(problems_of(answer).values())} ({cure})"})


def _in_its_own_words(answer: Answer) -> bool:
    """Not a page, not a proxy, not a captcha after too many wrong passwords."""
    return bool(answer.told) and "X-Authentication-Denied-Reason" not in answer.headers
