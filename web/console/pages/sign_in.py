"""Sign-in and sign-out."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response

from web.console.guard import COOKIE, Sessions, SignedOut, Viewer
from web.console.render import Render, after
from web.context import WebContext


def sign_in_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages of sign-in."""
    pages, sessions = APIRouter(), Sessions(at.tokens)

    @pages.get("/sign-in")
    async def form(http: Request, to: Annotated[str, Query(alias="next", max_length=2000)] = "/") -> Response:
        """Show the form."""
        return render.page(http, "sign_in.html", to=own_path(to), wrong="")

    @pages.post("/sign-in")
    async def enter(
        http: Request,
        token: Annotated[str, Form(max_length=200)],
        to: Annotated[str, Form(alias="next", max_length=2000)] = "/",
    ) -> Response:
        """Begin a session by an access token."""
        try:
            await sessions.visitor(token.strip())
        except SignedOut as e:
            return render.page(http, "sign_in.html", 401, to=own_path(to), wrong=str(e))
        answer = after(own_path(to))
        answer.set_cookie(COOKIE, token.strip(), path="/", httponly=True, samesite="strict", secure=at.https)
        return answer

    @pages.post("/sign-out")
    async def leave(_: Viewer) -> Response:
        """End the session."""
        answer = after("/sign-in", "You are signed out.")
        answer.delete_cookie(COOKIE, path="/")
        return answer

    return pages


def own_path(text: str) -> str:
    """Return the path if it is one of ours, else the front page: nobody is led elsewhere by a link to the sign-in."""
    fits = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and "\\" not in text
    return text if fits else "/"
