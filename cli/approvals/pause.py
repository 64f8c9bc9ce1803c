"""`triage pause` and `triage resume`: stop all writing to other systems, and go on."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.approvals import Pause


def pause(why: Annotated[str, typer.Argument(help="For those who wonder.")] = "") -> None:
    """Stop all writing to Jira and by mail; mail is still accepted."""
    from cli.console import screen

    stands = asyncio.run(_paused(why))
    screen().print(f"paused by {stands.by} since {stands.since:%Y-%m-%d %H:%M} UTC: triage resume ends it")


def resume() -> None:
    """Write again; mails that waited go first."""
    from cli.console import screen

    ended = asyncio.run(_resumed())
    screen().print(f"the pause of {ended.by} has ended" if ended else "nothing was paused")


async def _paused(why: str) -> "Pause":
    from cli.approvals.deciding import operator
    from cli.wiring.people.approvals import open_switch
    from triage.config.settings import load

    async with open_switch(load()) as service:
        return await service.pause(operator(), why)


async def _resumed() -> "Pause | None":
    from cli.approvals.deciding import operator
    from cli.wiring.people.approvals import open_switch
    from triage.config.settings import load

    async with open_switch(load()) as service:
        return await service.resume(operator())
