"""Shows who has which letters, and takes mails to the team; what a letter says is text and acts nowhere."""

import secrets
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel
from starlette.middleware.trustedhost import TrustedHostMiddleware

from triage_sandbox.mail.mailboxes import Kept, Mailboxes
from triage_sandbox.mail.writing import Desk, Proof, Undelivered, Unfit, Written

_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{0}'; img-src data:; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
_PROOFS: Final = {
    Proof.PASS: "proven: DMARC passes",
    Proof.NONE: "not proven: the domain says nothing",
    Proof.FAIL: "forged: DMARC fails",
}


def mail_app(mailboxes: Mailboxes, desk: Desk | None = None, links: Mapping[str, str] | None = None) -> FastAPI:
    """Answer with the mailboxes, one mailbox (`?of=ADDRESS`), one letter and, with a desk, a form to write to it.

    `links` stand on each page: what else runs, by name.
    """
    app = FastAPI(title="Mail (sandbox)", openapi_url=None)
    # A page of another host name that leads here must not write in a visitor's name.
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"])
    page = _Pages(desk, links or {})

    @app.get("/", response_class=HTMLResponse)
    def listed(of: str = "", sent: bool = False) -> HTMLResponse:  # noqa: FBT001, FBT002 - a query's word
        letters = mailboxes.letters(of)
        return page("mailboxes.html", owners=mailboxes.owners(), of=of, letters=letters, sent=sent)

    @app.get("/letters/{number}", response_class=HTMLResponse)
    def one(number: int) -> HTMLResponse:
        found = mailboxes.one(number)
        return page("letter.html", 404 if found is None else 200, letter=found)

    if desk:
        _add_writing(app, mailboxes, desk, page)
    return app


class _Sent(BaseModel):
    """What a browser sends."""

    sender: str = ""
    name: str = ""
    to: str = ""
    subject: str = ""
    text: str = ""
    proof: Proof = Proof.PASS
    letter: int = 0
    """Number of the letter that is answered; 0 for none."""

    def written(self, answered: Kept | None) -> Written:
        """Return it as a mail in the thread of what it answers."""
        return Written(
            sender=self.sender.strip(),
            name=self.name,
            to=self.to,
            subject=self.subject,
            text=self.text,
            proof=self.proof,
            answers=answered.header("message-id") if answered else "",
            earlier=answered.header("references") if answered else "",
        )


class _Pages:
    """Renders the templates."""

    def __init__(self, desk: Desk | None, links: Mapping[str, str]) -> None:
        self._templates = Environment(
            loader=FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"desk": desk, "links": links, "proofs": _PROOFS}

    def __call__(self, name: str, status: int = 200, **facts: Any) -> HTMLResponse:
        nonce = secrets.token_urlsafe(16)
        html = self._templates.get_template(name).render(nonce=nonce, **facts)
        return HTMLResponse(html, status, {**_HEADERS, "Content-Security-Policy": _POLICY.format(nonce)})


def _add_writing(app: FastAPI, mailboxes: Mailboxes, desk: Desk, page: _Pages) -> None:
    """Add the form and its answer."""

    @app.get("/write", response_class=HTMLResponse)
    def write(of: str = "", letter: int = 0) -> HTMLResponse:
        answered = mailboxes.one(letter)
        return _form(page, answered, _started(answered, of), "")

    @app.post("/write")
    async def send(request: Request, form: Annotated[_Sent, Form()]) -> Response:
        if urlsplit(request.headers.get("origin", "")).netloc != request.headers["host"]:
            return Response("written on another page", 403)
        answered = mailboxes.one(form.letter)
        written = form.written(answered)
        try:
            await desk.send(written)
        except Unfit as e:
            return _form(page, answered, written, str(e), 400)
        except Undelivered as e:
            return _form(page, answered, written, str(e), 502)
        return RedirectResponse(f"/?of={quote(written.sender.lower())}&sent=true", 303)


def _form(page: _Pages, answered: Kept | None, written: Written, wrong: str, status: int = 200) -> HTMLResponse:
    return page("write.html", status, written=written, wrong=wrong, letter=answered.number if answered else 0)


def _started(answered: Kept | None, of: str) -> Written:
    """Return what stands in the form before anything is written."""
    if answered is None:
        return Written(sender=of, name="", subject="", text="")
    subject = answered.header("subject")
    quoted = "\n".join(f"> {line}" for line in answered.text.splitlines())
    return Written(
        sender=answered.to[0],
        name=parseaddr(answered.header("to"))[0],
        to=parseaddr(answered.header("reply-to") or answered.header("from"))[1],
        subject=subject if subject.lower().startswith("re:") else f"Re: {subject}",
        text=f"\n\nOn {answered.header('date')}, {answered.header('from')} wrote:\n{quoted}\n",
    )
