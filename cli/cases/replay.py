"""`triage replay`: decides a case again from its raw mail."""

import asyncio
from typing import Annotated

import typer


def replay(
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done now.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Decide a case again: a quarantined one, or a finished one after rules or prompts have changed.

    What the case has written stands and is not written a second time.
    """
    from cli.console import print_json, screen

    line = asyncio.run(_replay(case, dry_run=dry_run))
    if as_json:
        print_json({**line, "dry_run": dry_run})
    else:
        screen().print(f"{line['action']}: {line['why']}", soft_wrap=True)


async def _replay(case: str, *, dry_run: bool) -> dict[str, str]:
    from cli.mail.process import end_of, worked
    from cli.wiring.app import open_app
    from triage.config.settings import load
    from triage.domain.cases import case_id

    name = case_id(case)
    async with open_app(load(), dry_run=dry_run, about=name) as app:
        await app.cases.replay(name)
        await worked(app, name)
        return end_of(await app.reports.report(name))
