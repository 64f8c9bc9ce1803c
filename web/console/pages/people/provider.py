"""The way to the identity provider and back."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from loguru import logger
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from triage.domain.operations.errors import IdentityProviderDown, IdentityRefused
from triage.policy.operations.sign_in import safe_path
from triage.services.accounts.provider_sign_in import MINUTES, ProviderSignIn
from web.console.console import Console
from web.console.headers import PRIVATE
from web.console.render import after
from web.console.way_in import BEGUN, WayIn, peer_of

Text = Annotated[str, Query(max_length=4_000)]

pages = APIRouter(prefix="/oidc")


@pages.get("/start")
async def start(console: Console, to: Annotated[str, Query(alias="next", max_length=4_000)] = "/") -> Response:
    try:
        address, begun = await _provider(console.way_in).begin(safe_path(to))
    except IdentityProviderDown as e:
        return _down(console, e)
    answer = RedirectResponse(address, 303, dict(PRIVATE))
    secure = console.way_in.https or console.http.url.scheme == "https"
    answer.set_cookie(BEGUN, begun, MINUTES * 60, path="/oidc", httponly=True, samesite="lax", secure=secure)
    return answer


@pages.get("/callback")
async def callback(console: Console, state: Text = "", code: Text = "", error: Text = "") -> Response:
    """Take the browser back and begin a session."""
    provider = _provider(console.way_in)
    if error or not code:
        return _refused(console, f"it said {error[:60] or 'nothing'}")
    try:
        who, to = await provider.finish(console.http.cookies.get(BEGUN, ""), state, code)
        text, _ = await console.way_in.sessions.by_identity(who, peer_of(console.http))
    except IdentityRefused as e:
        return _refused(console, e.why)
    except IdentityProviderDown as e:
        return _down(console, e)
    await console.way_in.sign_out(console.http)
    answer = after(to)
    console.way_in.keep(answer, console.http, text)
    answer.delete_cookie(BEGUN, path="/oidc")
    return answer


def _refused(console: Console, why: str) -> Response:
    logger.bind(error=why).warning("sign_in.refused")
    return _refusal_page(console, 403, f"The identity provider does not let you in: {why}.")


def _down(console: Console, e: IdentityProviderDown) -> Response:
    logger.bind(error=str(e)).warning("sign_in.provider_down")
    return _refusal_page(
        console, 503, "The identity provider does not answer as it should. The log says what is wrong."
    )


def _refusal_page(console: Console, status: int, words: str) -> Response:
    answer = console.page("sign_in/refused.html", status, words=words)
    answer.delete_cookie(BEGUN, path="/oidc")
    return answer


def _provider(at: WayIn) -> ProviderSignIn:
    if at.provider is None:
        raise HTTPException(404)
    return at.provider
