"""`/api/v1/routes/test`: which routing rule would take a mail, and why."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from web.api.guard import Approver
from web.api.shapes.routing import RouteQuery, RouteShape, route_shape
from web.context import WebContext

TEST: Final = "/routes/test"
MAIL: Final[dict[str, Any]] = {
    "required": True,
    "description": "The raw mail, at most MAX_MAIL_BYTES long.",
    "content": {
        "message/rfc822": {
            "schema": {"type": "string", "format": "binary"},
            "example": "From: Ada <ada@example.com>\r\nSubject: The export stops at 40 %\r\n\r\nHello,\r\n",
        }
    },
}


def routing_routes(at: WebContext) -> APIRouter:
    """Return the route that tests the rules."""
    routes = APIRouter(tags=["routes"])

    # The body is read here and not by FastAPI, which would take a whole mail before it asks for the token.
    @routes.post(TEST, openapi_extra={"requestBody": MAIL})
    async def test(_: Approver, http: Request, query: Annotated[RouteQuery, Query()]) -> RouteShape:
        """Say which rule takes the posted mail, why, and what each rule says; by its bytes and today's rules alone, nothing is kept."""
        try:
            raw = await http.body()
        except ClientDisconnect:
            raise HTTPException(400, "the mail is not complete") from None
        message = await at.read(raw)
        return route_shape(at.route_tester().test(message, f"imap:{query.mailbox}" if query.mailbox else "file"))

    return routes
