"""`triage work`: a worker, until it is told to stop."""

import asyncio
import signal
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.commands.wiring import House
    from triage.settings import Settings


def work(
    until_idle: Annotated[bool, typer.Option("--until-idle", help="End when nothing is left to do.")] = False,
) -> None:
    """Work on what has been accepted. With REDIS_URL as an arq worker, else from the database alone."""
    from triage.settings import load

    asyncio.run(_work(load(), until_idle=until_idle))


async def _work(settings: "Settings", *, until_idle: bool) -> None:
    from triage.commands.wiring import open_house

    async with open_house(settings, service=True) as house:
        await house.store.check()
        if until_idle:
            await house.worker.drain()
        else:
            await serve_worker(house, stop_event())


def stop_event() -> asyncio.Event:
    """Set by SIGTERM and Ctrl-C."""
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    return stop


async def serve_worker(house: "House", stop: asyncio.Event) -> None:
    """The runner that the settings ask for; both call the same handler. Beside it tickets are swept and remembered."""
    beside = [asyncio.create_task(house.sweeper.run()), asyncio.create_task(house.refresher.run())]
    try:
        await _serve_jobs(house, stop)
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


async def _serve_jobs(house: "House", stop: asyncio.Event) -> None:
    from integrations.arq_queue import run_arq_worker

    url = house.settings.redis_url.get_secret_value()
    if url:
        await run_arq_worker(url, house.worker.handle, house.store.due, max_jobs=house.settings.workers, stop=stop)
    else:
        await house.worker.serve(stop)
