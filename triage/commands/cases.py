"""`triage cases`: the mails that came in and how they ended."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from triage.domain.cases import Outcome

STATES = (*(outcome.value for outcome in Outcome), "ready", "working", "retrying", "dead")

if TYPE_CHECKING:
    from triage.domain.cases import CaseLine


def cases(
    limit: Annotated[int, typer.Option(min=1, help="How many, the latest first.")] = 50,
    state: Annotated[str | None, typer.Option(help="Only these: waiting, ignored, retrying, …")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List cases, the latest first, and how many there are of each kind."""
    from triage.commands.tell import print_json, screen, table

    if state not in {None, *STATES}:
        raise typer.BadParameter(f"{state} is no state; there are {', '.join(STATES)}")
    lines, counts = asyncio.run(_cases(limit, state))
    if as_json:
        print_json({"cases": lines, "counts": counts})
        return
    rows = [(x.id, f"{x.received_at:%m-%d %H:%M}", x.sender, x.subject, x.state, x.ticket, x.reason) for x in lines]
    screen().print(table(("case", "at", "from", "subject", "state", "ticket", "why"), rows))
    screen().print("  ".join(f"{name}: {n}" for name, n in sorted(counts.items())) or "no mail yet")


async def _cases(limit: int, state: str | None) -> tuple[tuple["CaseLine", ...], dict[str, int]]:
    from triage.commands.wiring import open_archive
    from triage.settings import load

    async with open_archive(load()) as store:
        return await store.cases(limit, state), await store.counts()
