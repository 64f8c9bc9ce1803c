"""Conversations with customers: those that wait for a person first, and each with its messages and what was decided."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from starlette.exceptions import HTTPException

from triage.domain.support.conversations import SupportStatus
from web.console.console import Console
from web.console.guard import Reader, Viewer
from web.console.pages.knowledge.editing import link_to
from web.console.pages.parameters import Number
from web.console.pages.support.turns import WHO, turns_of

LIST: Final = "/support"
SHOWN: Final = 100
"""Conversations of a page."""
Page = Annotated[int, Query(ge=1, le=1_000)]
Status = Annotated[str, Query(pattern=f"^({'|'.join(SupportStatus)})?$")]

pages = APIRouter(prefix=LIST)


@pages.get("")
async def conversations(console: Console, visitor: Viewer, status: Status = "", page: Page = 1) -> Response:
    """List conversations; a viewer sees how they stand, and no words."""
    chosen = SupportStatus(status) if status else None
    lines = await console.support.conversations.queue(chosen, SHOWN + 1, (page - 1) * SHOWN)
    words, more = visitor.may("reader"), len(lines) > SHOWN
    openings = await console.support.conversations.openings(lines) if words else {}
    facts = {"chosen": status, "statuses": tuple(SupportStatus), "words": words, "openings": openings, "page": page}
    return console.page("support/list.html", lines=lines[:SHOWN], more=more, now=console.support.now(), **facts)


@pages.get("/{number}")
async def conversation(console: Console, _: Reader, number: Number) -> Response:
    """Show one: what was said, what was decided and why, and what it became."""
    found = await console.support.conversations.conversation(number)
    if found is None:
        raise HTTPException(404, "There is no conversation with this number.")
    messages = await console.support.conversations.messages(number)
    facts = {"who": WHO, "link": link_to, "now": console.support.now()}
    return console.page(
        "support/one.html", one=found, turns=await turns_of(messages, console.services.reports), **facts
    )
