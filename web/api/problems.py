"""Errors as RFC 9457 has them: what happened, and the cure; never a stack trace, a path or a statement."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from math import ceil
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from loguru import logger
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from triage.domain.errors import (
    ApprovalClosed,
    CaseNotFound,
    MailUnreadable,
    Moved,
    NotAnApprover,
    NotRead,
    OwnMail,
    Permanent,
    Refused,
    ReworkSpent,
    Transient,
)
from triage.domain.letters.errors import LetterGone
from triage.domain.memory.errors import BuildRunning
from triage.domain.operations.errors import LessonNotFound, MailGone, TokenInvalid, TokenNotFound, WebhookNotFound
from triage.domain.text.counts import many
from triage.domain.text.visible import visible
from web.api.json_response import VisibleJSON

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 30
"""Seconds in `Retry-After`, where the error names none."""
SHOWN: Final = 500
"""Characters of an error's text."""

STATUS: Final[tuple[tuple[type[Exception], int, str], ...]] = (
    (TokenInvalid, 401, "make a token with `triage token create`, and send it as `Authorization: Bearer triage_…`"),
    (CaseNotFound, 404, "GET /api/v1/cases lists the cases"),
    (LessonNotFound, 404, "GET /api/v1/lessons lists them"),
    (TokenNotFound, 404, "`triage token list` lists the tokens"),
    (NotAnApprover, 403, "use a token made for somebody who may decide (`approvals.approvers` in triage.yaml)"),
    (OwnMail, 403, "let somebody else decide"),
    (BuildRunning, 409, "GET /api/v1/stream/build tells how far it is"),
    (Moved, 409, "read the approval again, and decide about what it is now"),
    (ReworkSpent, 409, "accept it, edit it or ignore it"),
    (ApprovalClosed, 409, "GET /api/v1/approvals lists what waits for a person"),
    (LetterGone, 409, "GET /api/v1/letters?state=waiting lists those that can be taken back"),
    (NotRead, 409, "wait until the case has been worked on"),
    (WebhookNotFound, 404, "GET /api/v1/webhooks lists them"),
    (MailGone, 410, "the case itself stays: GET /api/v1/cases/{case}"),
    (MailUnreadable, 422, "the mail is too much for the reader: test a smaller one"),
    (Refused, 400, "correct the request"),
    (Transient, 503, "try again later"),
    (Permanent, 502, "GET /health/ready and `triage doctor` say what is wrong"),
    (Exception, 500, "look into the log of the service; report it with the case if it stays"),
)
"""Status and cure by error; the first that fits."""
PRIVATE: Final = 500
"""From this status on the text of the error stands in the log alone."""
CURES: Final[Mapping[int, str]] = {
    400: "correct the request",
    403: "use a token of a higher scope",
    404: "GET /api/v1/openapi.json lists what there is",
    413: "send less",
    429: "wait as long as Retry-After says",
    405: "GET /api/v1/openapi.json lists the methods of each path",
}


class Wrong(BaseModel):
    """One value of a request that is not accepted."""

    where: str = Field(examples=["query.limit"])
    why: str = Field(examples=["input should be less than or equal to 200"])


class Problem(BaseModel):
    """An error, as RFC 9457 has it, with its cure."""

    model_config = ConfigDict(json_schema_extra={"description": "An error, as RFC 9457 has it, with its cure."})

    type: str = Field(examples=["urn:triage:problem:not-found"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no such case: `triage cases` lists them (case=case-17)"])
    cure: str = Field(examples=["GET /api/v1/cases lists the cases"])
    wrong: list[Wrong] = Field(default_factory=list, description="The values that are not accepted.")


NOT_FOUND: Final[dict[int | str, dict[str, Any]]] = {404: {"description": "There is none."}}
STALE: Final[dict[int | str, dict[str, Any]]] = {409: {"description": "It is no longer, or not yet, in that state."}}


def problem(
    status: int, detail: str, cure: str = "", headers: Mapping[str, str] | None = None, **more: Any
) -> VisibleJSON:
    """Return the answer for an error."""
    title = HTTPStatus(status).phrase
    body = {
        "type": f"urn:triage:problem:{title.lower().replace(' ', '-')}",
        "title": title,
        "status": status,
        "detail": visible(detail)[:SHOWN] or title,
        "cure": cure or CURES.get(status, "correct the request"),
        "wrong": [],
        **more,
    }
    return VisibleJSON(body, status, headers, MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Let the application answer every error as a problem."""
    app.add_exception_handler(HTTPException, _refusal)
    app.add_exception_handler(RequestValidationError, _not_valid)
    for kind, status, cure in STATUS:
        app.add_exception_handler(kind, _answer(status, cure))


def _answer(status: int, cure: str) -> Callable[[Request, Exception], Awaitable[JSONResponse]]:
    async def answer(http: Request, e: Exception) -> JSONResponse:
        if status >= PRIVATE:
            logger.bind(path=http.url.path, status=status, error=str(e) or type(e).__name__).warning("api.trouble")
        return problem(status, "" if status >= PRIVATE else str(e), cure, _headers(e))

    return answer


def _headers(e: Exception) -> dict[str, str]:
    """RFC 6750 has the challenge of a 401."""
    if isinstance(e, TokenInvalid):
        return {"www-authenticate": 'Bearer realm="triage", error="invalid_token"'}
    return {"retry-after": str(ceil(e.retry_after or RETRY_AFTER))} if isinstance(e, Transient) else {}


async def _refusal(http: Request, e: Exception) -> JSONResponse:
    """Answer the framework's own refusals."""
    del http
    status, detail, headers = (e.status_code, e.detail, e.headers) if isinstance(e, HTTPException) else (500, "", None)
    return problem(status, detail, "", headers)


async def _not_valid(http: Request, e: Exception) -> JSONResponse:
    """Name the values that are wrong, without repeating them."""
    del http
    errors = e.errors() if isinstance(e, RequestValidationError) else ()
    wrong = [{"where": ".".join(map(str, one["loc"])), "why": str(one["msg"])} for one in errors]
    detail = f"{many(len(wrong), 'value')} {'is' if len(wrong) == 1 else 'are'} not accepted"
    return problem(422, detail, "see `wrong`, and GET /api/v1/openapi.json", wrong=wrong)
