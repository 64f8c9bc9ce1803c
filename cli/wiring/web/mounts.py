"""Builds the applications that are mounted beside inbound mail: console, API, MCP, and the links that decide."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from cli.wiring.intake import secret_of
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
    from triage.services.operations.tokens import TokenService
    from web.context import WebContext


def strict_transport(settings: Settings) -> list[tuple[str, str]]:
    """Return the header Strict-Transport-Security for all answers if PUBLIC_URL is https, else no header."""
    return [("strict-transport-security", "max-age=31536000")] if settings.public_url.startswith("https://") else []


@dataclass(frozen=True, kw_only=True)
class Mounts:
    """Makes the mounted applications; each is imported at its first request, once it is switched on."""

    context: "IntakeContext"
    later: AsyncExitStack
    """Closes what they open."""
    stop: asyncio.Event
    """Ends their streams."""
    app: "App | None" = None
    """None (`triage serve --no-work`): services are built for them alone."""
    first: "FirstRun | None" = None
    """Holds the token for the first account."""
    _secrets: list[bytes] = field(default_factory=list)

    def by_path(self) -> "Mapping[str, ASGIApp]":
        """Return the applications by path, such as `/api`."""
        settings = self.context.settings
        pages = LazyApp(self._console, self._ready)
        return {
            **(self._mcp() if settings.enable_mcp else {}),
            "/api": LazyApp(self._api, self._tokens.usable),
            "/approve": LazyApp(self._approve, self._decidable),
            **({f"/{place}": pages for place in PLACES} if settings.console else {}),
        }

    @cached_property
    def _tokens(self) -> "TokenService":
        return tokens_of(self.context.store)

    @cached_property
    def _services(self) -> "WebContext":
        from cli.wiring.web.context import web_context

        return web_context(self.context, self._tokens, self.later, self.stop, self.app)

    def _api(self) -> "ASGIApp":
        from web.api.app import api_app

        return api_app(self._services)

    def _console(self) -> "ASGIApp":
        from web.console.app import console_app

        way_in = way_in_of(self.context, self._tokens, self._secrets[-1], self.first, self.later)
        return console_app(self._services, way_in)

    def _approve(self) -> "ASGIApp":
        """Make what links in notices lead to."""
        from cli.wiring.agents.live_config import LiveConfig
        from cli.wiring.channels import links_of, notices_of
        from cli.wiring.people.approvals import approvals_alone
        from web.approve.app import approve_app

        context, settings = self.context, self.context.settings
        approvals = self.app.approvals if self.app else approvals_alone(context, LiveConfig(settings), self.later)
        return approve_app(links_of(context, notices_of(settings, context.store), approvals, self._secrets[-1]))

    async def _decidable(self) -> bool:
        """Tell whether there are such links."""
        settings = self.context.settings
        return bool(settings.public_url and settings.jira_ready) and await self._ready()

    def _mcp(self) -> "Mapping[str, ASGIApp]":
        from cli.wiring.mcp.mount import PATH, mcp_mount

        return {PATH: mcp_mount(self.context, self.later, self.app)}

    async def _ready(self) -> bool:
        self._secrets.append(await secret_of(self.context))
        return True
