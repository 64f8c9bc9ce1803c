"""`triage memory build`, `refresh` and `reconcile`: mails become notes, and notes are kept up to date."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, progress, screen
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.domain.memory.builds import Build
    from triage.services.memory.build.service import Estimate

EXIT_CODES: Final = "Exit codes: 0 done; 1 it failed, and the next one goes on; 2 another build is under way."
BY: Final = "command line"


def build(
    as_json: AsJson = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be read and what it costs.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Say how far the last build is.")] = False,
) -> None:
    """Read the mails that no build has read, write notes of what they promise, ask and decide, then refresh and reconcile."""
    asyncio.run(_looked(as_json=as_json, status=status) if dry_run or status else _ran("build", as_json=as_json))


def refresh(as_json: AsJson = False) -> None:
    """Judge open actions by today's date, and make actions of our own promises."""
    asyncio.run(_ran("refresh", as_json=as_json))


def reconcile(as_json: AsJson = False) -> None:
    """Close, move and expire notes by sent mail and by the state of their tickets."""
    asyncio.run(_ran("reconcile", as_json=as_json))


def status(as_json: AsJson = False) -> None:
    """Say how far the last build is, or how it ended, and when the schedule builds next (MEMORY_BUILD_HOURS)."""
    asyncio.run(_stands(as_json=as_json))


async def _stands(*, as_json: bool) -> None:
    from cli.wiring.memory.build import open_builds

    async with open_builds(load()) as builds:
        found = await builds.status()
    if as_json:
        print_json(found)
        return
    screen().print(progress_text(found.last) if found.last else "no build yet: `triage memory build`")
    if found.next_at:
        screen().print(f"the schedule builds next at {found.next_at:%Y-%m-%d %H:%M} UTC")


async def _ran(kind: str, *, as_json: bool) -> None:
    from cli.wiring.memory.build import open_builds
    from triage.domain.memory.builds import BuildKind, BuildStage

    async with open_builds(load()) as builds:
        if kind == BuildKind.BUILD and not as_json:
            screen(error=True).print(_priced(await builds.estimate()))
        with progress() as bar:
            task = bar.add_task(kind, total=None)

            def tell(now: "Build") -> None:
                bar.update(task, description=now.stage.value, completed=now.done, total=now.total or None)

            done = await builds.run(BuildKind(kind), BY, tell)
    if as_json:
        print_json(done)
    else:
        screen().print(progress_text(done))
    raise typer.Exit(int(done.stage is BuildStage.FAILED))


async def _looked(*, as_json: bool, status: bool) -> None:
    from cli.wiring.memory.build import open_builds

    async with open_builds(load()) as builds:
        estimate, last = await builds.estimate(), await builds.latest()
    if as_json:
        print_json(last if status else estimate)
    elif status:
        screen().print(progress_text(last) if last else "no build yet: `triage memory build`")
    else:
        screen().print(_priced(estimate))


def _priced(estimate: "Estimate") -> str:
    """Return what a build would read and cost."""
    mails = f"{estimate.mails} mails to read"
    if estimate.to_write:
        mails += f", and the notes of {estimate.to_write} to write that an earlier build has read"
    if not estimate.tokens:
        return f"{mails}, by rules, without cost"
    cost = "a price that is not known" if estimate.cost_usd is None else f"about {estimate.cost_usd:.2f} USD"
    return f"{mails}, about {estimate.tokens} tokens, {cost}"


def progress_text(build: "Build") -> str:
    """Return how far a build is, or how it ended."""
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in build.figures.items() if count)
    head = f"{build.kind} {build.id}: {build.stage}"
    at = "" if build.ended_at or not build.total else f" {build.done} of {build.total}"
    return f"{head}{at}{f' ({counts})' if counts else ''}{f': {build.trouble}' if build.trouble else ''}"
