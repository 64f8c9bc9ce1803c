"""Letters: what Triage writes to people, as it will leave, and a letter taken back or sent again."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from starlette.exceptions import HTTPException

from triage.domain.errors import Refused
from triage.domain.letters import Letter, LetterState
from triage.policy.letters.rendering import plain_text
from triage.services.letters.service import AGAIN
from web.console.console import Console
from web.console.guard import Approver, Reader, Viewer
from web.console.pages.parameters import Number, Place
from web.console.render import after
from web.console.words import TextPiece, pieces

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


pages = APIRouter(prefix=LIST)


async def _page(console: Console, number: int, status: int = 200, error: str = "") -> Response:
    letter = await console.services.letters.letter(number)
    if letter is None:
        raise HTTPException(404, "There is no letter with this number.")
    view = LetterView(letter, pieces(plain_text(letter)))
    return console.page("letters/one.html", status, view=view, error=error)


@pages.get("")
async def letters(console: Console, visitor: Viewer, state: State = "", before: Place = 0) -> Response:
    """List letters, the latest first; a viewer sees that they were written, and no words."""
    chosen = LetterState(state) if state else None
    found = await console.services.letters.letters(SHOWN + 1, state=chosen, before=before or None)
    facts = {"state_chosen": state, "states": tuple(LetterState), "words": visitor.may("reader")}
    more = found[SHOWN - 1].id if len(found) > SHOWN else 0
    return console.page("letters/list.html", lines=found[:SHOWN], more=more, **facts)


@pages.get("/{number}")
async def letter(console: Console, _: Reader, number: Number) -> Response:
    """Show one as it leaves."""
    return await _page(console, number)


@pages.post("/{number}/undo")
async def undo(console: Console, visitor: Approver, number: Number) -> Response:
    """Take it back, while it has not left."""
    try:
        taken = await console.services.letters.undo(number, visitor.approver.identity)
    except Refused as e:
        return await _page(console, number, 409, e.sentence())
    return after(f"{LIST}/{number}", f"Letter {taken.id} is taken back: it does not leave.")


@pages.post("/{number}/again")
async def again(console: Console, visitor: Approver, number: Number) -> Response:
    """Send it again, where it was refused or returned, or nobody knows whether it left."""
    try:
        fresh = await console.services.letters.again(number, visitor.approver.identity)
    except Refused as e:
        return await _page(console, number, 409, e.sentence())
    return after(f"{LIST}/{number}", f"Letter {fresh.id} is sent again.")
