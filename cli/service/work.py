"""`triage work`: runs a worker until it is stopped."""

import asyncio
import signal
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.service.heartbeat import Heartbeat
    from cli.wiring.app import App
    from triage.config.settings import Settings


def work(
    until_idle: Annotated[bool, typer.Option("--until-idle", help="End when nothing is left to do.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say whether the worker of HEARTBEAT_FILE does its work; 1 if not.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The status for machines.")] = False,
) -> None:
    """Work on what has been accepted. With REDIS_URL it is woken through Redis, else it looks into the database."""
    from triage.config.settings import load

    if status or as_json:
        raise typer.Exit(int(not _status(load(), as_json=as_json)))
    asyncio.run(_work(load(), until_idle=until_idle))


def _status(settings: "Settings", *, as_json: bool) -> bool:
    """Tell when the worker was last seen to work; whether that is well."""
    from cli.console import print_json
    from cli.service.heartbeat import LATE, seconds_since
    from triage.domain.errors import SettingsInvalid

    if not settings.heartbeat_file:
        raise SettingsInvalid(("HEARTBEAT_FILE: missing; name the file that the worker shall touch",))
    ago = seconds_since(Path(settings.heartbeat_file))
    well = ago is not None and ago < LATE
    told = "has not been seen" if ago is None else f"was seen to work {ago:.0f} s ago"
    if as_json:
        print_json({"well": well, "seconds_since": ago, "file": settings.heartbeat_file})
    else:
        typer.echo(f"the worker of {settings.heartbeat_file} {told}")
    return well


async def _work(settings: "Settings", *, until_idle: bool) -> None:
    from cli.wiring.app import open_app
    from cli.wiring.file_check import beside_check

    async with open_app(settings, service=True) as house:
        await beside_check(house.store.health, _drain(house) if until_idle else serve_worker(house, stop_event()))


async def _drain(house: "App") -> None:
    from cli.mail.process import prepared

    await prepared(house)
    await house.worker.drain()


def stop_event() -> asyncio.Event:
    """Set by SIGTERM and Ctrl-C."""
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    return stop


async def serve_worker(house: "App", stop: asyncio.Event) -> None:
    """The worker; beside it tickets are swept and remembered."""
    beside = [asyncio.create_task(house.sweeper.run())]
    if beat := heartbeat_of(house):
        beside.append(asyncio.create_task(beat.run()))
    try:
        if await _prepared(house, stop):
            beside.append(asyncio.create_task(house.ticket_index_sync.run()))
            await house.worker.serve(stop)
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


def heartbeat_of(house: "App") -> "Heartbeat | None":
    """Where the settings name a file."""
    from cli.service.heartbeat import LONGEST, Heartbeat

    settings = house.settings
    if not settings.heartbeat_file:
        return None
    most = LONGEST + timedelta(seconds=settings.max_seconds_per_mail)
    return Heartbeat(Path(settings.heartbeat_file), house.store.jobs, house.worker.in_hand, most)


async def _prepared(house: "App", stop: asyncio.Event) -> bool:
    """The index is filled before the first mail; False where we are told to stop meanwhile."""
    from cli.mail.process import prepared

    filling, stopping = asyncio.create_task(prepared(house)), asyncio.create_task(stop.wait())
    await asyncio.wait({filling, stopping}, return_when=asyncio.FIRST_COMPLETED)
    for task in (filling, stopping):
        task.cancel()
    await asyncio.gather(filling, stopping, return_exceptions=True)
    if stop.is_set():
        return False
    filling.result()
    return True
