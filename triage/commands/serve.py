"""`triage serve`: the HTTP door, with a worker behind it in small set-ups."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triage.commands.wiring import House
    from triage.settings import Settings
    from webhooks.providers.base import Provider


def serve(
    no_work: Annotated[bool, typer.Option("--no-work", help="Only accept; `triage work` runs elsewhere.")] = False,
) -> None:
    """Take mail by webhook: stored first, acknowledged then, worked on after that."""
    from triage.settings import load

    asyncio.run(_serve(load(), with_worker=not no_work))


async def _serve(settings: "Settings", *, with_worker: bool) -> None:
    from triage.commands.wiring import open_house
    from triage.commands.work import serve_worker, stop_event

    async with open_house(settings) as house:
        stop = stop_event()
        async with asyncio.TaskGroup() as group:
            group.create_task(_listen(house, stop))
            if with_worker:
                group.create_task(serve_worker(house, stop))


async def _listen(house: "House", stop: asyncio.Event) -> None:
    """Answer until told to stop; it finishes the requests it has."""
    import uvicorn

    from triage.commands.tell import screen
    from webhooks.app import web_app

    settings = house.settings
    providers = providers_of(settings)
    app = web_app(house.intake, providers, lambda: ready(house), settings.max_mail_bytes)
    server = uvicorn.Server(
        uvicorn.Config(app, host=settings.host, port=settings.port, log_config=None, lifespan="off")
    )
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]  # the signals are ours: see `stop_event`
    names = ", ".join(f"/webhooks/{p.name}" for p in providers) or "no webhook (set WEBHOOK_SECRET or POSTMARK_USER)"
    screen(error=True).print(f"listening on http://{settings.host}:{settings.port}: {names}")
    serving = asyncio.create_task(server.serve())
    await asyncio.wait({serving, asyncio.create_task(stop.wait())}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await serving
    stop.set()


def providers_of(settings: "Settings") -> "Sequence[Provider]":
    """The ones whose secret is set; none can be switched on without."""
    from webhooks.providers.postmark import Postmark
    from webhooks.providers.raw_mime import RawMime

    providers: list[Provider] = []
    if keys := settings.webhook_secret.get_secret_value().split():
        providers.append(RawMime(keys))
    if settings.postmark_user:
        providers.append(Postmark(settings.postmark_user, settings.postmark_password.get_secret_value()))
    return providers


async def ready(house: "House") -> "Mapping[str, bool]":
    """What must work for a mail to be accepted: the database. Jira may be down, mail waits."""
    from triage.domain.errors import StoreDown

    try:
        await house.store.counts()
    except StoreDown:
        return {"database": False}
    return {"database": True}
