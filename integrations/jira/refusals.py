"""Answers that refuse one thing, where elsewhere the same number means our account or the ticket itself."""

from http import HTTPStatus
from typing import Final

from integrations.jira.errors import Answer, problems_of, written
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected

_LESS: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})


def settled(answer: Answer, key: str, what: str, cure: str) -> Json:
    """What a write beside the ticket brought, which is known to be there.

    Jira saying no in its own words means a permission, a switch or a limit then: one thing that cannot be had is no
    reason to stop everything, as `TrackerDenied` would. Raises `TrackerRejected` with the cure.
    """
    locked_out = "X-Authentication-Denied-Reason" in answer.headers
    if answer.status in _LESS and answer.told and not locked_out:
        told = " ".join(problems_of(answer).values())
        raise TrackerRejected(problems={what: f"{told} ({cure})"})
    return written(answer, key)
