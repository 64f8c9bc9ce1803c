"""`/api/v1/letters`: what Triage writes to people, and a letter taken back."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.exceptions import HTTPException

from triage.domain.cases import case_id
from triage.domain.letters import Letter, LetterState
from triage.domain.operations.tokens import AccessScope
from web.api.guard import Approver, Viewer, decider
from web.api.pages import Page, PageQuery, cursor_of, place_of
from web.api.problems import NOT_FOUND, STALE
from web.api.services import Services
from web.api.shapes.parts import AnyCase, Number, Part

State = Literal["", "waiting", "sending", "sent", "unknown", "draft", "cancelled", "refused", "bounced"]


class LetterQuery(PageQuery):
    """Which letters to list."""

    case: AnyCase = Field("", description="Only those of this case: 17 or case-17.")
    state: State = Field("", description="Only these.")


class LetterWords(Part):
    """To whom, and what; viewers do not get it."""

    recipients: list[str] = Field(examples=[["ada@example.com"]])
    subject: str = Field(examples=["Re: The export stops at 40 %"])
    body: str = Field(description="Markdown.")
    files: list[str] = Field(examples=[["invitation.ics"]])
    note: str = Field(description="Why it is in this state.", examples=["in the folder of drafts"])


class LetterShape(Part):
    """A letter and what became of it."""

    id: int = Field(examples=[1])
    case: str = Field(examples=["case-17"])
    kind: str = Field(examples=["answer"])
    state: str = Field(
        examples=["waiting"],
        description="`waiting` can be taken back; `unknown` may have left, and a person decides (`triage letters again`).",
    )
    draft: bool
    automatic: bool = Field(description="No person has accepted it.")
    ticket: str = Field(examples=["HARB-72"], description="Empty: none.")
    language: str = Field(examples=["en"])
    message_id: str = Field(examples=["triage.17.0.reply_1.0@example.com"])
    attempts: int
    queued_at: datetime | None
    started_at: datetime | None = Field(description="Begin of the last try to send it.")
    due_at: datetime | None = Field(description="When it is looked after next; null: not by itself.")
    by: str = Field(examples=["ada@example.com"], description="Who accepted it or took it back.")
    details: LetterWords | None = Field(description="Null for viewers.")


routes = APIRouter(tags=["letters"])


@routes.get("/letters")
async def letters(at: Services, token: Viewer, query: Annotated[LetterQuery, Query()]) -> Page[LetterShape]:
    """List letters, the latest first; a viewer gets them without recipients and words."""
    place = place_of("letters", query.cursor)
    found = await at.letters.letters(
        query.limit + 1,
        case_id(query.case) if query.case else None,
        LetterState(query.state) if query.state else None,
        int(place) if place else None,
    )
    shown, words = found[: query.limit], token.scope.covers(AccessScope.READER)
    more = cursor_of("letters", str(shown[-1].id)) if len(found) > len(shown) else None
    return Page(items=[letter_shape(one, words=words) for one in shown], next=more)


@routes.post("/letters/{number}/undo", responses={**NOT_FOUND, **STALE})
async def undo(at: Services, token: Approver, number: Number) -> LetterShape:
    """Take a letter back that has not left (`LETTER_DELAY_SECONDS`)."""
    if await at.letters.letter(number) is None:
        raise HTTPException(404, "there is no letter with this number")
    return letter_shape(await at.letters.undo(number, decider(token)), words=True)


def letter_shape(letter: Letter, *, words: bool) -> LetterShape:
    """Return a letter; its `details` only with the right to read words."""
    values = {name: getattr(letter, name) for name in LetterShape.model_fields if name != "details"}
    details = LetterWords(
        recipients=list(letter.recipients),
        subject=letter.subject,
        body=letter.body,
        files=[one.name for one in letter.files],
        note=letter.note,
    )
    return LetterShape.model_validate({**values, "details": details if words else None})
