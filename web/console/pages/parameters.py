"""Parameters in the pages' addresses, and dependencies that several pages share."""

from typing import Annotated, Final, TypeVar

from fastapi import Form, Path, Query
from pydantic import BeforeValidator
from starlette.exceptions import HTTPException

from triage.services.approvals import ApprovalService
from web.context import WebContext


def _bare(number: object) -> object:
    """Return the `17` of a `case-17`, which tickets and the shell call it."""
    return number.removeprefix("case-") if isinstance(number, str) else number


CaseNumber = Annotated[str, BeforeValidator(_bare), Path(pattern=r"^[1-9][0-9]{0,8}$")]
"""`17` of `case-17`."""
Number = Annotated[int, Path(ge=1, le=2_000_000_000)]
"""Of a row: a letter, an approval, a conversation."""
TicketKey = Annotated[str, Form(max_length=60)]
"""As somebody types it: the form that it stands in says so where it is none."""
Place = Annotated[int, Query(ge=0, le=2_000_000_000)]
"""Number of the row at which a page begins; 0: at the first one."""
ArticleId = Annotated[str, Query(min_length=1, max_length=300)]
T = TypeVar("T")
NO_JIRA: Final = "This service knows no Jira: set JIRA_BASE_URL and its token."


def connected(service: T | None) -> T:
    """Return a service that needs Jira. Raises `HTTPException` 409 where there is none."""
    if service is None:
        raise HTTPException(409, NO_JIRA)
    return service


def deciding(at: WebContext) -> ApprovalService:
    """Return what carries out people's decisions. Raises `HTTPException` 409 where nothing can be written."""
    return connected(at.approvals)
