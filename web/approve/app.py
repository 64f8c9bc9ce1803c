"""The application behind `/approve/`: GET shows what a link would do and decides nothing, POST decides.

Mail scanners and chat previews follow every link they see, so a GET must never have an effect.
"""

import base64
import hashlib
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from triage.domain.channels.errors import LinkExpired, LinkInvalid, LinkUsed
from triage.domain.errors import ApprovalClosed, Moved, NotAnApprover, OwnMail, Refused, TrackerDenied, Transient
from triage.services.channels.links import PATH, ApprovalLinks
from web.approve.page import STYLE, decided_page, offer_page, refused_page

STATUS: Final = (
    (LinkInvalid, 404),
    (LinkExpired, 410),
    (LinkUsed, 410),
    (ApprovalClosed, 410),
    (Moved, 409),
    (NotAnApprover, 403),
    (OwnMail, 403),
    (Refused, 409),
)
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS: Final = {
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
}


def approve_app(links: ApprovalLinks) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await (await _answer(links, request))(scope, receive, send)

    return app


async def _answer(links: ApprovalLinks, request: Request) -> HTMLResponse:
    token = request.scope["path"].partition(PATH)[2]
    try:
        match request.method:
            case "GET" | "HEAD":
                return _html(offer_page(await links.offer(token)))
            case "POST":
                return _html(decided_page(await links.decide(token)))
        return _html(refused_page("Only GET and POST."), 405)
    except Refused as e:
        status = next(status for kind, status in STATUS if isinstance(e, kind))
        return _html(refused_page(e.sentence()), status)
    except (Transient, TrackerDenied):
        return _html(refused_page("Something that is needed does not answer. Try again in a minute."), 503)


def _html(page: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(page, status, HEADERS)
