"""`triage serve`: serves webhooks and health checks over HTTP, with a worker in the same process unless Redis is set."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from socket import socket
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import screen
from cli.service.listening import listening_at, serve_until
from cli.service.process import begin, settle, side_by_side, stop_event
from cli.verb import load

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from triage.config.settings import Settings
    from triage.services.accounts.first_run import FirstRun
    from webhooks.jira_events import JiraEvents
    from webhooks.providers.base import Provider


@dataclass(frozen=True, slots=True)
class HttpListener:
    """The bound socket on which requests are served until `stop` is set, and the mail providers that may post there."""

    listening: "socket"
    """Bound."""
    providers: "Sequence[Provider]"
    stop: asyncio.Event


def serve(
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Only accept; `triage work` and `triage watch` run elsewhere.")
    ] = False,
    no_watch: Annotated[bool, typer.Option("--no-watch", help="`triage watch` runs elsewhere.")] = False,
) -> None:
    """Run it all: webhooks, mailboxes, worker, console and API."""
    begin()
    settings = load()
    listening = listening_at(settings.host, settings.port)
    asyncio.run(serving(settings, listening, with_worker=not no_work, with_watch=not no_watch))


async def serving(
    settings: "Settings", listening: "socket", *, with_worker: bool = True, with_watch: bool = True
) -> None:
    """Serve at a bound socket until SIGTERM or SIGINT."""
    from cli.service.metrics import serve_metrics
    from cli.wiring.intake import open_intake
    from webhooks.providers.table import providers_of

    entrance = HttpListener(listening, providers_of(settings), stop_event())
    if not with_worker:
        async with open_intake(settings, service=True) as context:
            parts = [_listen(context, entrance), serve_metrics(context, None, entrance.stop)]
            await context.health.beside_check(side_by_side(parts))
        return
    from cli.wiring.app import open_app

    async with open_app(settings, service=True) as app:
        await app.health.beside_check(side_by_side(_parts(app, entrance, with_watch=with_watch)))


def _parts(app: "App", entrance: HttpListener, *, with_watch: bool) -> "list[Coroutine[Any, Any, None]]":
    """Return all that one process does side by side."""
    from cli.service.metrics import serve_metrics
    from cli.service.work import serve_worker

    stop = entrance.stop
    watch = [_watch(app.context, stop)] if with_watch else []
    return [
        _listen(app.context, entrance, app),
        serve_worker(app, stop),
        serve_metrics(app.context, app, stop),
        *watch,
    ]


async def _watch(context: "IntakeContext", stop: asyncio.Event) -> None:
    """Watch the configured mailboxes, if any."""
    from cli.service.watch import watch_all
    from cli.wiring.mailboxes import configured_mailboxes, watchers_of

    if specs := configured_mailboxes(context.settings):
        await watch_all(watchers_of(context, specs), stop)


async def _listen(context: "IntakeContext", entrance: HttpListener, app: "App | None" = None) -> None:
    """Serve HTTP until `stop` is set, then finish open requests."""
    from cli.wiring.telemetry.metrics import metrics_mount
    from cli.wiring.web.mounts import Mounts
    from triage.services.accounts.first_run import FirstRun

    later, first, stop = AsyncExitStack(), FirstRun(), entrance.stop
    mounts: dict[str, ASGIApp] = dict(Mounts(context=context, later=later, stop=stop, app=app, first=first).by_path())
    mounts["/metrics"] = metrics_mount(context, app)
    config = _server_config(context.settings, _web(context, app, entrance.providers, mounts))
    entrance.listening.listen()
    await _announce(context, entrance, first)
    settle()
    async with later:
        await serve_until(stop, config, entrance.listening)
    stop.set()


def _web(
    context: "IntakeContext", app: "App | None", providers: "Sequence[Provider]", mounts: "Mapping[str, ASGIApp]"
) -> "ASGIApp":
    """Return webhooks, health checks and the mounts as one application."""
    from cli.wiring.operations import budget_of
    from webhooks.app import web_app
    from webhooks.health import HealthChecks

    health = app.health if app else context.health
    checks = HealthChecks(
        health.parts, health.mailboxes, health.tracker_trouble, budget_of(context), health.pause, health.config_trouble
    )
    largest = context.settings.max_mail_bytes
    return web_app(context.intake, providers, checks, largest, events=events_of(context), mounts=mounts)


def _server_config(settings: "Settings", web: "ASGIApp") -> "uvicorn.Config":
    """Return how the web server runs. No access log: accepted and refused mails are logged already."""
    import uvicorn

    from cli.wiring.web.mounts import strict_transport

    return uvicorn.Config(
        web,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        headers=strict_transport(settings),
        lifespan="off",
        forwarded_allow_ips=settings.trusted_proxies,
    )


async def _announce(context: "IntakeContext", entrance: HttpListener, first: "FirstRun") -> None:
    """Print where we listen, and how the first account is made as long as there is none."""
    from cli.wiring.people.accounts import first_token

    settings, port = context.settings, entrance.listening.getsockname()[1]
    names = (
        ", ".join(f"/webhooks/{p.name}" for p in entrance.providers)
        or "no webhook (set WEBHOOK_SECRET or POSTMARK_USER)"
    )
    screen(error=True).print(f"listening on http://{settings.host}:{port}: {names}", soft_wrap=True)
    if token := await first_token(context, first):
        place = settings.public_url.rstrip("/") or f"http://{settings.host}:{port}"
        line = f"triage: nobody has an account yet: open {place}/first and enter {token}"
        screen(error=True).print(line, soft_wrap=True)


def events_of(context: "IntakeContext") -> "JiraEvents | None":
    """Return the handler of Jira's webhook, None without JIRA_WEBHOOK_SECRET. Raises `SettingsInvalid`."""
    from triage.config.triage_yaml import load_config
    from webhooks.jira_events import JiraEvents, keys_of

    secrets = context.settings.jira_webhook_secret.get_secret_value().split()
    if not secrets:
        return None
    settings = context.settings
    projects = frozenset({settings.jira_project_key, *load_config(settings.triage_config).projects})
    return JiraEvents(context.mark_stale, projects, keys_of(secrets, "JIRA_WEBHOOK_SECRET"))
