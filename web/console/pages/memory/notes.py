"""Notes: found by words, kind and state, and each on a page of its own, where people change it."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from triage.domain.errors import Refused
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, Quadrant
from triage.domain.operations.tokens import AccessScope
from triage.domain.text.truncation import truncated
from triage.policy.letters.markdown import plain_of
from triage.services.memory.board import Edited
from web.console.console import Console
from web.console.guard import Approver, Viewer
from web.console.pages.memory.board import QUADRANTS
from web.console.pages.memory.layout import NOTES, PLURALS, Kind, MemoryLayout, Name, kind_word, note_url
from web.console.render import after
from web.context import MemoryServices

SHOWN: Final = 100
"""Notes of a page."""
EXCERPT: Final = 200
"""Characters of its text that a line of the list shows."""
OneKind = Annotated[str, Query(pattern=f"^({'|'.join(NoteKind)})?$")]
OneStatus = Annotated[str, Query(pattern=f"^({'|'.join(NoteStatus)}|all)?$")]
Words = Annotated[str, Query(max_length=300)]


class NoteForm(BaseModel):
    """What somebody has written into the form of a note."""

    version: str = Field(max_length=64)
    title: str = Field(max_length=500)
    text: str = Field("", max_length=200_000)
    owner: str = Field("", max_length=500)
    deadline: str = Field("", max_length=40)
    quadrant: str = Field("", pattern=f"^({'|'.join(Quadrant)})?$")
    status: NoteStatus = NoteStatus.ACTIVE
    tickets: str = Field("", max_length=500)

    @property
    def edited(self) -> Edited:
        return Edited(
            title=self.title,
            text=self.text,
            owner=self.owner,
            deadline=self.deadline,
            quadrant=self.quadrant,
            status=self.status,
            tickets=tuple(self.tickets.replace(",", " ").split()),
        )


pages = APIRouter(prefix=NOTES)


@pages.get("")
async def notes(
    console: Console,
    who: Viewer,
    kind: OneKind = "",
    status: OneStatus = "",
    q: Words = "",
    page: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """List notes, the latest first; with words the best first. A viewer finds by title and owner, as lists show them."""
    lines = await found(console.memory, kind, status, q, whole=who.may(AccessScope.READER))
    page_of = lines[page * SHOWN : (page + 1) * SHOWN]
    return console.page(
        "memory/notes.html",
        around=MemoryLayout(at=NOTES),
        lines=page_of,
        excerpts={note.id: excerpt(note) if who.may(AccessScope.READER) else "" for note in page_of},
        today=console.memory.today(),
        note_url=note_url,
        kind_word=kind_word,
        kinds=PLURALS,
        statuses=tuple(NoteStatus),
        chosen={"kind": kind, "status": status, "q": q},
        problems=await console.memory.notes.problems(),
        total=len(lines),
        page=page,
        more=len(lines) > (page + 1) * SHOWN,
    )


@pages.get("/{kind}/{name}")
async def note(console: Console, _: Viewer, kind: Kind, name: Name) -> Response:
    """Show a note: its fields, text, sources and changelog; a viewer sees no words of mails."""
    return await note_page(console, f"{kind}/{name}")


@pages.post("/{kind}/{name}/edit")
async def edit(console: Console, who: Approver, kind: Kind, name: Name, form: Annotated[NoteForm, Form()]) -> Response:
    """Write what a person has changed; what somebody else has changed meanwhile is never overwritten."""
    edited = form.edited
    try:
        await console.memory.board.edit(f"{kind}/{name}", form.version, edited, who.approver.identity)
    except Refused as e:
        return await note_page(console, f"{kind}/{name}", e.sentence(), edited)
    return after(note_url(f"{kind}/{name}"), "The note is changed.")


async def found(memory: MemoryServices, kind: str, status: str, words: str, *, whole: bool) -> tuple[Note, ...]:
    """Return notes, the best or else the latest first; unless `whole` is set, words are looked for in titles and owners alone."""
    wanted = NoteKind(kind) if kind else None
    state = None if status == "all" else NoteStatus(status or NoteStatus.ACTIVE)
    if words.strip() and whole:
        hits = await memory.notes.search(words, SHOWN, kind=wanted, status=state)
        return tuple(hit.note for hit in hits)
    notes = [note for note in await memory.notes.list(kind=wanted, status=state) if named_by(note, words)]
    return tuple(sorted(notes, key=lambda note: (str(note.updated or note.created), note.id), reverse=True))


def excerpt(note: Note) -> str:
    """Return the beginning of a note's text on one line, without what its title says already."""
    words = " ".join(plain_of(note.text[: 4 * EXCERPT]).split())
    title = note.title.rstrip(" .…")
    if not words.casefold().startswith(title.casefold()):
        return truncated(words, EXCERPT)
    rest = words[len(title) :].lstrip(" .…")
    return truncated(f"… {rest}" if rest and note.title.endswith("…") else rest, EXCERPT)


async def note_page(console: Console, name: str, error: str = "", written: Edited | None = None) -> Response:
    """Return the page of a note; with an error the form holds what was written. Answers 404 where there is no such note."""
    note = await console.memory.notes.get(name)
    if note is None:
        raise HTTPException(404, "There is no note of this name: it was removed, merged into another one, or renamed.")
    card = await console.memory.board.card(note)
    return console.page(
        "memory/note.html",
        409 if error else 200,
        around=MemoryLayout(at=NOTES),
        card=card,
        form=written or form_of(card.note),
        error=error,
        quadrants=QUADRANTS,
        statuses=tuple(NoteStatus),
        kind_word=kind_word,
        note_url=note_url,
    )


def named_by(note: Note, words: str) -> bool:
    """Tell whether each word stands in a note's title or owner: who may not read texts must not find out what they hold."""
    shown = f"{note.title} {note.owner}".casefold()
    return all(word in shown for word in words.casefold().split())


def form_of(note: Note) -> Edited:
    return Edited(
        title=note.title,
        text=note.text,
        owner=note.owner,
        deadline=note.deadline.isoformat() if note.deadline else "",
        quadrant=note.quadrant or "",
        status=note.status,
        tickets=note.tickets,
    )
