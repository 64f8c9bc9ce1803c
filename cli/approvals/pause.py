"""`triage pause` and `triage resume`: stop all writing to other systems, and go on."""

from typing import Annotated

import typer

from cli.approvals.deciding import operator
from cli.console import print_json, screen
from cli.verb import AsJson, Service


def pause(why: Annotated[str, typer.Argument(help="For those who wonder.")] = "", as_json: AsJson = False) -> None:
    """Stop all writing to Jira and by mail; mail is still accepted."""
    from cli.wiring.people.approvals import open_switch

    stands = Service(open_switch).ask(lambda approvals: approvals.pause(operator(), why))
    if as_json:
        print_json(stands)
        return
    screen().print(f"paused by {stands.by} since {stands.since:%Y-%m-%d %H:%M} UTC: triage resume ends it")


def resume(as_json: AsJson = False) -> None:
    """Write again; mails that waited go first."""
    from cli.wiring.people.approvals import open_switch

    ended = Service(open_switch).ask(lambda approvals: approvals.resume(operator()))
    if as_json:
        print_json({"ended": ended})
        return
    screen().print(f"the pause of {ended.by} has ended" if ended else "nothing was paused")
