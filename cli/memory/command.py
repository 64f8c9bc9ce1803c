"""`triage memory`: the table of its verbs, and those that list, show, find, connect, clean up and take back notes."""

import asyncio
import getpass
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer
from rich.padding import Padding

from cli.console import print_json, screen, table
from cli.memory.build import EXIT_CODES, build, reconcile, refresh, status
from cli.verb import AsJson, load
from triage.domain.memory.notes import ForgottenNotes, Note, NoteKind, NoteProblem, NoteStatus, VaultStats
from triage.domain.text.counts import many

if TYPE_CHECKING:
    from triage.domain.memory.graph import Graph
    from triage.services.memory.notes import NoteService

T = TypeVar("T")
SHOWN: Final = 20
Kind = Annotated[NoteKind | None, typer.Option(help="Only notes of this kind.")]
Status = Annotated[NoteStatus | None, typer.Option(help="Only notes of this status.")]
Name = Annotated[str, typer.Argument(metavar="NOTE", help="Its id, file name, link, or a person.")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
memory = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Build and read the team's memory (ENABLE_MEMORY).",
)
memory.command(epilog=EXIT_CODES)(build)
memory.command(epilog=EXIT_CODES)(refresh)
memory.command(epilog=EXIT_CODES)(reconcile)
memory.command()(status)


@memory.command("list")
def list_notes(kind: Kind = None, status: Status = None, as_json: AsJson = False) -> None:
    """List the notes."""
    found = _ask(lambda notes: notes.list(kind=kind, status=status))
    if as_json:
        print_json(found)
    else:
        _print_notes(found)


@memory.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show one note whole."""

    async def one(notes: "NoteService") -> Note | None:
        return await notes.get(await notes.resolve(name))

    found = _ask(one)
    if as_json:
        print_json(found)
    elif found is not None:
        from triage.policy.memory.front_matter import text_of

        screen().print(f"{found.id}\n\n{text_of(found)}", soft_wrap=True)


@memory.command()
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...")],
    kind: Kind = None,
    status: Status = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many, the best first.")] = SHOWN,
    as_json: AsJson = False,
) -> None:
    """Find notes by words, people, addresses or tickets."""
    hits = _ask(lambda notes: notes.search(" ".join(words), limit, kind=kind, status=status))
    if as_json:
        print_json(hits)
        return
    rows = [(f"{hit.score:.2f}", hit.note.id, hit.note.title, " ".join(hit.evidence)) for hit in hits]
    screen().print(table(("score", "note", "title", "words"), rows) if rows else "no note holds these words")


@memory.command()
def graph(
    around: Annotated[
        str, typer.Argument(metavar="[NODE]", help="A note, an address, or person:…, ticket:…, mail:…")
    ] = "",
    depth: Annotated[int, typer.Option(min=1, max=6, help="How many steps from there.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Show how notes, people, tickets and mails are connected, or what is around one of them."""
    found = _ask(lambda notes: _near(notes, around, depth))
    if as_json:
        print_json(found)
    else:
        _print_graph(found, whole=not around)


async def _near(notes: "NoteService", around: str, depth: int) -> "Graph":
    """Return what is so many steps around a note, an address or a node; the whole graph around nothing."""
    from triage.policy.memory.graph import person_node

    if not around:
        return await notes.graph()
    kind, _, rest = around.partition(":")
    if not rest and "@" in around:
        return await notes.traverse(person_node(around), depth)
    start = around if kind in {"person", "ticket", "mail"} else f"note:{await notes.resolve(rest or around)}"
    return await notes.traverse(start, depth)


@memory.command()
def stats(as_json: AsJson = False) -> None:
    """Count the notes by kind and status, and name files that are no notes."""

    async def figures(notes: "NoteService") -> "tuple[VaultStats, tuple[NoteProblem, ...]]":
        return await notes.stats(), await notes.problems()

    counted, problems = _ask(figures)
    if as_json:
        print_json({"stats": counted, "problems": problems})
        return
    out = screen()
    out.print(_figures(counted), soft_wrap=True)
    for problem in problems:
        out.print(f"not read: {problem.path}:{problem.line}: {problem.what}", soft_wrap=True)


