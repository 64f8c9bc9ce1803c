"""Builds what tells figures: status, metrics, and the two ways by which Prometheus reads them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.wiring.intake import IntakeContext, health_of
from cli.wiring.operations import spending_of, tokens_of
from cli.wiring.store import command_store
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.services.health import HealthService
from triage.services.heartbeat import seconds_since
from triage.services.operations.status import StatusService
from triage.services.telemetry.metrics import MetricsService, ProcessGauges

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cli.wiring.app import App
    from web.lazy_app import LazyApp


@asynccontextmanager
async def open_status(settings: Settings) -> AsyncIterator[StatusService]:
    async with command_store(settings) as store:
        yield status_of(settings, store, health_of(settings, store))


def status_of(settings: Settings, store: SqlStore, health: HealthService) -> StatusService:
    """Return what counts for shell, metrics and pages."""
    return StatusService(
        figures=store.figures,
        archive=store.archive,
        troubles=store.notices,
        log=store.audit,
        health=health,
        spending=spending_of(settings, store),
        claims=store.tracker_claims,
        clock=store.clock,
    )


def metrics_of(context: IntakeContext, app: "App | None") -> MetricsService:
    """Return what measures; without `app`, where no worker runs, of the store alone."""
    from importlib.metadata import version

    settings, store = context.settings, context.store
    return MetricsService(
        status=status_of(settings, store, context.health),
        figures=store.figures,
        archive=store.archive,
        clock=store.clock,
        version=version("triage"),
        process=_process_of(app, settings) if app else ProcessGauges(),
    )


def _process_of(app: "App", settings: Settings) -> ProcessGauges:
    file = Path(settings.heartbeat_file)
    return ProcessGauges(
        requests=app.tracker_requests,
        running=lambda: app.worker.running,
        heartbeat=(lambda: seconds_since(file)) if settings.heartbeat_file else lambda: None,
    )


def metrics_mount(context: IntakeContext, app: "App | None") -> "LazyApp":
    """Return `/metrics` of the public port: for access tokens, and 404 as long as there is none."""
    from web.lazy_app import LazyApp

    tokens = tokens_of(context.store)

    def metrics() -> "ASGIApp":
        from web.api.guard import TokenGuard
        from web.metrics.app import MetricsApp

        return MetricsApp(metrics_of(context, app), TokenGuard(tokens, context.settings.api_requests_per_minute))

    return LazyApp(metrics, tokens.usable)


def metrics_alone(context: IntakeContext, app: "App | None") -> "ASGIApp":
    """Return `/metrics` of METRICS_ADDRESS, which asks for no token."""
    from web.metrics.app import MetricsApp

    return MetricsApp(metrics_of(context, app), guard=None)
