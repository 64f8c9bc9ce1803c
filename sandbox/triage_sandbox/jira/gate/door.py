"""Middleware that resolves the context path and the gateway's address, and keeps the control interface local."""

import re
from email.utils import format_datetime
from ipaddress import ip_address
from typing import Final

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triage_sandbox.jira.ground.site import CLOUD_ID, Site
from triage_sandbox.jira.ground.stamps import moment

GATEWAY: Final = f"/ex/jira/{CLOUD_ID}"
OWN: Final = "/__sandbox__/"
"""Where tests and demos steer the sandbox; it answers with and without the context path."""
_JIRA: Final = ("/rest/", "/secure/", "/status", "/login.jsp", "/oauth/", "/_edge/")
"""Paths that are Jira's; the others are the sandbox's own."""


class Door:
    """The outermost middleware: normalises the path, finds out which API is meant, and refuses what is no request to this site."""

    def __init__(self, app: ASGIApp, *, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        answer = self._let_in(scope) if scope["type"] == "http" else None

        async def dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = format_datetime(moment(self._site.now()), usegmt=True)
                message["headers"] = [*message.get("headers", ()), (b"date", date.encode())]
            await send(message)

        await (answer or self._app)(scope, receive, dated)

    def _let_in(self, scope: Scope) -> Response | None:
        """Make the request one that the site knows, or answer where it is none."""
        root = self._site.context_path
        # Real Jira forgives doubled slashes and one at the end, and clients make use of it.
        path = re.sub("//+", "/", scope["path"])
        if root and path == "/":
            return RedirectResponse(f"{root}/")
        if path == root or path.startswith(f"{root}/"):
            path = path[len(root) :]
        elif path.startswith(OWN):
            root = ""
        else:
            return PlainTextResponse("Not Found", 404)
        gateway = self._site.cloud and path.startswith(f"{GATEWAY}/rest/")
        if gateway:
            root, path = root + GATEWAY, path.removeprefix(GATEWAY)
        if path.startswith("/rest/"):
            path = path.rstrip("/")
        elif not path.startswith(_JIRA) and not _near(scope):
            return PlainTextResponse("Only this machine may see this.", 403)
        path = root + (path or "/")
        scope.update(path=path, raw_path=path.encode(), root_path=root, gateway=gateway)
        return None


def _near(scope: Scope) -> bool:
    """The request comes from this machine."""
    client = scope.get("client")
    return client is None or ip_address(client[0]).is_loopback