@memory.command()
def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read all files again first.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the notes by kind, the newest first."""

    async def listed(notes: "NoteService") -> "Mapping[NoteKind, tuple[Note, ...]]":
        if rebuild:
            await notes.rebuild()
        return await notes.index()

    found = _ask(listed)
    if as_json:
        print_json({kind.value: [note.id for note in notes] for kind, notes in found.items()})
    else:
        _print_notes([note for notes in found.values() for note in notes[:SHOWN]])


@memory.command()
def deduplicate(dry_run: Dry = False, as_json: AsJson = False) -> None:
    """Merge notes that say the same; no word and no source is lost, and `triage memory undo` takes a merge back."""
    pairs = _ask(lambda notes: notes.deduplicate(getpass.getuser(), dry_run=dry_run))
    if as_json:
        print_json(pairs)
        return
    rows = [(f"{pair.score:.2f}", pair.kept, pair.gone) for pair in pairs]
    columns = ("score", "stays", "would be merged into it" if dry_run else "was merged into it")
    screen().print(table(columns, rows) if rows else "no two notes say the same")


@memory.command()
def undo(
    note: Annotated[str, typer.Argument(metavar="NOTE", help="Its id; also of one that was removed.")],
    as_json: AsJson = False,
) -> None:
    """Make a note what it was before Triage wrote or removed it last."""
    found = _ask(lambda notes: notes.undo(note))
    if as_json:
        print_json(found)
    else:
        screen().print(f"{note}: {'is as before' if found else 'was new, and is in the trash'}", soft_wrap=True)


Source = Annotated[str, typer.Argument(metavar="SOURCE", help="A sender's address, a case, or a note.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
ForGood = Annotated[bool, typer.Option("--for-good", help="Keep no copy in the vault's trash.")]


@memory.command()
def forget(
    source: Source, dry_run: Dry = False, yes: Yes = False, for_good: ForGood = False, as_json: AsJson = False
) -> None:
    """Remove all notes that came from a sender or a case, or one note, and what was made of them; `triage forget` also redacts the mails."""
    by = getpass.getuser()
    found = _ask(lambda notes: notes.forget_source(source, by=by, dry_run=True))
    if not dry_run and (found.removed or found.changed):
        if not yes:
            typer.confirm(f"Remove {many(len(found.removed), 'note')}, change {len(found.changed)}?", abort=True)
        found = _ask(lambda notes: notes.forget_source(source, by=by, for_good=for_good))
    if as_json:
        print_json(found)
    else:
        _print_forgotten(found, "would be " if dry_run else "")


def _print_forgotten(found: ForgottenNotes, would: str) -> None:
    out = screen()
    out.print(f"{many(len(found.removed), 'note')} {would}removed, {len(found.changed)} {would}changed", style="bold")
    for verb, names in (("removed", found.removed), ("changed", found.changed), ("names it and stays", found.naming)):
        for name in names:
            out.print(f"  {verb}: {name}", soft_wrap=True)


def _ask(question: "Callable[[NoteService], Awaitable[T]]") -> T:
    async def asked() -> T:
        from cli.wiring.memory.notes import notes_of

        return await question(notes_of(load()))

    return asyncio.run(asked())


def _print_notes(notes: "list[Note] | tuple[Note, ...]") -> None:
    for note in notes:
        facts = (note.status.value, f"due {note.deadline}" if note.deadline else "", note.owner, note.trust.value)
        lines = (note.title, ", ".join(filter(None, facts)))
        screen().print(note.id, soft_wrap=True, markup=False, highlight=False)  # its name can be copied
        screen().print(Padding("\n".join(lines), (0, 0, 0, 2), expand=False), markup=False, highlight=False)
    if not notes:
        screen().print("no notes")


def _figures(counted: VaultStats) -> str:
    kinds = ", ".join(f"{kind} {count}" for kind, count in counted.by_kind.items())
    states = ", ".join(f"{status} {count}" for status, count in counted.by_status.items())
    return f"{many(counted.notes, 'note')}: {kinds}; {states}; {many(counted.problems, 'file')} that cannot be read"


def _print_graph(found: "Graph", *, whole: bool) -> None:
    out = screen()
    kinds = Counter(node.kind.value for node in found.nodes)
    out.print(
        f"{many(len(found.nodes), 'node')} ({', '.join(f'{kind} {n}' for kind, n in kinds.items())}), {many(len(found.edges), 'edge')}"
    )
    if whole:
        degrees = Counter(end for edge in found.edges for end in (edge.source, edge.target))
        out.print(table(("most connected", "edges"), [(name, str(n)) for name, n in degrees.most_common(SHOWN)]))
    else:
        out.print(table(("from", "relation", "to"), [(e.source, e.relation.value, e.target) for e in found.edges]))
