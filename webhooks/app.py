"""The application that providers and probes ask: its routes, and the HTTP status of each error."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import ceil
from typing import Final

from loguru import logger
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from triage.domain.errors import BadSignature, RefusedForNow, TooLarge, Transient, TriageError
from triage.services.intake import Intake
from webhooks.health import HealthChecks, health_routes
from webhooks.inbound import Inbound
from webhooks.jira_events import NAME as JIRA
from webhooks.jira_events import JiraEvents, jira_routes
from webhooks.providers.base import Provider

RETRY_AFTER: Final = 30
"""Seconds in `Retry-After`, where the error names none."""

ANSWERS: Final = (
    (
        BadSignature,
        401,
        "not authentic",
    ),  # Postmark stops retrying on 403, Mailgun on 406, others on every 4xx: see `drops_on_4xx`
    (TooLarge, 413, "too large"),
    (Transient, 503, "try again later"),  # nothing is stored, so the caller must send it again
    (ClientDisconnect, 400, "incomplete"),  # nobody receives it; unhandled, the server would log it as our error
    (Exception, 500, "internal error"),  # the server logs it with its traceback
)

PATH: Final = "/webhooks/"
NOT_FOUND: Final = 404
NO_MOUNTS: Final[Mapping[str, ASGIApp]] = {}

Answer = Callable[[Request, Exception], Awaitable[JSONResponse]]


def web_app(
    intake: Intake,
    providers: Sequence[Provider],
    health: HealthChecks,
    max_bytes: int,
    *,
    body_seconds: float = 120.0,
    events: JiraEvents | None = None,
    mounts: Mapping[str, ASGIApp] = NO_MOUNTS,
) -> Starlette:
    """Build the application: health checks, inbound mail and, with `events`, Jira's webhook.

    `mounts` are further applications, each under the path that it is named by, such as `/api`. The one at `/` also
    tells browsers that there is no such page.

    `max_bytes` limits one mail. `body_seconds` limits how long a body may take; Postmark waits two minutes for its answer.
    """
    app = Starlette(routes=[*health_routes(health), *(jira_routes(events) if events else ())])
    inbound = Inbound(intake, {provider.name: provider for provider in providers}, max_bytes, body_seconds)

    for trouble, status, words in ANSWERS:
        app.add_exception_handler(trouble, _answer(status, words))
    app.add_exception_handler(HTTPException, _refusal_beside(mounts.get("/")))
    app.add_middleware(MailFirst, inbound=inbound, mounts=mounts)
    return app


class MailFirst:
    """Middleware that handles inbound mail before the routing, which costs more time than storing the mail."""

    def __init__(self, app: ASGIApp, inbound: Inbound, mounts: Mapping[str, ASGIApp]) -> None:
        self._app = app
        self._inbound = inbound
        self._mounts = mounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer mail requests here and pass all others on."""
        if scope["type"] != "http" or not scope["path"].startswith(PATH) or scope["path"] == f"{PATH}{JIRA}":
            await self._beside(scope)(scope, receive, send)
            return
        http = Request(scope, receive)
        response = await self._taken(http, scope["path"].removeprefix(PATH))
        await response(scope, receive, send)

    def _beside(self, scope: Scope) -> ASGIApp:
        """Return the application that is mounted at this path, else our own."""
        first = "/" + scope.get("path", "/")[1:].partition("/")[0]
        return self._mounts.get(first, self._app) if scope["type"] == "http" else self._app

    async def _taken(self, http: Request, name: str) -> JSONResponse:
        """Return the answer, known errors included; let unforeseen ones rise to the framework, which logs them."""
        try:
            match http.method:
                case "POST":
                    return await self._inbound.receive(name, http)
                case "HEAD":
                    return self._inbound.head(name)
            return _no(405, "method not allowed", {"allow": "POST, HEAD"})
        except HTTPException as e:
            return await _refusal(http, e)
        except (TriageError, ClientDisconnect) as e:
            for trouble, status, words in ANSWERS:
                if isinstance(e, trouble) and trouble is not Exception:
                    return await _answer(status, words)(http, e)
            raise


def _answer(status: int, words: str) -> Answer:
    """Return a handler that answers with `words` and logs the exact reason, which the caller must not learn."""

    async def answer(http: Request, e: Exception) -> JSONResponse:
        logger.bind(path=http.url.path, status=status, error=str(e) or type(e).__name__).warning("http.refused")
        return _no(status, words, _headers(e))

    return answer


class Forwarded(Response):
    """A response that lets another application answer the request."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request over."""
        await self._app(scope, receive, send)


def _refusal_beside(pages: ASGIApp | None) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return the handler of refusals: to a browser on an unknown path `pages`, if given, answers with its own 404 page."""

    async def answer(http: Request, e: Exception) -> Response:
        unknown = isinstance(e, HTTPException) and e.status_code == NOT_FOUND and http.method in {"GET", "HEAD"}
        if pages and unknown and "text/html" in http.headers.get("accept", ""):
            return Forwarded(pages)
        return await _refusal(http, e)

    return answer


async def _refusal(http: Request, e: Exception) -> JSONResponse:
    """Answer the framework's own refusals in our JSON shape."""
    del http
    status, words, headers = (e.status_code, e.detail, e.headers) if isinstance(e, HTTPException) else (500, "", None)
    return _no(status, words.lower(), headers)


def _headers(e: Exception) -> dict[str, str]:
    """RFC 9110 demands a scheme with every 401. `connection: close` where we do not read the rest of the body."""
    match e:
        case BadSignature():
            return {"www-authenticate": f'Webhook realm="{e.provider}"'}
        case RefusedForNow():
            return {"retry-after": str(RETRY_AFTER), "connection": "close"}
        case Transient():
            return {"retry-after": str(ceil(e.retry_after or RETRY_AFTER))}
        case TooLarge():
            return {"connection": "close"}
    return {}


def _no(status: int, words: str, headers: Mapping[str, str] | None) -> JSONResponse:
    return JSONResponse({"success": False, "error": words}, status_code=status, headers=headers)
