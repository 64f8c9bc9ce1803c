"""The tools of the memory's agents. All that they read was written by others; what they write goes through `rules.py`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from triage.agent.toolbox import LiveName, tool
from triage.config.shapes.base import Form
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.memory.errors import NoteChanged
from triage.domain.memory.notes import CommitmentStatus, Note, NoteKind, NoteStatus, Quadrant
from triage.domain.ports import MemoryMails
from triage.domain.untrusted import Untrusted
from triage.policy.memory.dedup import merged
from triage.policy.memory.notes.writing import trust_of
from triage.toolsets.memory.context import MemoryContext
from triage.toolsets.memory.rules import READS_SENT, WRITES_NOTES
from triage.toolsets.memory.shown import graph_shown, line_of, mail_of, whole

BATCH: Final = 10
"""Mails of one reading."""
MOST_SENT: Final = 50
MOST_LISTED: Final = 50
MOST_WALKED: Final = 3
NOTE: Final = "note"
"""Noun of notes, which are resolved to their ids."""
NODE: Final = "node"
Kind = Literal["decisions", "people", "commitments", "action_required", "insights"]
Status = Literal["active", "closed", "expired", "dismissed"]
Names = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)]
OneNote = Annotated[str, LiveName(NOTE, "Id of a note, such as commitments/2026-11-22-send-the-report.", longest=300)]
ManyNotes = Annotated[list[str], LiveName(NOTE, "Ids of notes.", longest=300)]


@tool(Grant.READ)
async def read_emails(
    at: MemoryContext,
    after: Annotated[
        str,
        Form(r"^(case-\d{1,18})?$", "write the case after which to go on, such as case-17"),
        Field(description="Case after which to go on, such as case-17; empty: the first."),
    ] = "",
) -> Json:
    """Read the next ten received mails, oldest first, each with its case, its sender and how far that is proven."""
    mails = await _mails(at).received(after, BATCH)
    return {"mails": [mail_of(mail, at.nonce) for mail in mails], "after": mails[-1].case if mails else ""}


@tool(Grant.READ, READS_SENT)
async def fetch_sent_emails(
    at: MemoryContext,
    days: Annotated[int, Field(ge=1, le=180, description="Sent within so many days.")] = 14,
    to: Annotated[str, Field(max_length=200, description="Only mails to this address.")] = "",
) -> Json:
    """Read mails that our own people sent, newest first. A mail to a person closes nothing: read what it says and answers."""
    since = at.clock.now() - timedelta(days=days)
    mails = await _mails(at).sent(since, MOST_SENT)
    wanted = [mail for mail in mails if not to or to.casefold() in {one.casefold() for one in mail.to}]
    return {"mails": [mail_of(mail, at.nonce) for mail in wanted]}


@tool(Grant.READ)
async def search_vault(
    at: MemoryContext,
    query: Annotated[str, Field(max_length=400)],
    kind: Kind | None = None,
    status: Status | None = None,
    limit: Annotated[int, Field(ge=1, le=30)] = 10,
) -> Json:
    """Find notes by words, people, tickets; best first. Read a note with read_memory before you rely on it."""
    hits = await at.notes.search(query, limit, kind=_kind(kind), status=_status(status))
    return {"notes": [{**line_of(hit.note), "score": hit.score} for hit in hits]}


@tool(Grant.READ)
async def read_memory(at: MemoryContext, note: OneNote) -> Json:
    """Read one note whole: its text, its sources, its latest changes."""
    found = await at.notes.get(note)
    if found is None:
        raise ToolRefused(f"{note} is gone")
    return whole(found, at.nonce)


@tool(Grant.READ)
async def list_memories(
    at: MemoryContext,
    kind: Kind | None = None,
    status: Status | None = None,
    owner: Annotated[str, Field(max_length=200)] = "",
    due_before: date | None = None,
) -> Json:
    """List notes of a kind, a status, an owner, or due before a day; by deadline, then by id."""
    notes = await at.notes.list(kind=_kind(kind), status=_status(status))
    wanted = [
        note
        for note in notes
        if (not owner or owner.casefold() in note.owner.casefold())
        and (due_before is None or (note.deadline is not None and note.deadline < due_before))
    ]
    wanted.sort(key=lambda note: (note.deadline or date.max, note.id))
    return {"notes": [line_of(note) for note in wanted[:MOST_LISTED]], "total": len(wanted)}


@tool(Grant.READ)
async def get_vault_index(at: MemoryContext) -> Json:
    """Show the newest notes of each kind in a line each, and how many there are."""
    index = await at.notes.index()
    return {
        kind.value: {"total": len(notes), "newest": [line_of(note) for note in notes[: MOST_LISTED // 2]]}
        for kind, notes in index.items()
    }


@tool(Grant.READ)
async def get_vault_stats(at: MemoryContext) -> Json:
    """Count the notes by kind and by status."""
    stats = await at.notes.stats()
    return {
        "notes": stats.notes,
        "by_kind": stats.by_kind,
        "by_status": stats.by_status,
        "unreadable_files": stats.problems,
    }


@tool(Grant.READ)
async def get_graph(at: MemoryContext) -> Json:
    """Show the knowledge graph of notes, people, tickets and mails: its size, and what is connected most."""
    return graph_shown(await at.notes.graph())


@tool(Grant.READ)
async def traverse_graph(
    at: MemoryContext,
    start: Annotated[
        str,
        LiveName(
            NODE, "A note's id, or a node such as person:ann@acme.example, ticket:HARB-12, mail:case-17.", longest=300
        ),
    ],
    depth: Annotated[int, Field(ge=1, le=MOST_WALKED)] = 1,
) -> Json:
    """Walk the knowledge graph from a node, so many steps far, in both directions."""
    return graph_shown(await at.notes.traverse(start, depth))


@tool(Grant.WRITE, WRITES_NOTES)
async def write_memory(  # noqa: PLR0913 - one argument per field of a note
    at: MemoryContext,
    *,
    kind: Kind,
    title: Annotated[str, Field(max_length=200, description="One sentence; needed for a new note.")] = "",
    text: Annotated[str, Field(max_length=4000, description="What is known, in plain sentences.")] = "",
    note: Annotated[str, LiveName(NOTE, "The note that is changed; leave it out for a new one.", longest=300)] = "",
    people: Names = [],  # noqa: B006 - the toolbox copies it
    tags: Names = [],  # noqa: B006
    owner: Annotated[str, Field(max_length=200)] = "",
    deadline: date | None = None,
    quadrant: Literal["do", "schedule", "delegate", "eliminate"] | None = None,
    priority_justification: Annotated[str, Field(max_length=500)] = "",
    status: Status | None = None,
    commitment_status: Literal["invited", "confirmed", "declined", "tentative"] | None = None,
    evidence: Annotated[
        str, Field(max_length=300, description="For a status: message_id of the sent mail, or key of the done ticket.")
    ] = "",
    source_emails: Names = [],  # noqa: B006
    source_memories: ManyNotes = [],  # noqa: B006
    related_to: ManyNotes = [],  # noqa: B006
    tickets: Names = [],  # noqa: B006
) -> Json:
    """Write one note, or change one. A note that says what another says is merged into that. Search before you write."""
    proposed = Note(
        id=f"{kind}/",
        kind=NoteKind(kind),
        title=title,
        text=Untrusted(text),
        people=tuple(people),
        tags=tuple(tags),
        owner=owner,
        deadline=deadline,
        quadrant=Quadrant(quadrant) if quadrant else None,
        priority_justification=priority_justification,
        commitment_status=CommitmentStatus(commitment_status) if commitment_status else None,
        related_to=tuple(related_to),
        tickets=tuple(tickets),
    )
    proposed = await _with_sources(at, proposed, source_emails, source_memories)
    before = await at.notes.get(note) if note else None
    new = _changed(before, proposed, status) if before else proposed
    try:
        written = await at.notes.write(new, at.agent, before=before, what=evidence if before else "")
    except NoteChanged:
        raise ToolRefused(f"somebody has changed {note or title} meanwhile: read it again, then decide") from None
    similar = {"similar": written.similar} if written.similar else {}
    return {"outcome": written.outcome, "note": written.note.id, **similar}


async def _with_sources(at: MemoryContext, note: Note, emails: Sequence[str], memories: Sequence[str]) -> Note:
    """Return the note with what its sources prove: date, senders and trust; only tickets that a source names stay."""
    mails = [at.facts[name] for name in emails]
    sources = [found for name in memories if (found := await at.notes.get(name))]
    inherited = [case for source in sources for case in source.source_emails] if at.rights.derived else []
    days = (*(mail.at.date() for mail in mails), *(source.created for source in sources if source.created))
    named = _tickets_of(at, emails, sources)
    return replace(
        note,
        created=max(days, default=None),
        source_emails=tuple(dict.fromkeys((*(mail.case for mail in mails), *inherited))),
        source_memories=tuple(source.id for source in sources),
        source_senders=_senders(sources, [mail.sender for mail in mails]),
        tickets=tuple(key for key in note.tickets if key in named),
        trust=trust_of(mails, sources),
    )


def _tickets_of(at: MemoryContext, emails: Sequence[str], sources: Sequence[Note]) -> set[str]:
    """Return the tickets that this run, the observed mails or the source notes name."""
    observed = (key for name in emails if name in at.observed for key in at.observed[name].tickets)
    return {*at.tickets, *observed, *(key for source in sources for key in source.tickets)}


def _changed(before: Note, proposed: Note, status: str | None) -> Note:
    """Return the note with what is set; a text is added as a part with its sources, nothing that stands there is replaced."""
    given: dict[str, Any] = {
        name: value
        for name in ("owner", "deadline", "quadrant", "priority_justification", "commitment_status")
        if (value := getattr(proposed, name))
    }
    for name in ("people", "tags", "tickets", "related_to"):
        more = (each for each in getattr(proposed, name) if each != before.id)
        given[name] = tuple(dict.fromkeys((*getattr(before, name), *more)))
    note = replace(before, **given, status=NoteStatus(status) if status else before.status)
    if not proposed.text:
        return note
    return merged(note, replace(proposed, title=note.title, people=(), tags=(), tickets=(), related_to=()))


def _senders(sources: Sequence[Note], senders: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*senders, *(one for source in sources for one in source.source_senders))))


def _mails(at: MemoryContext) -> MemoryMails:
    if at.mails is None:
        raise ToolRefused("this run reads no mail")
    return at.mails


def _kind(kind: str | None) -> NoteKind | None:
    return NoteKind(kind) if kind else None


def _status(status: str | None) -> NoteStatus | None:
    return NoteStatus(status) if status else None


MEMORY_TOOLS: Final = (
    read_emails,
    fetch_sent_emails,
    write_memory,
    read_memory,
    search_vault,
    list_memories,
    get_vault_index,
    get_vault_stats,
    get_graph,
    traverse_graph,
)
"""All ten, in the order of the permission matrix."""
