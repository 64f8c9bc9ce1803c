"""The way to the identity provider and back."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from loguru import logger
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from triage.domain.operations.errors import IdentityProviderDown, IdentityRefused
from triage.policy.operations.sign_in import safe_path
from triage.services.accounts.provider_sign_in import MINUTES, ProviderSignIn
from web.console.headers import PRIVATE
from web.console.render import Render, after
from web.console.way_in import BEGUN, WayIn, peer_of

Text = Annotated[str, Query(max_length=4_000)]


def provider_pages(at: WayIn, render: Render) -> APIRouter:
    """Return the pages that send a browser to the identity provider and take it back; both answer 404 without OIDC_ISSUER."""
    pages = APIRouter(prefix="/oidc")

    @pages.get("/start")
    async def start(http: Request, to: Annotated[str, Query(alias="next", max_length=4_000)] = "/") -> Response:
        try:
            address, begun = await _provider(at).begin(safe_path(to))
        except IdentityProviderDown as e:
            return _down(http, e)
        answer = RedirectResponse(address, 303, dict(PRIVATE))
        secure = at.https or http.url.scheme == "https"
        answer.set_cookie(BEGUN, begun, MINUTES * 60, path="/oidc", httponly=True, samesite="lax", secure=secure)
        return answer

    @pages.get("/callback")
    async def callback(http: Request, state: Text = "", code: Text = "", error: Text = "") -> Response:
        """Take the browser back and begin a session."""
        provider = _provider(at)
        if error or not code:
            return _refused(http, f"it said {error[:60] or 'nothing'}")
        try:
            who, to = await provider.finish(http.cookies.get(BEGUN, ""), state, code)
            text, _ = await at.sessions.by_identity(who, peer_of(http))
        except IdentityRefused as e:
            return _refused(http, e.why)
        except IdentityProviderDown as e:
            return _down(http, e)
        await at.sessions.sign_out(http.cookies.get(at.cookie, ""))
        answer = after(to)
        at.keep(answer, http, text)
        answer.delete_cookie(BEGUN, path="/oidc")
        return answer

    def _refused(http: Request, why: str) -> Response:
        logger.bind(error=why).warning("sign_in.refused")
        return _refusal_page(http, 403, f"The identity provider does not let you in: {why}.")

    def _down(http: Request, e: IdentityProviderDown) -> Response:
        logger.bind(error=str(e)).warning("sign_in.provider_down")
        return _refusal_page(
            http, 503, "The identity provider does not answer as it should. The log says what is wrong."
        )

    def _refusal_page(http: Request, status: int, words: str) -> Response:
        answer = render.page(http, "sign_in/refused.html", status, words=words)
        answer.delete_cookie(BEGUN, path="/oidc")
        return answer

    return pages


def _provider(at: WayIn) -> ProviderSignIn:
    if at.provider is None:
        raise HTTPException(404)
    return at.provider
