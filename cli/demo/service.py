"""Keeps a demo alive: the service with its console and worker on the demo's store, until Ctrl-C."""

import asyncio
import shlex
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from cli.console import called, screen

if TYPE_CHECKING:
    from cli.demo.servers import LiveServers, World
    from triage.config.settings import Settings

LEAD: Final = "lead@harbourline.example"


def keep_running(world: "World", live: "LiveServers", case: int) -> None:
    """Print addresses for a browser and commands for another terminal, then serve; `case` is the one that the commands name."""
    from cli.service.serve import serving
    from triage.config.settings import ALONE

    ALONE.set(world.env)  # for processes that the service starts, such as the checks of its page on Jira
    password = token_urlsafe(12)
    asyncio.run(_account(world.settings, password))
    _print_places(world, live, password)
    _print_commands(world, case)
    asyncio.run(serving(world.settings, live.listening))


async def _account(settings: "Settings", password: str) -> None:
    """Make the account with which one looks around."""
    from cli.wiring.people.accounts import open_accounts
    from triage.domain.operations.tokens import AccessScope

    async with open_accounts(settings) as accounts:
        await accounts.add(LEAD, "Lead", AccessScope.ADMIN, password, by="demo")


def _print_places(world: "World", live: "LiveServers", password: str) -> None:
    screen().print(
        f"\nIn a browser, until Ctrl-C:\n"
        f"  The console: {live.console}   sign in as {LEAD} with {password}\n"
        f"  The board: {world.board}\n"
        f"  Everybody's mailboxes, with the receipts; write a mail to the team there: {live.mailboxes}",
        soft_wrap=True,
    )


def _print_commands(world: "World", case: int) -> None:
    again = f"{called()} --env {shlex.quote(str(world.env))}"
    screen().print(
        f"In another terminal, on the demo's own store:\n"
        f"  {again} show {case}\n  {again} approve\n  {again} approve 1\n"
        f"  {again} memory list\n  {again} ask 'Why is my login code refused?'",
        soft_wrap=True,
    )
