"""`triage sync`: reads the project's tickets from Jira and indexes them, or builds the search index again."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.retrieval import IndexState


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync did, and what is known after it."""

    project: str
    read: int
    """Tickets read from Jira."""
    stored: int
    """Tickets in the store."""
    complete: bool
    """Whether the whole history has been read."""
    index: "IndexState"


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
    done = asyncio.run(_sync(load(), full=full, rebuild=rebuild))
    if as_json:
        print_json(done)
    else:
        history = "the whole history" if done.complete else "not the whole history yet"
        screen().print(f"{done.project}: {done.read:,} tickets read, {done.stored:,} known ({history})", soft_wrap=True)
        screen().print(f"search index: {_told(done.index)}", soft_wrap=True)
    raise typer.Exit(int(done.index.health != "ready"))


def _told(index: "IndexState") -> str:
    if index.health != "ready":
        return f"{index.health}: {index.trouble}"
    return f"ready, {index.tickets:,} tickets, {index.size / 2**20:.1f} MB in {index.folder}"


async def _sync(settings: "Settings", *, full: bool, rebuild: bool) -> Synced:
    from cli.console import progress
    from cli.wiring.index import open_sync
    from cli.wiring.store import opened_store, set_up_log
    from triage.domain.ports import no_failpoint

    set_up_log(settings, service=False)
    async with opened_store(settings, no_failpoint) as store, open_sync(settings, store.tickets) as syncing:
        project, read = settings.jira_project_key, 0
        with progress() as bar:
            task = bar.add_task("indexing tickets" if rebuild else "reading tickets", total=None)

            def told(done: int, of: int) -> None:
                bar.update(task, completed=done, total=of)

            if rebuild:
                await syncing.index.rebuild(project, told)
            else:
                read = await syncing.catch_up(told, full=full)
        known = await store.tickets.coverage(project)
        return Synced(
            project=project,
            read=read,
            stored=await store.tickets.size(project),
            complete=known is not None and known.complete,
            index=await syncing.index.state(project),
        )
