"""Renders error pages: the problem and its cure, without internals."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class ErrorPages:
    """The page of each kind of error; its methods are handlers of FastAPI."""

    render: Render

    def add_to(self, app: FastAPI) -> None:
        """Answer every error of the application by a page."""
        for kind, *_ in STATUS:
            app.add_exception_handler(kind, self.trouble)
        app.add_exception_handler(HTTPException, self.refusal)
        app.add_exception_handler(RequestValidationError, self.misunderstood)
        app.add_exception_handler(SignedOut, self.signed_out)
        app.add_exception_handler(FormStale, self.stale)

    async def trouble(self, http: Request, e: Exception) -> Response:
        """Answer an error of ours, or one that nobody expected."""
        status, head, cure = next((s, h, c) for kind, s, h, c in STATUS if isinstance(e, kind))
        if status >= INTERNAL:
            logger.bind(path=http.url.path, status=status, error=str(e) or type(e).__name__).warning("console.refused")
        words = "" if status >= INTERNAL else _words(e, head)
        return self._page(http, status, head, words, cure)

    async def refusal(self, http: Request, e: Exception) -> Response:
        """Answer what a route refuses by itself."""
        fault = e if isinstance(e, HTTPException) else HTTPException(422, "")
        head, cure = OWN.get(fault.status_code, ("This cannot be done", "Go back and try again."))
        words = "" if fault.detail == HTTPStatus(fault.status_code).phrase else fault.detail
        await _recognise(http)
        page = self._page(http, fault.status_code, head, words, cure)
        page.headers.update(
            {name: text for name, text in (fault.headers or {}).items() if name.lower() in KEPT_HEADERS}
        )
        return page

    async def misunderstood(self, http: Request, e: Exception) -> Response:
        """Answer a form or an address whose fields are not what they must be."""
        lines = e.errors() if isinstance(e, RequestValidationError) else []
        words = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {_problem(one)}" for one in lines)
        return self._page(http, 422, "This is not understood", words, "Go back and correct it.")

    async def signed_out(self, http: Request, _: Exception) -> Response:
        """Lead to the page of sign-in, and back from there; what a form of ours has sent goes along."""
        if http.url.path == PREVIEW:
            return Response(status_code=204, headers=dict(PRIVATE))
        sessions: Sessions = http.app.state.sessions
        safe, script = http.method in SAFE_METHODS, _by_script(http)
        if not safe and not sessions.foreign(http) and (kept := await kept_of(http)):
            facts = {"to": "/", "wrong": "", "kept": kept.text, "first": False, "address": ""}
            return self._whole(http, "sign_in/page.html", 401, provider=sessions.way_in.provider_name, **facts)
        back = (
            http.url.path + (f"?{http.url.query}" if http.url.query else "")
            if safe and not script
            else _page_before(http)
        )
        to = "/sign-in" if back == "/" else f"/sign-in?next={quote(back)}"
        if script:
            return Response(status_code=401, headers={**PRIVATE, "hx-redirect": to})
        return RedirectResponse(to, 303, dict(PRIVATE))

    async def stale(self, http: Request, _: Exception) -> Response:
        """Show what a form of an older session has sent, to be sent again; nothing was carried out."""
        if http.url.path == PREVIEW:
            return Response(status_code=204, headers=dict(PRIVATE))
        kept = await kept_of(http)
        if kept is None:
            return self.render.page(http, "error.html", 403, head=STALE[0], words="", cure=STALE[1])
        return self._whole(http, "sign_in/kept.html", 403, kept=kept)

    def _page(self, http: Request, status: int, head: str, words: str, cure: str) -> Response:
        return self.render.page(http, "error.html", status, head=head, words=words, cure=cure, back=_form_of(http))

    def _whole(self, http: Request, template: str, status: int, **facts: Any) -> Response:
        """Return a page; a script that wanted a part of one puts it in the place of its own page."""
        script = _by_script(http)
        page = self.render.page(http, template, 200 if script else status, **facts)
        page.headers.update({"hx-retarget": "body", "hx-reswap": "innerHTML"} if script else {})
        return page


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


def _page_before(http: Request) -> str:
    """Return the page from which a form or a script asks."""
    return urlsplit(http.headers.get("hx-current-url") or http.headers.get("referer", "")).path or "/"


def _form_of(http: Request) -> str:
    """Return the page with the form whose change was refused; empty for what is no change."""
    return "" if http.method in SAFE_METHODS else _page_before(http)


def _problem(error: Mapping[str, Any]) -> str:
    """Say what is wrong with a field; patterns are for programs."""
    return f"{error['input']!r} is none" if error["type"] == "string_pattern_mismatch" else str(error["msg"])


def _by_script(http: Request) -> bool:
    """Whether htmx asks, for a part of the page that it is on."""
    return bool(http.headers.get("hx-request"))
