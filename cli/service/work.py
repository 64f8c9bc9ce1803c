"""`triage work`: runs a worker until it is stopped; after an upgrade it runs `triage doctor` once."""

import asyncio
from collections.abc import Coroutine, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_json
from cli.service.process import settle, side_by_side, stop_event
from cli.verb import load
from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.errors import SettingsInvalid, StoreDown
from triage.domain.operations.checks import Finding
from triage.domain.operations.errors import ChecksFailed

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage.services.channels.notices import Notices


def work(
    until_idle: Annotated[bool, typer.Option("--until-idle", help="End when nothing is left to do.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say whether the worker of HEARTBEAT_FILE does its work; 1 if not.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The status for machines.")] = False,
) -> None:
    """Run a worker alone; `triage serve` includes one.

    With REDIS_URL it is woken through Redis, else it polls the database.
    """
    if status or as_json:
        raise typer.Exit(int(not _status(load(), as_json=as_json)))
    asyncio.run(_work(load(), until_idle=until_idle))


def _status(settings: "Settings", *, as_json: bool) -> bool:
    """Print the time of the worker's last heartbeat; return whether it is recent."""
    from triage.services.heartbeat import LATE, seconds_since

    if not settings.heartbeat_file:
        raise SettingsInvalid(("HEARTBEAT_FILE: missing; name the file that the worker shall touch",))
    ago = seconds_since(Path(settings.heartbeat_file))
    well = ago is not None and ago < LATE
    seen = "has not been seen" if ago is None else f"was seen to work {ago:.0f} s ago"
    if as_json:
        print_json({"well": well, "seconds_since": ago, "file": settings.heartbeat_file})
    else:
        typer.echo(f"the worker of {settings.heartbeat_file} {seen}")
    return well


async def _work(settings: "Settings", *, until_idle: bool) -> None:
    from cli.wiring.app import open_app

    async with open_app(settings, service=True) as app:
        await app.health.beside_check(_drain(app) if until_idle else _serve(app))


async def _serve(app: "App") -> None:
    from cli.service.metrics import serve_metrics

    stop = stop_event()
    await side_by_side([serve_worker(app, stop), serve_metrics(app.context, app, stop)])


async def _drain(app: "App") -> None:
    from cli.mail.process import prepared

    await prepared(app)
    settle()
    await app.worker.drain()
    if app.letter_sender:
        await app.letter_sender.drain()
    if app.tracing:
        await app.tracing.rest()


async def serve_worker(app: "App", stop: asyncio.Event) -> None:
    """Run the worker until `stop` is set, beside it what each process does, and while it is the leader what one does for all."""
    from cli.service.duties import ticket_duties_of

    beside = [asyncio.create_task(one) for one in _beside_worker(app)]
    try:
        if await _prepared(app, stop):
            beside += [asyncio.create_task(syncing.follow()) for syncing in app.ticket_index_syncs]
            beside += [asyncio.create_task(duty.run()) for duty in ticket_duties_of(app)]
            settle()
            await app.worker.serve(stop)
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        if app.tracing:
            await app.tracing.rest()


def _beside_worker(app: "App") -> "Iterator[Coroutine[Any, Any, None]]":
    """Yield what runs beside the worker from the start."""
    from cli.service.duties import duties_of
    from triage.services.operations.repeating import Repeated

    yield Repeated(app.webhooks.deliver_all, 3.0, "webhooks.later").run(app.worker.clock)
    yield app.tracker_claim.run()
    yield from (duty.run() for duty in duties_of(app))
    if app.letter_sender:
        yield app.letter_sender.run()
    if app.notices.channels:
        yield report_upgrade(app.notices)
    if app.tracing:
        yield app.tracing.run()
    if app.heartbeat:
        yield app.heartbeat.run()


async def _prepared(app: "App", stop: asyncio.Event) -> bool:
    """Read missed tickets before the first mail; return False if `stop` is set meanwhile."""
    filling, stopping = asyncio.create_task(_read_tickets(app)), asyncio.create_task(stop.wait())
    await asyncio.wait({filling, stopping}, return_when=asyncio.FIRST_COMPLETED)
    for task in (filling, stopping):
        task.cancel()
    await asyncio.gather(filling, stopping, return_exceptions=True)
    if stop.is_set():
        return False
    filling.result()
    return True


async def _read_tickets(app: "App") -> None:
    """Read missed tickets; of several processes that start one reads, the others wait and find them stored."""
    from loguru import logger

    from cli.mail.process import read_tickets
    from cli.service.duties import FIRST_TICKETS
    from triage.services.operations.leader import alone

    try:
        async with alone(app.context.leadership, app.worker.clock, FIRST_TICKETS):
            await read_tickets(app)
    except StoreDown as e:  # the first mail meets it, too, and waits
        logger.bind(error=str(e)).warning("store.down")


async def report_upgrade(notices: "Notices") -> None:
    """Run the checks of `triage doctor` when a version runs here for the first time, and send notices of what it found.

    Errors of the checks themselves are only logged.
    """
    from loguru import logger

    from cli.wiring.doctor import findings

    try:
        if await notices.is_new(version("triage")):
            await notices.tell_new([_notice(one) async for one in findings() if one.state != "ok"])
    except (StoreDown, ChecksFailed, OSError, ValueError) as e:
        logger.bind(error=str(e)).warning("upgrade.not_looked")


def _notice(finding: Finding) -> Notice:
    """Return the notice of a finding. Its words may hold numbers that change, so its name and state are the key."""
    return Notice(
        kind=NoticeKind.UPGRADE,
        severity=NoticeSeverity.FAILURE if finding.state == "fail" else NoticeSeverity.WARNING,
        text=f"{finding.what}: {finding.text}",
        cure=finding.cure or "triage doctor shows all of it.",
        key=f"doctor {finding.what} {finding.state}",
    )
