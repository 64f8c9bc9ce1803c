"""Letters: what Triage writes to people, as it will leave, and a letter taken back or sent again."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from triage.domain.errors import Refused
from triage.domain.letters import Letter, LetterState
from triage.policy.letters.rendering import plain_text
from triage.services.letters.service import AGAIN
from web.console.guard import Approver, Reader, Viewer
from web.console.pages.parameters import Number, Place
from web.console.render import Render, after
from web.console.words import TextPiece, pieces
from web.context import WebContext

State = Annotated[str, Query(pattern=f"^({'|'.join(LetterState)})?$")]
LIST: Final = "/letters"
SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class LetterView:
    """A letter, and what may be done about it."""

    letter: Letter
    text: tuple[TextPiece, ...]
    """As its plain form leaves, with what it quotes."""

    @property
    def back(self) -> bool:
        """It has not left, and can be taken back."""
        return self.letter.state is LetterState.WAITING

    @property
    def again(self) -> bool:
        """A person may have it sent again."""
        return self.letter.state in AGAIN


def letter_pages(at: WebContext, render: Render) -> APIRouter:
    pages = APIRouter(prefix=LIST)

    async def page(http: Request, number: int, status: int = 200, error: str = "") -> Response:
        letter = await at.letters.letter(number)
        if letter is None:
            raise HTTPException(404, "There is no letter with this number.")
        view = LetterView(letter, pieces(plain_text(letter)))
        return render.page(http, "letters/one.html", status, view=view, error=error)

    @pages.get("")
    async def letters(http: Request, visitor: Viewer, state: State = "", before: Place = 0) -> Response:
        """List letters, the latest first; a viewer sees that they were written, and no words."""
        chosen = LetterState(state) if state else None
        found = await at.letters.letters(SHOWN + 1, state=chosen, before=before or None)
        facts = {"state_chosen": state, "states": tuple(LetterState), "words": visitor.may("reader")}
        more = found[SHOWN - 1].id if len(found) > SHOWN else 0
        return render.page(http, "letters/list.html", lines=found[:SHOWN], more=more, **facts)

    @pages.get("/{number}")
    async def letter(http: Request, _: Reader, number: Number) -> Response:
        """Show one as it leaves."""
        return await page(http, number)

    @pages.post("/{number}/undo")
    async def undo(http: Request, visitor: Approver, number: Number) -> Response:
        """Take it back, while it has not left."""
        try:
            taken = await at.letters.undo(number, visitor.approver.identity)
        except Refused as e:
            return await page(http, number, 409, e.sentence())
        return after(f"{LIST}/{number}", f"Letter {taken.id} is taken back: it does not leave.")

    @pages.post("/{number}/again")
    async def again(http: Request, visitor: Approver, number: Number) -> Response:
        """Send it again, where it was refused or returned, or nobody knows whether it left."""
        try:
            fresh = await at.letters.again(number, visitor.approver.identity)
        except Refused as e:
            return await page(http, number, 409, e.sentence())
        return after(f"{LIST}/{number}", f"Letter {fresh.id} is sent again.")

    return pages
