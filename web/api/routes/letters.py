"""`/api/v1/letters`: what Triage writes to people, and a letter taken back."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from triage.domain.cases import case_id
from triage.domain.letters import LetterState
from triage.domain.operations.tokens import Scope
from web.api.guard import Approver, Viewer, decider
from web.api.pages import Page, cursor_of, place_of
from web.api.problems import NOT_FOUND, STALE
from web.api.shapes.letters import LetterQuery, LetterShape, letter_shape
from web.context import WebContext

Number = Annotated[int, Path(ge=1, le=2_000_000_000, examples=[1])]


def letter_routes(at: WebContext) -> APIRouter:
    """Return the routes about letters."""
    routes = APIRouter(tags=["letters"])

    @routes.get("/letters")
    async def letters(token: Viewer, query: Annotated[LetterQuery, Query()]) -> Page[LetterShape]:
        """List letters, the latest first; a viewer gets them without recipients and words."""
        place = place_of("letters", query.cursor)
        found = await at.letters.letters(
            query.limit + 1,
            case_id(query.case) if query.case else None,
            LetterState(query.state) if query.state else None,
            int(place) if place else None,
        )
        shown, words = found[: query.limit], token.scope.covers(Scope.READER)
        more = cursor_of("letters", str(shown[-1].id)) if len(found) > len(shown) else None
        return Page(items=[letter_shape(one, words=words) for one in shown], next=more)

    @routes.post("/letters/{number}/undo", responses={**NOT_FOUND, **STALE})
    async def undo(token: Approver, number: Number) -> LetterShape:
        """Take a letter back that has not left (`LETTER_DELAY_SECONDS`)."""
        if await at.letters.letter(number) is None:
            raise HTTPException(404, "there is no letter with this number")
        return letter_shape(await at.letters.undo(number, decider(token)), words=True)

    return routes
