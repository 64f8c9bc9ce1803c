"""Shows who has which letters; what a letter says is text and acts nowhere."""

import secrets
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from triage_sandbox.mail.mailboxes import Mailboxes

_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{0}'; img-src data:; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


def mail_app(mailboxes: Mailboxes) -> FastAPI:
    """Answer with the mailboxes, one mailbox (`?of=ADDRESS`) and one letter; all are read-only."""
    app = FastAPI(title="Mail (sandbox)", openapi_url=None)
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def page(name: str, status: int = 200, **facts: Any) -> HTMLResponse:
        nonce = secrets.token_urlsafe(16)
        html = templates.get_template(name).render(nonce=nonce, **facts)
        return HTMLResponse(html, status, {**_HEADERS, "Content-Security-Policy": _POLICY.format(nonce)})

    @app.get("/", response_class=HTMLResponse)
    def listed(of: str = "") -> HTMLResponse:
        return page("mailboxes.html", owners=mailboxes.owners(), of=of, letters=mailboxes.letters(of))

    @app.get("/letters/{number}", response_class=HTMLResponse)
    def one(number: int) -> HTMLResponse:
        found = mailboxes.one(number)
        return page("letter.html", 404 if found is None else 200, letter=found)

    return app
