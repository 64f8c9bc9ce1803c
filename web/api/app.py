"""The application of the API: its routes, its errors, its OpenAPI document."""

from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from web.api.guard import TokenGuard
from web.api.json_response import VisibleJSON
from web.api.limits import SizeLimits
from web.api.problems import MEDIA_TYPE, Problem, Wrong, add_handlers
from web.api.routes import (
    approvals,
    ask,
    case_tickets,
    cases,
    events,
    figures,
    letters,
    memory,
    routing,
    webhooks,
)
from web.context import WebContext
from web.live.stream import Streams

PREFIX: Final = "/api/v1"
QUIET: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would look for telemetry exporters at every request and send them the text of our errors."""
ROUTES: Final = (cases, case_tickets, approvals, letters, routing, figures, events, webhooks, memory, ask)
"""The subjects of the API, in the order of its document."""
ERRORS: Final = {
    400: "The request is wrong.",
    401: "No token, or one that is not valid.",
    403: "The token's scope does not cover this.",
    413: "The body is too large.",
    414: "The address is too long.",
    422: "Values of the request are not accepted.",
    429: "The token has asked too often.",
    431: "The headers are too large.",
    503: "Try again later.",
}
"""What every route may answer."""
FIRST_ERROR: Final = 400
ABOUT: Final = (
    "Cases, approvals, letters, routes and figures of Triage. Every request needs a token (`triage token create`), as "
    "`Authorization: Bearer triage_…`; there are no cookies. Errors are RFC 9457 problems with a cure."
)


def api_app(at: WebContext) -> ASGIApp:
    app = FastAPI(
        title="Triage",
        version="1",
        description=ABOUT,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        default_response_class=VisibleJSON,
        telemetry=QUIET,
        responses={status: {"description": words} for status, words in ERRORS.items()},
    )
    app.state.guard = TokenGuard(at.tokens, at.requests_per_minute)
    app.state.services = at
    app.state.event_broadcast = events.EventBroadcast(at.events, Streams(at.stop))
    app.state.build_streams = Streams(at.stop)
    version = APIRouter(prefix=PREFIX)
    for subject in ROUTES:
        version.include_router(subject.routes)
    app.include_router(version)
    add_handlers(app)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # FastAPI's own way to extend its document
    return SizeLimits(app, frozenset({f"{PREFIX}{routing.TEST}"}), at.max_mail_bytes)


def _document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document: every answer that is no success is a problem."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        shapes = made.setdefault("components", {}).setdefault("schemas", {})
        for unused in ("HTTPValidationError", "ValidationError"):
            shapes.pop(unused, None)
        shapes["Wrong"] = Wrong.model_json_schema()
        shapes["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        shapes["Problem"].pop("$defs", None)
        answer = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        for route in (route for path in made["paths"].values() for route in path.values()):
            for status, response in route["responses"].items():
                if int(status) >= FIRST_ERROR:
                    response["content"] = answer
        app.openapi_schema = made
    return app.openapi_schema
