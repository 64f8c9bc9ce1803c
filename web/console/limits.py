"""Bounds on what a browser may send before anybody knows who it is."""

from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FORM: Final = 1024 * 1024
"""Bytes of a form."""
LARGE: Final = ("/try",)
"""First parts of paths that take a mail."""
CLOSE: Final = {"connection": "close"}
"""Where we do not read the rest."""


@dataclass(frozen=True, slots=True)
class FormLimit:
    """Middleware that answers 413 to a body that is too large, by its declared size or when it is reached."""

    app: ASGIApp
    mail: int
    """Bytes of a mail."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its body."""
        most = 2 * self.mail if scope["path"].startswith(LARGE) else FORM
        declared = dict(scope["headers"]).get(b"content-length", b"")
        if declared.isdigit() and int(declared) > most:
            await PlainTextResponse("This is too large.", 413, CLOSE)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(413, f"{most:,} bytes are the limit", CLOSE)
            return message

        await self.app(scope, counted, send)
