"""Renders error pages: the problem and its cure, without internals."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from loguru import logger
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from triage.domain.errors import (
    ApprovalClosed,
    AttachmentNotFound,
    CaseNotFound,
    Moved,
    NotAnApprover,
    OwnMail,
    Permanent,
    Refused,
    Transient,
    TriageError,
)
from triage.domain.operations.errors import LessonNotFound, MailGone
from web.console.guard import SAFE_METHODS, FormStale, Sessions, SignedOut
from web.console.headers import PRIVATE
from web.console.kept import kept_of
from web.console.places import PREVIEW
from web.console.render import Render

INTERNAL: Final = 500
"""From this status on the text of the error stands in the log alone."""
STATUS: Final[tuple[tuple[type[Exception], int, str, str], ...]] = (
    (CaseNotFound, 404, "There is no such case", "It may have been forgotten, or the address is mistyped."),
    (
        LessonNotFound,
        404,
        "There is no such lesson",
        "Somebody has taken it back already: the page of rules lists the others.",
    ),
    (AttachmentNotFound, 404, "There is no such attachment", "The page of the case lists them."),
    (NotAnApprover, 403, "You may not decide this", "Ask somebody who is named in `approvals.approvers`."),
    (OwnMail, 403, "This is about a mail of yours", "Let somebody else decide."),
    (Moved, 409, "It has changed since you saw it", "Go back, load the page again, and decide about what it is now."),
    (ApprovalClosed, 409, "Somebody has decided already", "Go back and load the page again to see who."),
    (
        MailGone,
        410,
        "The mail is not kept any more",
        "Its sender is forgotten, or RETENTION_DAYS is over. The case itself stays.",
    ),
    (Refused, 409, "This cannot be done", "Go back and change what is named here."),
    (Transient, 503, "The store does not answer", "Mail is not lost. This page loads again by itself in ten seconds."),
    (Permanent, 502, "Another system refuses", "`triage doctor` says what is wrong, and the cure."),
    (Exception, 500, "Something went wrong", "The log of the service says what. Nothing was changed twice."),
)
"""Status, headline and cure by error; the first that fits."""
OWN: Final = {
    403: ("This is not for you", "Ask an admin for another role, or go back."),
    404: ("There is no such page", "The address is mistyped, or the page has moved."),
    405: ("This is no page", "Forms are sent to this address. Open the page with the form, and send it from there."),
    413: ("This is too large", "Send less."),
}

KEPT_HEADERS: Final = frozenset({"allow", "retry-after"})
"""Headers of an error that its page keeps. Not `connection`: who still sends would lose the page."""
STALE: Final = ("The page is of an older session", "Go back, load it again, and send it then.")

Handler = Callable[[Request, Exception], Awaitable[Response]]


def add_handlers(app: FastAPI, render: Render) -> None:
    """Answer every error by a page."""

    async def known(http: Request, e: Exception) -> Response:
        status, head, cure = next((s, h, c) for kind, s, h, c in STATUS if isinstance(e, kind))
        if status >= INTERNAL:
            logger.bind(path=http.url.path, status=status, error=str(e) or type(e).__name__).warning("console.refused")
        words = "" if status >= INTERNAL else _words(e, head)
        return render.page(http, "error.html", status, head=head, words=words, cure=cure, back=_form_of(http))

    async def own(http: Request, e: Exception) -> Response:
        status, detail, headers = (
            (e.status_code, e.detail, e.headers) if isinstance(e, HTTPException) else (422, "", {})
        )
        head, cure = OWN.get(status, ("This cannot be done", "Go back and try again."))
        words = "" if detail == HTTPStatus(status).phrase else detail
        await _recognise(http)
        page = render.page(http, "error.html", status, head=head, words=words, cure=cure, back=_form_of(http))
        page.headers.update({name: value for name, value in (headers or {}).items() if name.lower() in KEPT_HEADERS})
        return page

    async def wrong(http: Request, e: Exception) -> Response:
        lines = e.errors() if isinstance(e, RequestValidationError) else []
        words = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {_problem(one)}" for one in lines)
        facts = {"head": "This is not understood", "words": words, "cure": "Go back and correct it."}
        return render.page(http, "error.html", 422, **facts, back=_form_of(http))

    for kind, *_ in STATUS:
        app.add_exception_handler(kind, known)
    app.add_exception_handler(HTTPException, own)
    app.add_exception_handler(RequestValidationError, wrong)
    app.add_exception_handler(SignedOut, _signed_out(render))
    app.add_exception_handler(FormStale, _stale(render))


async def _recognise(http: Request) -> None:
    """Find who looks at a path that no route has, for the menu of the page; a stranger has none."""
    sessions: Sessions | None = getattr(http.app.state, "sessions", None)
    if sessions and not hasattr(http.state, "visitor"):
        with suppress(SignedOut, Transient):
            http.state.visitor = await sessions.visitor(http)


def _words(e: Exception, head: str) -> str:
    """Return what an error adds to the headline."""
    words = e.sentence() if isinstance(e, TriageError) else str(e)
    return "" if words.startswith(head) else words


def _page_of(http: Request) -> str:
    return http.url.path + (f"?{http.url.query}" if http.url.query else "")


def _page_before(http: Request) -> str:
    """Return the page from which a form or a script asks."""
    return urlsplit(http.headers.get("hx-current-url") or http.headers.get("referer", "")).path or "/"


def _form_of(http: Request) -> str:
    """Return the page with the form whose change was refused; empty for what is no change."""
    return "" if http.method in SAFE_METHODS else _page_before(http)


def _problem(error: Mapping[str, Any]) -> str:
    """Say what is wrong with a field; patterns are for programs."""
    return f"{error['input']!r} is none" if error["type"] == "string_pattern_mismatch" else str(error["msg"])


def _signed_out(render: Render) -> Handler:
    """Lead to the page of sign-in, and back from there; what a form of ours has sent goes along."""

    async def answer(http: Request, _: Exception) -> Response:
        if http.url.path == PREVIEW:
            return Response(status_code=204, headers=dict(PRIVATE))
        sessions: Sessions = http.app.state.sessions
        script = bool(http.headers.get("hx-request"))
        safe = http.method in SAFE_METHODS
        if not safe and not sessions.foreign(http) and (kept := await kept_of(http)):
            facts = {"to": "/", "wrong": "", "kept": kept.text, "first": False, "address": ""}
            provider = sessions.way_in.provider.name if sessions.way_in.provider else ""
            page = render.page(http, "sign_in/page.html", 200 if script else 401, provider=provider, **facts)
            page.headers.update({"hx-retarget": "body", "hx-reswap": "innerHTML"} if script else {})
            return page
        back = _page_of(http) if safe and not script else _page_before(http)
        to = "/sign-in" if back == "/" else f"/sign-in?next={quote(back)}"
        if script:
            return Response(status_code=401, headers={**PRIVATE, "hx-redirect": to})
        return RedirectResponse(to, 303, dict(PRIVATE))

    return answer


def _stale(render: Render) -> Handler:
    """Show what a form of an older session has sent, to be sent again; nothing was carried out."""

    async def answer(http: Request, _: Exception) -> Response:
        if http.url.path == PREVIEW:
            return Response(status_code=204, headers=dict(PRIVATE))
        kept = await kept_of(http)
        if kept is None:
            return render.page(http, "error.html", 403, head=STALE[0], words="", cure=STALE[1])
        page = render.page(http, "sign_in/kept.html", 200 if http.headers.get("hx-request") else 403, kept=kept)
        page.headers.update({"hx-retarget": "body", "hx-reswap": "innerHTML"} if http.headers.get("hx-request") else {})
        return page

    return answer
