"""Builds the rooms of the web application: console, API, MCP, and the links that decide."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import cache
from typing import TYPE_CHECKING

from cli.wiring.channels import approve_room, secret_of
from cli.wiring.people.accounts import way_in_of
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.services.operations.tokens import TokenService
from web.console.places import PLACES
from web.room import Room

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from triage.services.accounts.first_run import FirstRun
    from web.context import WebContext


def strict_transport(settings: Settings) -> list[tuple[str, str]]:
    """Return the header of all answers that keeps browsers from http, where people come by https."""
    return [("strict-transport-security", "max-age=31536000")] if settings.public_url.startswith("https://") else []


def rooms_of(
    context: "IntakeContext",
    later: AsyncExitStack,
    stop: asyncio.Event,
    app: "App | None" = None,
    first: "FirstRun | None" = None,
) -> "Mapping[str, ASGIApp]":
    """Return the rooms of the web application by path; each is imported when it is first asked for, once it is on.

    What they open `later` closes; streams end with `stop`; `first` has the token for the first account. Without `app`, where no worker runs, they get services of their own.
    """
    tokens = TokenService(store=context.store.tokens, deeds=context.store.deeds, clock=SystemClock())

    @cache
    def services() -> "WebContext":
        from cli.wiring.web.context import web_context

        return web_context(context, tokens, later, stop, app)

    def api() -> "ASGIApp":
        from web.api.app import api_app

        return api_app(services())

    def console() -> "ASGIApp":
        from web.console.app import console_app

        return console_app(services(), way_in_of(context, tokens, secrets[-1], first, later))

    secrets: list[bytes] = []

    async def ready() -> bool:
        secrets.append(await secret_of(context))
        return True

    pages = Room(console, ready)
    if context.settings.enable_mcp:
        from cli.wiring.mcp.room import PATH, mcp_room

        more = {PATH: mcp_room(context, later, app)}
    else:
        more = {}
    return {
        **more,
        "/api": Room(api, tokens.usable),
        "/approve": approve_room(context, later, app.approvals if app else None),
        **({f"/{place}": pages for place in PLACES} if context.settings.console else {}),
    }
