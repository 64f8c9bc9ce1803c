"""`triage replay`: decides a case again from its raw mail."""

import asyncio
from typing import Annotated

import typer

from cli.console import print_json, screen
from cli.verb import AsJson, load

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done now.")]
Model = Annotated[str, typer.Option(help="With --dry-run: ask this model; none: the rules decide.", show_default=False)]
Agent = Annotated[str, typer.Option(help="With --dry-run: this agent, whatever the rules say.", show_default=False)]


def replay(
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    dry_run: DryRun = False,
    model: Model = "",
    agent: Agent = "",
    as_json: AsJson = False,
) -> None:
    """Decide a case again, after rules, prompts or the model changed.

    What the case has written stands and is not written a second time.
    """
    if (model or agent) and not dry_run:
        raise typer.BadParameter("--model and --agent need --dry-run: what is written follows the settings alone")
    line = asyncio.run(_would(case, model, agent) if dry_run else _replay(case))
    if as_json:
        print_json({**line, "dry_run": dry_run})
    else:
        screen().print(f"{line['action']}: {line['why']}", soft_wrap=True)


async def _would(case: str, model: str, agent: str) -> dict[str, str]:
    from cli.mail.process import end_of
    from cli.wiring.people.casework import dry_runs_of
    from triage.services.casework.dry_runs import ReplayOverrides

    return end_of(await dry_runs_of(load()).replay(case, ReplayOverrides(model=model, profile=agent)))


async def _replay(case: str) -> dict[str, str]:
    from cli.mail.process import end_of, worked
    from cli.wiring.app import open_app
    from triage.domain.cases import case_id

    name = case_id(case)
    async with open_app(load()) as app:
        await app.cases.replay(name)
        await worked(app, name)
        return end_of(await app.reports.report(name))
