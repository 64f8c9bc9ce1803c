"""`triage demo`: works off forty-five mails of a fictitious company against a sandbox Jira."""

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.console import print_json, progress, screen
from cli.demo.outcomes import DemoCost, DemoLine, judged, print_table

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage_sandbox.company import DemoMail


Once = Annotated[bool, typer.Option("--once", help="End after the table; exit code 0 only if all is as expected.")]
Model = Annotated[Literal["playbook", "openai"], typer.Option(help="Who decides: rules, or a model over HTTP.")]
Deployment = Annotated[Literal["cloud", "server"], typer.Option(help="Which Jira the sandbox is.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Of the board; 0 takes a free one.")]
Sprints = Annotated[
    bool, typer.Option("--sprints", envvar="ENABLE_SPRINTS", help="Urgent tickets go into the active sprint.")
]
Assignment = Annotated[
    bool, typer.Option("--assignment", envvar="ENABLE_SMART_ASSIGNMENT", help="Propose who does it.")
]
Config = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, help="A triage.yaml in the place of the demo's: your rules, agents and articles."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="The table for machines; implies --once.")]


def demo(  # noqa: PLR0917 - each parameter is an option
    once: Once = False,
    model: Model = "playbook",
    deployment: Deployment = "cloud",
    port: Port = 0,
    sprints: Sprints = False,
    assignment: Assignment = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show 45 mails against a sandbox Jira, then open it to a browser."""
    from cli.demo.servers import servers
    from cli.demo.service import keep_running

    switches = {"ENABLE_SPRINTS": str(sprints), "ENABLE_SMART_ASSIGNMENT": str(assignment)}
    if config:
        switches["TRIAGE_CONFIG"] = str(config.resolve())
    with servers(switches, model=model, deployment=deployment, port=port, live=not (once or as_json)) as world:
        lines, spent = asyncio.run(_demo(world.settings))
        learnt = "" if model == "openai" or as_json else asyncio.run(_learnt(world.settings))
        if as_json:
            print_json([{"mail": x.mail, "action": x.action, "ticket": x.ticket, "why": x.why} for x in lines])
        else:
            print_table(lines, spent)
            if learnt:
                screen().print(learnt)
        if world.live:
            keep_running(world, world.live, _waiting(lines))
    raise typer.Exit(int(any(line.expected for line in lines)))


async def _demo(settings: "Settings") -> tuple[list[DemoLine], DemoCost]:
    """Work off all mails one after another, so that every run has the same result."""
    from cli.mail.process import prepared, worked
    from cli.wiring.app import open_app
    from triage_sandbox.company import mails

    started = time.perf_counter()
    async with open_app(settings) as app:
        await prepared(app)
        letters = mails()
        with progress() as bar:
            cases = [await _accepted(app, letter) for letter in bar.track(letters, description="accepting")]
            for case in bar.track(cases, description="working"):
                await worked(app, case)
        if app.letter_sender:
            await app.letter_sender.drain()
        reports = [await app.reports.report(case) for case in cases]
        facts = [await app.written.facts(report) for report in reports]
        asked = " over HTTP" if settings.openai_base_url else ""
        return judged(letters, reports, facts), DemoCost.of(reports, time.perf_counter() - started, asked)


async def _learnt(settings: "Settings") -> str:
    """Read the help pages, and what the mails promise and ask for; return what is known then, in a sentence."""
    from cli.wiring.memory.build import open_builds
    from cli.wiring.support.knowledge import open_knowledge_sync
    from triage.domain.memory.builds import BuildKind

    async with open_knowledge_sync(settings) as syncing:
        pages = sum(reading.articles for reading in await syncing.read())
    async with open_builds(settings) as builds:
        found = (await builds.run(BuildKind.BUILD, "demo")).figures
    notes, mails = found.get("created", 0), found.get("mails", 0)
    return f"The team's memory: {notes} notes of {mails} mails; {pages} help pages are known."


async def _accepted(app: "App", letter: "DemoMail") -> str:
    from triage.domain.mail import Received, Trust

    return await app.intake.accept(
        Received(
            source="demo",
            source_id=letter.name,
            raw=letter.raw,
            at=app.worker.clock.now(),
            verdict=Trust(letter.expected.verdict),
        )
    )


def _waiting(lines: list[DemoLine]) -> int:
    """Return the number of a case that waits for a person; 1 if none does."""
    return next((number for number, line in enumerate(lines, 1) if line.action == "waiting"), 1)
