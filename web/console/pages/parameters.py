"""What the addresses of the pages hold, and what the pages of several rooms need of the service behind them."""

from typing import Annotated, Final

from fastapi import Form, Path, Query
from starlette.exceptions import HTTPException

from triage.services.approvals import ApprovalService
from web.context import WebContext

CaseNumber = Annotated[str, Path(pattern=r"^[1-9][0-9]{0,8}$")]
"""`17` of `case-17`."""
Number = Annotated[int, Path(ge=1, le=2_000_000_000)]
"""Of a row: a letter, an approval, a conversation."""
TicketKey = Annotated[str, Form(pattern=r"^\s*[A-Za-z][A-Za-z0-9_]{0,40}-[1-9][0-9]{0,9}\s*$", max_length=60)]
Place = Annotated[int, Query(ge=0, le=2_000_000_000)]
"""Number of the row at which a page begins; 0: at the first one."""
ArticleId = Annotated[str, Query(min_length=1, max_length=300)]
NO_JIRA: Final = "This service knows no Jira: set JIRA_BASE_URL and its token."


def deciding(at: WebContext) -> ApprovalService:
    """Return what carries out people's decisions. Raises `HTTPException` 409 where nothing can be written."""
    if at.approvals is None:
        raise HTTPException(409, NO_JIRA)
    return at.approvals
