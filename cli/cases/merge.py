"""`triage merge` and `triage split`: one ticket for two cases, and a ticket of its own for a case or for one of its matters."""

import asyncio
from typing import Annotated

import typer

from cli.approvals.deciding import operator
from cli.cases.correct import end, printed
from cli.verb import AsJson, CaseName, load


def merge(
    case: CaseName,
    into: Annotated[str, typer.Argument(metavar="KEY", help="The ticket that stays.")],
    preview: Annotated[bool, typer.Option("--preview", help="Only say what would be written.")] = False,
    as_json: AsJson = False,
) -> None:
    """Merge a case's ticket into another one.

    The two are linked, each gets a comment, and later mails of the thread go to the ticket that stays.
    """
    printed(asyncio.run(_merge(case, into, preview=preview)), as_json=as_json)


def split(
    case: CaseName,
    part: Annotated[
        list[int] | None,
        typer.Option("--part", metavar="N", min=1, help="Line of the checklist in its ticket; may be given again."),
    ] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what --part would create.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take a merge back, or give a mail a ticket of its own.

    With --part a matter from the checklist of a mail with several gets a ticket of its own, linked with the first one.
    """
    if preview and not part:
        raise typer.BadParameter("--preview goes with --part")
    printed(asyncio.run(_part(case, part, preview=preview) if part else _split(case)), as_json=as_json)


async def _merge(case: str, into: str, *, preview: bool) -> dict[str, object]:
    from cli.wiring.app import open_app

    async with open_app(load()) as app:
        plan = await app.merging.plan(case, into, operator())
        if preview:
            would = f"a link to {plan.stays.key}, and its later mails go there"
            return {"case": plan.case, "ticket": plan.gone.key, "would": would, "settled": True}
        await app.merging.merge(plan, operator())
        return await end(app, plan.case)


async def _split(case: str) -> dict[str, object]:
    from cli.wiring.app import open_app
    from triage.domain.cases import case_id

    async with open_app(load()) as app:
        await app.merging.split(case, operator())
        return await end(app, case_id(case))


async def _part(case: str, numbers: list[int], *, preview: bool) -> dict[str, object]:
    from cli.wiring.app import open_app

    async with open_app(load()) as app:
        plan = await app.merging.plan_parts(case, numbers)
        if preview:
            would = f"beside it {'; '.join(one.text for one in plan.parts)}"
            parts = [{"part": one.number, "title": one.title, **one.draft} for one in plan.parts]
            return {"case": plan.case, "ticket": plan.ticket.key, "would": would, "parts": parts, "settled": True}
        await app.merging.part(plan, operator())
        how = await end(app, plan.case)
        lines = await app.merging.parts(plan.case)
        return {**how, "parts": {str(one.part.number): one.moved for one in lines if one.moved}}
