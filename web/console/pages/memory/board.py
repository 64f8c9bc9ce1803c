"""The board: actions by quadrant; people move, close and dismiss them, take that back, and order tickets."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Response

from triage.domain.errors import Refused
from triage.domain.memory.notes import NoteStatus, Quadrant
from web.console.console import Console
from web.console.guard import Approver, Viewer
from web.console.pages.memory.layout import HOME, Kind, MemoryLayout, Name, note_url
from web.console.render import after

Version = Annotated[str, Form(max_length=64)]
Back = Annotated[str, Form(pattern="^(note)?$")]
QUADRANTS: Final = {
    Quadrant.DO: ("Do now", "urgent and important"),
    Quadrant.SCHEDULE: ("Schedule", "important, not urgent"),
    Quadrant.DELEGATE: ("Delegate", "urgent, not important"),
    Quadrant.ELIMINATE: ("Drop", "neither"),
    None: ("Not sorted", "no quadrant yet"),
}
"""Name and meaning of each column."""
ENDED: Final = {NoteStatus.CLOSED: "closed", NoteStatus.DISMISSED: "dismissed", NoteStatus.ACTIVE: "open again"}

pages = APIRouter(prefix=HOME)


async def _page(console: Console, status: int = 200, error: str = "", undone: str = "") -> Response:
    columns = await console.memory.board.board()
    facts = {"quadrants": QUADRANTS, "today": console.memory.today(), "undo": undone, "note_url": note_url}
    facts["status"] = await console.memory.builds.status()
    return console.page(
        "memory/board.html", status, around=MemoryLayout(at=HOME), columns=columns, error=error, **facts
    )


@pages.get("")
async def board(console: Console, _: Viewer, undo: str = "") -> Response:
    """Show the open actions by quadrant."""
    return await _page(console, undone=undo[:200])


@pages.post("/notes/{kind}/{name}/move")
async def move(
    console: Console, who: Approver, kind: Kind, name: Name, version: Version, quadrant: Annotated[Quadrant, Form()]
) -> Response:
    """Put an action into another quadrant."""
    try:
        note = await console.memory.board.move(f"{kind}/{name}", version, quadrant, who.approver.identity)
    except Refused as e:
        return await _page(console, 409, e.sentence())
    return after(f"{HOME}?undo={note.id}", f"“{note.title}” is in “{QUADRANTS[quadrant][0]}”.")


@pages.post("/notes/{kind}/{name}/end")
async def end(
    console: Console, who: Approver, kind: Kind, name: Name, version: Version, status: Annotated[NoteStatus, Form()]
) -> Response:
    """Close or dismiss a note, or open it again."""
    try:
        note = await console.memory.board.end(f"{kind}/{name}", version, status, who.approver.identity)
    except Refused as e:
        return await _page(console, 409, e.sentence())
    return after(f"{HOME}?undo={note.id}", f"“{note.title}” is {ENDED.get(status, status)}.")


@pages.post("/notes/{kind}/{name}/undo")
async def undo(console: Console, _: Approver, kind: Kind, name: Name, back: Back = "") -> Response:
    """Take the last change of a note back."""
    try:
        note = await console.memory.board.undo(f"{kind}/{name}")
    except Refused as e:
        return await _page(console, 409, e.sentence())
    to = note_url(note.id) if back and note else HOME
    return after(to, f"“{note.title}” is what it was before." if note else "The note is gone again.")


@pages.post("/notes/{kind}/{name}/ticket")
async def ticket(console: Console, who: Approver, kind: Kind, name: Name, back: Back = "") -> Response:
    try:
        order = await console.memory.board.make_ticket(f"{kind}/{name}", who.approver)
    except Refused as e:
        return await _page(console, 409, e.sentence())
    to = note_url(f"{kind}/{name}") if back else HOME
    return after(to, f"A ticket is made of it, by {order.case}; its key stands here as soon as Jira has answered.")
