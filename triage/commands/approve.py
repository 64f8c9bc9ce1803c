"""`triage approve`: what waits for a person, and the person's word."""

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.cases import Approval


def approve(
    number: Annotated[int | None, typer.Argument(help="Which one; without it they are listed.")] = None,
    reject: Annotated[bool, typer.Option("--reject", help="Leave it undone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List what waits for approval, or accept (or reject) one: exactly what is shown is done."""
    from triage.commands.tell import print_json, screen, table

    if number is not None:
        screen().print(asyncio.run(_decide(number, reject=reject)))
        return
    waiting = asyncio.run(_waiting())
    if as_json:
        print_json(waiting)
        return
    rows = [(str(a.id), a.case, a.tool, a.arguments, a.reason) for a in waiting]
    screen().print(table(("no.", "case", "tool", "arguments", "why"), rows) if rows else "nothing waits")


async def _waiting() -> tuple["Approval", ...]:
    from triage.commands.archive import open_archive
    from triage.settings import load

    async with open_archive(load()) as store:
        return await store.approvals()


async def _decide(number: int, *, reject: bool) -> str:
    from triage.commands.wiring import open_house
    from triage.settings import load

    async with open_house(load()) as house:
        decide = house.desk.reject if reject else house.desk.approve
        case = await decide(number, getpass.getuser())
        return f"{case.id}: {case.outcome}, {case.reason}"
