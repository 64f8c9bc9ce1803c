"""`triage replay`: decide a case anew from its raw mail."""

import asyncio
from typing import Annotated

import typer


def replay(
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done now.")] = False,
) -> None:
    """Decide a case again: a quarantined one, or a finished one after rules or prompts have changed.

    What the case has written stands and is not written a second time.
    """
    from triage.commands.tell import screen

    outcome, told = asyncio.run(_replay(case, dry_run=dry_run))
    screen().print(f"{outcome}: {told}")


async def _replay(case: str, *, dry_run: bool) -> tuple[str, str]:
    from triage.commands.archive import open_archive
    from triage.commands.process import worked
    from triage.commands.wiring import open_house
    from triage.desk.intake import received_from_file
    from triage.domain.cases import case_id
    from triage.settings import load

    settings, name = load(), case_id(case)
    async with open_archive(settings) as store:
        raw = await store.raw(name)
    async with open_house(settings, dry_run=dry_run) as house:
        if dry_run:
            name = await house.intake.accept(received_from_file(name, raw, house.worker.clock.now()))
        else:
            await house.desk.replay(name)
        await worked(house, name)
        report = await house.store.report(name)
        return str(report.case.outcome or report.state), report.case.reason or report.trouble
