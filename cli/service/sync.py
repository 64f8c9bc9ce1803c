"""`triage sync`: reads the project's tickets from Jira and indexes them, or builds the search index again."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.retrieval import IndexState
    from triage.services.ticket_index_sync import TicketOverview


def sync(
    full: Annotated[
        bool, typer.Option("--full", help="Compare the whole history with Jira's, deleted and moved tickets too.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Build the search index again from the store; asks Jira nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Read what is missing of the project's tickets, and index it; a worker does that beside its work."""
    from cli.console import print_json, screen
    from triage.config.settings import load

    if full and rebuild:
        raise typer.BadParameter("--full reads from Jira, --rebuild from the store: run one after the other")
    read, known = asyncio.run(_sync(load(), full=full, rebuild=rebuild))
    if as_json:
        print_json({"read": read, **asdict(known)})
    else:
        history = "the whole history" if known.complete else "not the whole history yet"
        screen().print(f"{known.project}: {read:,} tickets read, {known.stored:,} known ({history})", soft_wrap=True)
        screen().print(f"search index: {_told(known.index)}", soft_wrap=True)
    raise typer.Exit(int(known.index.health != "ready"))


def _told(index: "IndexState") -> str:
    if index.health != "ready":
        return f"{index.health}: {index.trouble}"
    return f"ready, {index.tickets:,} tickets, {index.size / 2**20:.1f} MB in {index.folder}"


async def _sync(settings: "Settings", *, full: bool, rebuild: bool) -> "tuple[int, TicketOverview]":
    """Return the number of tickets read from Jira, and what is known then."""
    from cli.console import progress
    from cli.wiring.index import open_sync

    async with open_sync(settings) as syncing:
        project, read = settings.jira_project_key, 0
        with progress() as bar:
            task = bar.add_task("indexing tickets" if rebuild else "reading tickets", total=None)

            def told(done: int, of: int) -> None:
                bar.update(task, completed=done, total=of)

            if rebuild:
                await syncing.index.rebuild(project, told)
            else:
                read = await syncing.catch_up(told, full=full)
        return read, await syncing.overview(project)
