"""`triage process`: takes mails from files or standard input and works them to their outcome in this process."""

import asyncio
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, progress, screen, table
from cli.mail.pipe import DATA_ERROR
from cli.verb import AsJson, load
from triage.domain.text.counts import many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage.domain.reports import Report

REFUSED: Final = "refused"

Files = Annotated[list[str], typer.Argument(metavar="FILE…", help="Raw mails (.eml); - reads one from standard input.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Search and decide, write nothing anywhere.")]


def process(files: Files, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Process mails from files and say what was done.

    A mail that has been taken is kept: what could not be finished now is finished by `triage work`.
    Exit codes: 0 done; 1 a person has to look; 3 something outside did not answer; 65 a file is no mail and was not taken.
    """
    from cli.wiring.mail import names_its_origin

    settings = load()
    raws = [(name, _bytes(name, settings.max_mail_bytes)) for name in files]
    refused = [not names_its_origin(raw) for _, raw in raws]
    mails = [one for one, bare in zip(raws, refused, strict=True) if not bare]
    reports = iter(asyncio.run(_process(settings, mails, dry_run=dry_run)) if mails else ())
    lines = [
        _refused(name) if bare else {"mail": name, **end_of(next(reports))}
        for (name, _), bare in zip(raws, refused, strict=True)
    ]
    if as_json:
        print_json([{**line, "dry_run": dry_run} for line in lines])
    else:
        from triage.policy.case_lists.beside import beside

        shown = [{**line, "why": beside(line["why"], line["action"], line["ticket"])} for line in lines]
        rows = [tuple(line.values()) for line in shown]
        screen().print(table(("mail", "case", "action", "ticket", "why"), rows))
    raise typer.Exit(_code(lines))


def _bytes(name: str, most: int) -> bytes:
    """Read a file of at most `most` bytes, or standard input for `-`. Raises `BadParameter`."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            raw = file.read(most + 1)
    except OSError as e:
        raise typer.BadParameter(f"cannot read {name}: {e.strerror}") from None
    if len(raw) > most:
        raise typer.BadParameter(f"{name} is larger than {most:,} bytes: raise MAX_MAIL_BYTES to take it")
    return raw


async def _process(settings: "Settings", raws: list[tuple[str, bytes]], *, dry_run: bool) -> list["Report"]:
    from cli.wiring.app import open_app
    from cli.wiring.mail import warm_reader
    from triage.services.intake import received_from_file

    async with warm_reader() as reader, open_app(settings, dry_run=dry_run, reader=reader) as app:
        now, cases, done = app.worker.clock.now(), list[str](), list[str]()
        with _naming_what_is_left(cases, done, dry_run=dry_run):
            for name, raw in raws:
                cases.append(await app.intake.accept(received_from_file(name, raw, now)))
            known = {case for case in cases if (await app.reports.report(case)).case.outcome}
            await prepared(app)
            with progress() as bar:
                for case in bar.track(cases, description="mails"):
                    await worked(app, case)
                    done.append(case)
        reports = [await app.reports.report(case) for case in cases]
        return [_known_already(report) if dry_run and report.case.id in known else report for report in reports]


@contextmanager
def _naming_what_is_left(cases: list[str], done: list[str], *, dry_run: bool) -> "Iterator[None]":
    """Tell whoever stops the command how many of the stored cases are left to `triage work`."""
    try:
        yield
    except asyncio.CancelledError:
        if cases and not dry_run:
            left = f"{len(cases) - len(done)} of {many(len(cases), 'mail')}"
            typer.echo(
                f"triage: stopped; stored and not yet done: {left}; `triage work --until-idle` goes on", err=True
            )
        raise


def _known_already(report: "Report") -> "Report":
    """Return the report of a mail stored earlier, with a reason that says so."""
    why = f"was taken before, nothing would be done now: {report.case.reason}"
    return replace(report, case=replace(report.case, reason=why))


async def prepared(app: "App") -> None:
    """Read missed tickets and index them before work begins."""
    await read_tickets(app)
    for syncing in app.ticket_index_syncs:
        await syncing.update_index()


async def read_tickets(app: "App") -> None:
    """Read the newest and missed tickets of each project, with a progress bar."""
    with progress() as bar:
        task = bar.add_task("reading the project's tickets", total=None)
        for syncing in app.ticket_index_syncs:
            await syncing.prepare(lambda read, of: bar.update(task, completed=read, total=of))


async def worked(app: "App", case: str) -> None:
    """Work a case until it ends or waits for something outside."""
    for _ in range(50):
        await app.worker.handle(case)
        report = await app.reports.report(case)
        if report.case.outcome or report.trouble:
            return
        await asyncio.sleep(0.2)


def end_of(report: "Report") -> dict[str, str]:
    """Return how a case ended, or what it waits for."""
    case = report.case
    return {
        "case": case.id,
        "action": str(case.outcome or report.state),
        "ticket": case.ticket or "",
        "why": case.reason or report.trouble,
    }


def _refused(name: str) -> dict[str, str]:
    why = "this is no mail: nothing in it says from whom, when or under which id (From, Date, Message-ID)"
    return {"mail": name, "case": "", "action": REFUSED, "ticket": "", "why": why}


def _code(lines: list[dict[str, str]]) -> int:
    """Return the exit code: 0 done, 1 a person has to look, 3 something outside did not answer, 65 not a mail."""
    actions = {line["action"] for line in lines}
    if REFUSED in actions:
        return DATA_ERROR
    if actions & {"ready", "working", "retrying", "dead"}:
        return 3
    return 1 if actions & {"waiting", "quarantined"} else 0
