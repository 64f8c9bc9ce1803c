"""Bounds on what a browser may send before anybody knows who it is."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from web.frame import CLOSE, bounded, declares_more

FORM: Final = 1024 * 1024
"""Bytes of a form."""
LARGE: Final = ("/try",)
"""First parts of paths that take a mail."""


@dataclass(frozen=True, slots=True)
class FormLimit:
    """Middleware that answers 413 to a body that is too large, by its declared size or when it is reached."""

    app: ASGIApp
    mail: int
    """Bytes of a mail."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its body."""
        most = 2 * self.mail if scope["path"].startswith(LARGE) else FORM
        if declares_more(scope, most):
            await PlainTextResponse("This is too large.", 413, CLOSE)(scope, receive, send)
            return
        await self.app(scope, bounded(receive, most), send)
