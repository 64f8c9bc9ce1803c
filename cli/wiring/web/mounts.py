"""Builds the applications that are mounted beside inbound mail: console, API, MCP, and the links that decide."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import cache
from typing import TYPE_CHECKING

from cli.wiring.channels import approve_mount, secret_of
from cli.wiring.operations import tokens_of
from cli.wiring.people.accounts import way_in_of
from triage.config.settings import Settings
from web.console.places import PLACES
from web.lazy_app import LazyApp

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext
    from triage.services.accounts.first_run import FirstRun
    from web.context import WebContext


def strict_transport(settings: Settings) -> list[tuple[str, str]]:
    """Return the header Strict-Transport-Security for all answers if PUBLIC_URL is https, else no header."""
    return [("strict-transport-security", "max-age=31536000")] if settings.public_url.startswith("https://") else []


def mounts_of(
    context: "IntakeContext",
    later: AsyncExitStack,
    stop: asyncio.Event,
    app: "App | None" = None,
    first: "FirstRun | None" = None,
) -> "Mapping[str, ASGIApp]":
    """Return the mounted applications by path, such as `/api`; each is imported at its first request, once it is switched on.

    `later` closes what they open, `stop` ends their streams, `first` holds the token for the first account. Without `app`
    (`triage serve --no-work`) services are built for them alone.
    """
    tokens = tokens_of(context.store)

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

    pages = LazyApp(console, ready)
    if context.settings.enable_mcp:
        from cli.wiring.mcp.mount import PATH, mcp_mount

        more = {PATH: mcp_mount(context, later, app)}
    else:
        more = {}
    return {
        **more,
        "/api": LazyApp(api, tokens.usable),
        "/approve": approve_mount(context, later, app.approvals if app else None),
        **({f"/{place}": pages for place in PLACES} if context.settings.console else {}),
    }
