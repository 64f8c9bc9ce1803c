"""`triage serve`: serves webhooks and health checks over HTTP, with a worker in the same process unless Redis is set."""

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from triage.config.settings import Settings
    from triage.services.accounts.first_run import FirstRun
    from triage.services.health import HealthService
    from webhooks.jira_events import JiraEvents
    from webhooks.providers.base import Provider


def serve(
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Only accept; `triage work` and `triage watch` run elsewhere.")
    ] = False,
    no_watch: Annotated[bool, typer.Option("--no-watch", help="`triage watch` runs elsewhere.")] = False,
) -> None:
    """Run it all: webhooks, mailboxes, worker, console and API."""
    from cli.service.listening import listening_at
    from triage.config.settings import load

    settings = load()
    listening = listening_at(settings.host, settings.port)
    asyncio.run(serving(settings, listening, with_worker=not no_work, with_watch=not no_watch))


async def serving(
    settings: "Settings", listening: "socket.socket", *, with_worker: bool = True, with_watch: bool = True
) -> None:
    """Serve at a bound socket until SIGTERM or SIGINT."""
    from cli.service.metrics import serve_metrics
    from cli.service.process import side_by_side, stop_event
    from cli.service.work import serve_worker
    from cli.wiring.app import open_app
    from cli.wiring.intake import open_intake
    from webhooks.providers.table import providers_of

    stop, providers = stop_event(), providers_of(settings)
    if not with_worker:
        async with open_intake(settings, service=True) as context:
            listen = _listen(context, context.health, providers, listening, stop)
            await context.health.beside_check(side_by_side([listen, serve_metrics(context, None, stop)]))
        return
    async with open_app(settings, service=True) as app:
        parts = [
            _listen(app.context, app.health, providers, listening, stop, app),
            serve_worker(app, stop),
            serve_metrics(app.context, app, stop),
            *([_watch(app.context, stop)] if with_watch else []),
        ]
        await app.health.beside_check(side_by_side(parts))


async def _watch(context: "IntakeContext", stop: asyncio.Event) -> None:
    """Watch the configured mailboxes, if any."""
    from cli.service.watch import watch_all
    from cli.wiring.mailboxes import configured_mailboxes, watchers_of

    if specs := configured_mailboxes(context.settings):
        await watch_all(watchers_of(context, specs), stop)


async def _listen(
    context: "IntakeContext",
    health: "HealthService",
    providers: "Sequence[Provider]",
    listening: "socket.socket",
    stop: asyncio.Event,
    app: "App | None" = None,
) -> None:
    """Serve HTTP until `stop` is set, then finish open requests."""
    import uvicorn

    from cli.service.listening import serve_until
    from cli.service.process import settle
    from cli.wiring.operations import budget_of
    from cli.wiring.telemetry.metrics import metrics_room
    from cli.wiring.web.rooms import rooms_of, strict_transport
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
        headers=strict_transport(settings),
        lifespan="off",
        forwarded_allow_ips=settings.trusted_proxies,
    )
    settle()
    listening.listen()
    await _announce(context, providers, listening, first)
    async with later:
        await serve_until(stop, config, listening)
    stop.set()


async def _announce(
    context: "IntakeContext", providers: "Sequence[Provider]", listening: "socket.socket", first: "FirstRun"
) -> None:
    """Print where we listen, and how the first account is made as long as there is none."""
    from cli.console import screen
    from cli.wiring.people.accounts import first_token

    settings, port = context.settings, listening.getsockname()[1]
    names = ", ".join(f"/webhooks/{p.name}" for p in providers) or "no webhook (set WEBHOOK_SECRET or POSTMARK_USER)"
    screen(error=True).print(f"listening on http://{settings.host}:{port}: {names}", soft_wrap=True)
    if token := await first_token(context, first):
        place = settings.public_url.rstrip("/") or f"http://{settings.host}:{port}"
        told = f"triage: nobody has an account yet: open {place}/first and enter {token}"
        screen(error=True).print(told, soft_wrap=True)


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
