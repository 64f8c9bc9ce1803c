"""Try it: what Triage reads in a mail and which way it would take; nothing is kept and nothing is written."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.findings import Cue, Cues
from triage.domain.mail import Message, Trust
from triage.services.routing.route_tester import RouteTest
from web.console.guard import Approver
from web.console.render import Render
from web.console.words import Piece, pieces
from web.context import WebContext

CaseNumber = Annotated[str, Query(pattern="^([1-9][0-9]{0,8})?$")]
UNREADABLE: Final = (NotAMail, MailUnreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class TryView:
    """What is read in one mail."""

    message: Message
    text: tuple[Piece, ...]
    test: RouteTest
    cues: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Name, value, and the words that gave it."""


def try_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the page on which a mail is tried."""
    pages = APIRouter(prefix="/try")

    def tried(message: Message, source: str = "file", verdict: Trust | None = None) -> TryView:
        tester = at.route_tester()
        test, cues = tester.test(message, source, verdict), tester.cues(message)
        return TryView(message=message, text=pieces(message.text), test=test, cues=tuple(cues_told(cues)))

    @pages.get("")
    async def form(http: Request, _: Approver, case: CaseNumber = "") -> Response:
        """Show the form, or what is read in the mail of a case."""
        found = (await at.reports.report(case)).case if case else None
        view = tried(found.message, found.source, found.verdict) if found and found.message else None
        return render.page(http, "tryit/page.html", view=view, pasted="", error="", case=case)

    @pages.post("")
    async def mail(http: Request, _: Approver) -> Response:
        """Read what was pasted or dropped."""
        fields = await http.form()
        pasted, file = str(fields.get("mail", "")), fields.get("file")
        raw = pasted.encode()
        if isinstance(file, UploadFile) and file.size:
            raw, pasted = await file.read(at.max_mail_bytes + 1), ""
        if len(raw) > at.max_mail_bytes:
            raise HTTPException(413, f"A mail has {at.max_mail_bytes:,} bytes at most (MAX_MAIL_BYTES).")
        try:
            view = tried(await at.read(raw.replace(b"\r\n", b"\n")))
        except UNREADABLE as e:
            return render.page(http, "tryit/page.html", 422, view=None, pasted=pasted, error=str(e), case="")
        return render.page(http, "tryit/page.html", view=view, pasted=pasted, error="", case="")

    return pages


def cues_told(cues: Cues) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the cues with the words that gave them; what was not found is left out."""
    named: list[tuple[str, Cue]] = [("priority", cues.priority), ("type", cues.type)]
    named += [(name, cue) for name, cue in (("fixed", cues.fixed), ("question", cues.question)) if cue.value != "no"]
    told = [(name, cue.value, cue.evidence) for name, cue in named]
    told += [("technology", one.value, one.evidence) for one in cues.technologies]
    told += [("ticket key", key, ()) for key in cues.keys]
    return told
