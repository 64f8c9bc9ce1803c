"""Builds what operators and programs ask: access tokens, and the rooms of the web application."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cli.wiring.store import opened_store, set_up_log
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.domain.ports import no_failpoint
from triage.services.operations.tokens import TokenService

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cli.wiring.intake import IntakeContext


@asynccontextmanager
async def open_tokens(settings: Settings) -> AsyncIterator[TokenService]:
    """Open the service of access tokens."""
    set_up_log(settings, service=False)
    async with opened_store(settings, no_failpoint) as store:
        yield TokenService(store=store.tokens, clock=SystemClock())


def rooms_of(context: "IntakeContext") -> "Mapping[str, ASGIApp]":
    """Return the rooms of the web application by path; each is imported when it is first asked for, once it is on."""
    from web.room import Room

    tokens = TokenService(store=context.store.tokens, clock=SystemClock())

    def api() -> "ASGIApp":
        from web.api.app import api_app
        from web.api.context import ApiContext

        return api_app(
            ApiContext(
                tokens=tokens,
                reports=context.reports,
                requests_per_minute=context.settings.api_requests_per_minute,
            )
        )

    return {"/api": Room(api, tokens.usable)}
