"""Try it: what Triage reads in a mail, which route it would take, and what would become of it; nothing is kept and nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from triage.domain.errors import TriageError
from triage.domain.findings import Cue, Cues
from triage.domain.mail import Message, Trust
from triage.policy.cues.language import NAMES
from triage.services.casework.dry_runs import NO_OVERRIDES, ReplayOverrides
from triage.services.routing.route_tester import RouteTest
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.case.compare import drafts_of
from web.console.words import TextPiece, pieces

CaseNumber = Annotated[str, Query(pattern="^([1-9][0-9]{0,8})?$")]
NOTHING: Final[Mapping[str, Any]] = {
    "pasted": "",
    "error": "",
    "case": "",
    "would": None,
    "drafts": (),
    "chosen": NO_OVERRIDES,
}
"""What the page has before anything is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TryView:
    """What is read in one mail."""

    message: Message
    text: tuple[TextPiece, ...]
    test: RouteTest
    languages: tuple[str, ...]
    """Their English names."""
    cues: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Name, value, and the words that gave it."""


pages = APIRouter(prefix="/try")


def _tried(console: Console, message: Message, source: str = "file", verdict: Trust | None = None) -> TryView:
    tester = console.services.route_tester()
    test, cues = tester.test(message, source, verdict), tester.cues(message)
    return TryView(
        message=message,
        text=pieces(message.text),
        test=test,
        languages=tuple(NAMES.get(one, one) for one in test.facts.languages),
        cues=tuple(cue_rows(cues)),
    )


def _page(console: Console, status: int = 200, **facts: Any) -> Response:
    known = {
        "ready": console.services.dry_runs is not None,
        "agents": sorted({one.agent for one in console.services.permissions()}),
    }
    return console.page("tryit/page.html", status, **{**NOTHING, **known, **facts})


@pages.get("")
async def form(console: Console, _: Approver, case: CaseNumber = "") -> Response:
    """Show the form, or what is read in the mail of a case."""
    found = (await console.services.reports.report(case)).case if case else None
    view = _tried(console, found.message, found.source, found.verdict) if found and found.message else None
    return _page(console, view=view, case=case)


@pages.post("")
async def mail(console: Console, _: Approver) -> Response:
    """Read what was pasted or dropped."""
    async with console.http.form() as fields:
        raw, pasted = await _sent(fields, console.services.max_mail_bytes + 1)
    if len(raw) > console.services.max_mail_bytes:
        raise HTTPException(413, f"A mail has {console.services.max_mail_bytes:,} bytes at most (MAX_MAIL_BYTES).")
    raw, view, would, error = raw.replace(b"\r\n", b"\n"), None, None, ""
    model, agent = (str(fields.get(name, "")).strip() for name in ("model", "agent"))
    chosen = ReplayOverrides(model=model[:100], profile=agent[:60])
    try:
        view = _tried(console, await console.services.read(raw))
        if fields.get("decide") and console.services.dry_runs:
            would = await console.services.dry_runs.mail(raw, chosen)
    except TriageError as e:
        error = e.sentence()
    status = 422 if view is None else 200
    drafts = tuple(drafts_of(would)) if would else ()
    return _page(console, status, view=view, pasted=pasted, error=error, would=would, drafts=drafts, chosen=chosen)


def cue_rows(cues: Cues) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the cues with the words that gave them; what was not found is left out."""
    named: list[tuple[str, Cue]] = [("priority", cues.priority), ("type", cues.type)]
    named += [(name, cue) for name, cue in (("fixed", cues.fixed), ("question", cues.question)) if cue.value != "no"]
    rows = [(name, cue.value, cue.evidence) for name, cue in named]
    rows += [("technology", one.value, one.evidence) for one in cues.technologies]
    rows += [("ticket key", key, ()) for key in cues.keys]
    return rows


async def _sent(fields: FormData, most: int) -> tuple[bytes, str]:
    """Return the mail, and its text where it was pasted; a file counts more."""
    pasted, file = str(fields.get("mail", "")), fields.get("file")
    if isinstance(file, UploadFile) and file.size:
        return await file.read(most), ""
    return pasted.encode(), pasted
