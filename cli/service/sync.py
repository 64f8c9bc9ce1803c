"""`triage sync`: reads the projects' tickets from Jira and indexes them, or builds the search index again."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, progress, screen
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.retrieval import IndexState
    from triage.services.ticket_index_sync import TicketIndexSync, TicketOverview


Full = Annotated[
    bool, typer.Option("--full", help="Compare the whole history with Jira's, deleted and moved tickets too.")
]
Rebuild = Annotated[
    bool, typer.Option("--rebuild", help="Build the search index again from the store; asks Jira nothing.")
]


def sync(full: Full = False, rebuild: Rebuild = False, as_json: AsJson = False) -> None:
    """Read and index the projects' tickets now; workers do so, too."""
    if full and rebuild:
        raise typer.BadParameter("--full reads from Jira, --rebuild from the store: run one after the other")
    done = asyncio.run(_sync(load(), full=full, rebuild=rebuild))
    rows = [{"read": read, **asdict(known)} for read, known in done]
    if as_json:
        print_json(rows[0] if len(rows) == 1 else rows)
    for read, known in () if as_json else done:
        history = "the whole history" if known.complete else "not the whole history yet"
        screen().print(f"{known.project}: {read:,} tickets read, {known.stored:,} known ({history})", soft_wrap=True)
        screen().print(f"search index: {_index_text(known.index)}", soft_wrap=True)
    raise typer.Exit(int(any(known.index.health != "ready" for _, known in done)))


def _index_text(index: "IndexState") -> str:
    if index.health != "ready":
        return f"{index.health}: {index.trouble}"
    return f"ready, {index.tickets:,} tickets, {index.size / 2**20:.1f} MB in {index.folder}"


async def _sync(settings: "Settings", *, full: bool, rebuild: bool) -> "list[tuple[int, TicketOverview]]":
    """Return for each project the number of tickets read from Jira, and what is known then."""
    from cli.wiring.index import open_syncs

    async with open_syncs(settings) as syncs:
        with progress() as bar:
            task = bar.add_task("indexing tickets" if rebuild else "reading tickets", total=None)

            def show(done: int, of: int) -> None:
                bar.update(task, completed=done, total=of)

            async def read(project: str, syncing: "TicketIndexSync") -> int:
                if not rebuild:
                    return await syncing.catch_up(show, full=full)
                await syncing.index.rebuild(project, show)
                return 0

            counts = [await read(project, syncing) for project, syncing in syncs.items()]
        return [(count, await each.overview(key)) for count, (key, each) in zip(counts, syncs.items(), strict=True)]
