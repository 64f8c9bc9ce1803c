"""`triage sweep`: looks once for tickets that were created twice, and closes the second."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.services.sweeper import DuplicateTicket


def sweep(
    days: Annotated[int, typer.Option(min=1, max=3650, help="How far back to look.")] = 7,
    as_json: AsJson = False,
) -> None:
    """Close tickets that one mail made twice; workers do so hourly."""
    doubles = asyncio.run(_sweep(load(), days))
    if as_json:
        print_json(doubles)
        return
    for double in doubles:
        how = f"could not be settled: {double.trouble}" if double.trouble else "closed"
        screen().print(f"{double.key} doubles {double.of}: {how}", soft_wrap=True)
    if not doubles:
        screen().print("No ticket was made twice.")


async def _sweep(settings: "Settings", days: int) -> "tuple[DuplicateTicket, ...]":
    from cli.wiring.jira import open_sweepers

    async with open_sweepers(settings, days) as sweepers:
        return tuple([double for sweeper in sweepers for double in await sweeper.sweep()])
