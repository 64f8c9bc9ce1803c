"""`triage pause` and `triage resume`: stop all writing to other systems, and go on."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.approvals import Pause

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


def pause(why: Annotated[str, typer.Argument(help="For those who wonder.")] = "", as_json: AsJson = False) -> None:
    """Stop all writing to Jira and by mail; mail is still accepted."""
    from cli.console import print_json, screen

    stands = asyncio.run(_paused(why))
    if as_json:
        print_json(stands)
        return
    screen().print(f"paused by {stands.by} since {stands.since:%Y-%m-%d %H:%M} UTC: triage resume ends it")


def resume(as_json: AsJson = False) -> None:
    """Write again; mails that waited go first."""
    from cli.console import print_json, screen

    ended = asyncio.run(_resumed())
    if as_json:
        print_json({"ended": ended})
        return
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
