"""`triage forget`: redacts a person in the store, in its copies of tickets and in the search index."""

import asyncio
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, load
from triage.domain.text.counts import many

if TYPE_CHECKING:
    from triage.domain.operations.forgetting import ForgetReport

SHOWN: Final = 20
"""Notes that are named."""
EXIT_CODES = "Exit codes: 0 nothing of the person's own mails is left here; 1 something is left: the report says what."

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="The person's mail address.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be redacted.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
Backup = Annotated[
    Path | None,
    typer.Option(metavar="FILE", exists=True, dir_okay=False, help="In this backup instead; its open cases, too."),
]


def forget(
    address: Address, dry_run: DryRun = False, yes: Yes = False, backup: Backup = None, as_json: AsJson = False
) -> None:
    """Redact a person for good.

    Their mails and what was made of them are emptied; the report names what only others can delete.

    Outcomes, ticket keys and hashes stay, so that nothing is written twice. Mails of other people that name the person stay, too,
    and are listed.
    """
    if "@" not in address:
        raise typer.BadParameter("a mail address has an @", param_hint="ADDRESS")
    found = asyncio.run(_run(address, backup, dry_run=True))
    if not dry_run:
        if not yes:
            typer.confirm(f"Redact {many(len(found.cases), 'case')} of {found.address} for good?", abort=True)
        found = asyncio.run(_run(address, backup, dry_run=False))
    if as_json:
        print_json(found)
    else:
        _print(found)
    raise typer.Exit(int(not (dry_run or found.done)))


async def _run(address: str, backup: Path | None, *, dry_run: bool) -> "ForgetReport":
    from cli.wiring.operations import open_forgetting, open_forgetting_in

    by, opened = getpass.getuser(), open_forgetting_in(backup) if backup else open_forgetting(load())
    async with opened as service:
        return (
            await service.plan(address)
            if dry_run
            else await service.forget(address, by=by, under_way=backup is not None)
        )


def _print(found: "ForgetReport") -> None:
    out = screen()
    left = [one for one in found.cases if one.under_way]
    done = len(found.cases) - len(left)
    what = "would be redacted" if found.dry_run else "redacted"
    out.print(f"{found.address}: {many(done, 'case')} {what}, {len(left)} under way", style="bold", soft_wrap=True)
    for one in left:
        out.print(f"  {one.case}: {one.under_way}", soft_wrap=True)
    if found.notes:
        out.print(
            f"{many(len(found.notes), 'note')} of the team's memory: {', '.join(found.notes[:SHOWN])}", soft_wrap=True
        )
    if found.mcp_calls:
        calls = many(found.mcp_calls, "call")
        out.print(f"arguments of {calls} of MCP clients, which name the person: they go", soft_wrap=True)
    for trouble in found.troubles:
        out.print(f"not finished: {trouble}", soft_wrap=True)
    if found.tickets:
        rows = [(one.key, one.url) for one in found.tickets]
        out.print(table(("ticket", "page"), rows, "\nTickets that may hold words of the person; a person redacts them"))
    if found.mentions:
        out.print(f"\nCases of other people that name the address: {', '.join(found.mentions)}", soft_wrap=True)
    if found.notes_naming:
        out.print(f"\nNotes of other sources that name the address: {', '.join(found.notes_naming)}", soft_wrap=True)
    out.print("\nTriage cannot change:", style="bold")
    for place in found.outside:
        out.print(f"  - {place}", soft_wrap=True)
