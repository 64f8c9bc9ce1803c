"""The mail of a case in a browser: in a frame that runs, loads and sends nothing, its links as text, its files as downloads."""

import base64
import hashlib
import re
from html import escape
from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import HTMLResponse

from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.mail import Attachment, MailLink, MailView
from triage.domain.operations.errors import MailGone
from triage.domain.text.visible import visible
from web.console.console import Console
from web.console.guard import Reader
from web.console.headers import PRIVATE
from web.console.pages.parameters import CaseNumber

STYLE: Final = (
    ":root{color-scheme:light dark;--page:light-dark(#fff,#191e27);--text:light-dark(#1b212d,#e5e9f0);"
    "--soft:light-dark(#5d6779,#9ba6b8);--line:light-dark(#dfe3ea,#2d3543);--mark:light-dark(#fff1b8,#5a4a12);"
    "--hid:light-dark(#fce8e6,#3a1a18);--bad:light-dark(#a3261e,#ff9d94)}"
    "html{background:var(--page)}"
    "body{margin:0;padding:14px 16px;color:var(--text);font:14px/1.55 system-ui,'Segoe UI',Roboto,sans-serif;"
    "overflow-wrap:anywhere}"
    "p,div,li,td,th,pre,blockquote,h1,h2,h3,h4,h5,h6{unicode-bidi:plaintext;text-align:start}"
    "h1{font-size:18px}h2{font-size:16px}h3,h4,h5,h6{font-size:14px}"
    ".plain,pre{white-space:pre-wrap;font-family:inherit;margin:0}"
    "pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px}"
    "img{max-width:100%;height:auto}table{border-collapse:collapse;max-width:100%}td,th{padding:2px 8px 2px 0;vertical-align:top}"
    "blockquote{margin:6px 0;padding-left:12px;border-left:3px solid var(--line);color:var(--soft)}"
    "blockquote blockquote blockquote blockquote{padding-left:2px;border-left-width:1px}"
    "details{margin:8px 0}summary{cursor:pointer;color:var(--soft)}"
    "mark{background:var(--mark);color:inherit;border-radius:3px;padding:0 2px}"
    "mark sup{font-size:10px;color:var(--soft);margin-left:3px}"
    "mark.hidden{background:var(--hid)}mark.hidden::before{content:'hidden: ';color:var(--bad);font-size:11px}"
    ".to,.gone{font-size:12px;color:var(--soft)}.to::before{content:'\\2192\\00a0'}"
    ".gone{border:1px dashed var(--line);border-radius:6px;padding:1px 7px}"
    ".note{color:var(--soft);font-size:12px;border-top:1px solid var(--line);padding-top:8px}"
)
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
FRAME: Final = {
    **PRIVATE,
    "content-security-policy": (
        f"sandbox; default-src 'none'; img-src data:; style-src 'sha256-{_HASH}'; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'"
    ),
    "referrer-policy": "no-referrer",
    "x-frame-options": "SAMEORIGIN",
}
FILE: Final = {
    **PRIVATE,
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}
SAFE_KINDS: Final = frozenset(
    {
        *("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain"),
        *("text/csv", "application/zip"),
    }
)
"""Types that a download may have; all others are bytes that no browser shows."""
_PLAIN_NAME: Final = re.compile(r"[^A-Za-z0-9._ -]")

pages = APIRouter()


@pages.get("/{number}/mail")
async def mail(
    console: Console, _: Reader, number: CaseNumber, plain: Annotated[Literal["", "1"], Query()] = ""
) -> Response:
    """Return the mail as a page for a sandboxed frame, or why it cannot be shown: a page of errors could not be framed."""
    try:
        view = await console.services.mails.view(number, plain=bool(plain))
    except (MailGone, MailUnreadable, NotAMail) as e:
        view = MailView(html=f'<p class="note">{escape(visible(e.sentence()))}</p>')
    note = '<p class="note">The mail is longer: the rest is in the download.</p>' if view.cut else ""
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>Mail</title><style>{STYLE}</style></head>'
        f"<body>{view.html}{note}</body></html>"
    )
    return HTMLResponse(page.encode("utf-8", "replace"), headers=FRAME)


@pages.get("/{number}/links")
async def links(console: Console, _: Reader, number: CaseNumber) -> Response:
    """List where the links of the mail lead, of its HTML and of its plain text; a person opens them from here, or not at all."""
    views = [await console.services.mails.view(number, plain=plain) for plain in (False, True)]
    found: dict[str, MailLink] = {}
    for link in (link for view in views for link in view.links):
        found.setdefault(link.target, link)
    return console.page("case/links.html", number=number, links=tuple(found.values()))


@pages.get("/{number}/attachments/{file}")
async def attachment(
    console: Console, _: Reader, number: CaseNumber, file: Annotated[int, Path(ge=1, le=9999)]
) -> Response:
    found, content = await console.services.mails.attachment(number, file)
    kind = found.content_type if found.content_type in SAFE_KINDS else "application/octet-stream"
    return Response(content, headers={**FILE, "content-type": kind, "content-disposition": saved_as(found, file)})


def saved_as(file: Attachment, number: int) -> str:
    """Return the header that makes a download of an attachment, with its name as RFC 6266 writes it."""
    name = visible(file.name).replace("/", "_").replace("\\", "_").strip(". ") or f"attachment-{number}"
    plain = _PLAIN_NAME.sub("_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name.encode('utf-8', 'replace'), safe='')}"
