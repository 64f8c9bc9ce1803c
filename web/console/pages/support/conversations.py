"""Conversations with customers: those that wait for a person first, and each with its messages and what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.exceptions import HTTPException

from triage.domain.errors import CaseNotFound
from triage.domain.reports import Report
from triage.domain.support.conversations import SupportStatus
from triage.domain.support.dialogues import Author, DialogueMessage
from web.console.guard import Approver, Viewer
from web.console.pages.knowledge.editing import link_to
from web.console.render import Render
from web.console.words import Piece, pieces
from web.context import SupportRoom, WebContext

LIST: Final = "/support"
SHOWN: Final = 100
"""Conversations of the list."""
TURNS: Final = 30
"""Mails of a conversation that its page shows, the latest."""
WHO: Final = {Author.USER: "Customer", Author.AI: "Triage", Author.SYSTEM: "Triage, to the person who takes over"}
Number = Annotated[int, Path(ge=1, le=2_000_000_000)]
Status = Annotated[str, Query(pattern=f"^({'|'.join(SupportStatus)})?$")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One mail of a conversation: what was said, and what Triage has decided about it."""

    case: str
    messages: tuple[tuple[DialogueMessage, tuple[Piece, ...]], ...]
    report: Report | None
    """None: the case was forgotten."""


def conversation_pages(at: WebContext, room: SupportRoom, render: Render) -> APIRouter:
    """Return the pages of the conversations."""
    pages = APIRouter(prefix=LIST)

    async def report(case: str) -> Report | None:
        try:
            return await at.reports.report(case)
        except CaseNotFound:
            return None

    async def turns(messages: Sequence[DialogueMessage]) -> tuple[Turn, ...]:
        cases = tuple(dict.fromkeys(one.case for one in messages))[-TURNS:]
        said = {case: tuple((one, pieces(one.text)) for one in messages if one.case == case) for case in cases}
        return tuple([Turn(case=case, messages=said[case], report=await report(case)) for case in cases])

    @pages.get("")
    async def conversations(http: Request, visitor: Viewer, status: Status = "") -> Response:
        """List conversations; a viewer sees how they stand, and no words."""
        chosen = SupportStatus(status) if status else None
        lines = await room.conversations.queue(chosen, SHOWN + 1)
        facts = {"chosen": status, "statuses": tuple(SupportStatus), "words": visitor.may("approver")}
        more = len(lines) > SHOWN
        return render.page(http, "support/list.html", lines=lines[:SHOWN], more=more, now=room.now(), **facts)

    @pages.get("/{number}")
    async def conversation(http: Request, _: Approver, number: Number) -> Response:
        """Show one: what was said, what was decided and why, and what it became."""
        found = await room.conversations.conversation(number)
        if found is None:
            raise HTTPException(404, "There is no conversation with this number.")
        messages = await room.conversations.messages(number)
        facts = {"who": WHO, "link": link_to, "now": room.now()}
        return render.page(http, "support/one.html", one=found, turns=await turns(messages), **facts)

    return pages
