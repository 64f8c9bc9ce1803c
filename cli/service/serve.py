"""`triage serve`: serves webhooks and health checks over HTTP, with a worker in the same process unless Redis is set."""

import asyncio
import socket
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import uvicorn

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from triage.config.settings import Settings
    from triage.services.health import HealthService
    from webhooks.jira_events import JiraEvents
    from webhooks.providers.base import Provider


def serve(
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Only accept; `triage work` and `triage watch` run elsewhere.")
    ] = False,
    no_watch: Annotated[bool, typer.Option("--no-watch", help="`triage watch` runs elsewhere.")] = False,
) -> None:
    """Take mail by webhook and from mailboxes: stored first, acknowledged then, worked on after that."""
    from triage.config.settings import load

    asyncio.run(_serve(load(), with_worker=not no_work, with_watch=not no_watch))


async def _serve(settings: "Settings", *, with_worker: bool, with_watch: bool) -> None:
    from cli.service.metrics import tell_metrics
    from cli.service.work import serve_worker, side_by_side, stop_event
    from cli.wiring.app import open_app
    from cli.wiring.intake import open_intake
    from webhooks.providers.table import providers_of

    stop, providers, listening = stop_event(), providers_of(settings), listening_at(settings.host, settings.port)
    if not with_worker:
        async with open_intake(settings, service=True) as context:
            listen = _listen(context, context.health, providers, listening, stop)
            await context.health.beside_check(side_by_side([listen, tell_metrics(context, None, stop)]))
        return
    async with open_app(settings, service=True) as app:
        parts = [
            _listen(app.context, app.health, providers, listening, stop, app),
            serve_worker(app, stop),
            tell_metrics(app.context, app, stop),
            *([_watch(app.context, stop)] if with_watch else []),
        ]
        await app.health.beside_check(side_by_side(parts))


async def _watch(context: "IntakeContext", stop: asyncio.Event) -> None:
    """Watch the configured mailboxes, if any."""
    from cli.service.watch import watch_all
    from cli.wiring.mailboxes import configured_mailboxes, watchers_of

    if specs := configured_mailboxes(context.settings):
        await watch_all(watchers_of(context, specs), stop)


def listening_at(host: str, port: int, names: str = "HOST, PORT") -> socket.socket:
    """Return a bound socket. Raises `SettingsInvalid` with these settings if the address is in use or not on this machine."""
    # asyncio disables Nagle's algorithm only if the protocol is given as TCP; else every answer waits 40 ms.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as e:
        listening.close()
        raise SettingsInvalid((f"{names}: cannot listen on {host}:{port} ({e.strerror}); choose another",)) from None
    return listening


async def _listen(
    context: "IntakeContext",
    health: "HealthService",
    providers: "Sequence[Provider]",
    listening: socket.socket,
    stop: asyncio.Event,
    app: "App | None" = None,
) -> None:
    """Serve HTTP until `stop` is set, then finish open requests."""
    import uvicorn

    from cli.console import screen
    from cli.service.work import settle
    from cli.wiring.operations import budget_of, rooms_of
    from cli.wiring.people.accounts import first_token
    from cli.wiring.telemetry.metrics import metrics_room
    from triage.services.accounts.first_run import FirstRun
    from webhooks.app import web_app
    from webhooks.health import HealthChecks

    settings, later, first = context.settings, AsyncExitStack(), FirstRun()
    web = web_app(
        context.intake,
        providers,
        HealthChecks(
            health.parts,
            health.mailboxes,
            health.tracker_trouble,
            budget_of(context),
            health.pause,
            health.config_trouble,
        ),
        settings.max_mail_bytes,
        events=events_of(context),
        rooms={**rooms_of(context, later, stop, app, first), "/metrics": metrics_room(context, app)},
    )
    # No access log: accepted and refused mails are logged already.
    config = uvicorn.Config(
        web,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        lifespan="off",
        forwarded_allow_ips=settings.trusted_proxies,
    )
    server = quiet_server(config)
    names = ", ".join(f"/webhooks/{p.name}" for p in providers) or "no webhook (set WEBHOOK_SECRET or POSTMARK_USER)"
    port = listening.getsockname()[1]
    settle()
    listening.listen()
    screen(error=True).print(f"listening on http://{settings.host}:{port}: {names}", soft_wrap=True)
    if token := await first_token(context, first):
        place = settings.public_url.rstrip("/") or f"http://{settings.host}:{port}"
        screen(error=True).print(
            f"triage: nobody has an account yet: open {place}/first and enter {token}", soft_wrap=True
        )
    async with later:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        await serving
    stop.set()
    await stopping


def events_of(context: "IntakeContext") -> "JiraEvents | None":
    """Return the handler of Jira's webhook, None without JIRA_WEBHOOK_SECRET. Raises `SettingsInvalid`."""
    from triage.config.triage_yaml import load_config
    from webhooks.jira_events import JiraEvents, keys_of

    secrets = context.settings.jira_webhook_secret.get_secret_value().split()
    if not secrets:
        return None
    settings = context.settings
    projects = frozenset({settings.jira_project_key, *load_config(settings.triage_config).projects})
    return JiraEvents(context.ticket_events, projects, keys_of(secrets, "JIRA_WEBHOOK_SECRET"))


def quiet_server(config: "uvicorn.Config") -> "uvicorn.Server":
    """Return a server without signal handlers, since `stop_event` handles signals for server and worker."""
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> "Iterator[None]":
            yield

    return Quiet(config)
