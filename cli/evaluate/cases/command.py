"""`triage eval cases`: what an admin runs before a change of model or prompt."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_json, progress, screen, table
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from cli.evaluate.cases.expected import MailCase
    from cli.evaluate.cases.judge import Got, JudgedCase
    from cli.wiring.agents.models import Recording
    from cli.wiring.app import App
    from triage.config.settings import Settings

EXIT_CODES = (
    "Exit codes: 0 all as expected; 1 a mail ended otherwise; 2 wrong use, or no recorded answer fits; 3 no answer."
)

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", exists=True, file_okay=False, help="NAME.eml beside NAME.yaml; tickets.yaml, project.yaml."
    ),
]
Model = Annotated[
    str, typer.Option(help="Its name, in place of OPENAI_MODEL; none: the rules decide.", show_default=False)
]
Jira = Annotated[bool, typer.Option("--jira", help="Against your Jira, as a dry run, in place of the sandbox.")]
Record = Annotated[bool, typer.Option("--record", help="Keep the model's answers in DIR/cassettes.")]
Replay = Annotated[
    bool, typer.Option("--replay", help="Take the model's answers from DIR/cassettes: no key, no network.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and plots.")]


def cases(  # noqa: PLR0917 - each parameter is an option
    folder: Folder,
    model: Model = "",
    jira: Jira = False,
    record: Record = False,
    replay: Replay = False,
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Run mails whose right end is known through the whole pipeline, in the order of their names."""
    from cli.demo.world import addresses_in, in_sandbox
    from cli.evaluate.cases.expected import cases_of
    from cli.evaluate.cases.judge import as_row, confusion, cost, judged
    from cli.wiring.agents.models import cassettes_of

    if record and replay:
        raise typer.BadParameter("--record asks the model and --replay does not: choose one")
    mails, settings = cases_of(folder), _with_model(load(), model, replay=replay)
    tape = cassettes_of(folder / "cassettes", record=record) if record or replay else None
    started = time.perf_counter()
    with ExitStack() as stack:
        if not jira:
            store = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="triage-cases-")))
            settings = stack.enter_context(in_sandbox(settings, folder, store))
        ends = asyncio.run(_run(settings, mails, tape, dry_run=jira))
    lines = judged(mails, ends, dry_run=jira, addresses={} if jira else addresses_in(folder))
    spent = cost(lines, time.perf_counter() - started)
    right = sum(line.right for line in lines)
    figures = {"cases": len(lines), "right": right, "confusion": confusion(lines), "cost": spent}
    if html:
        _write(html, folder.name, lines, figures)
    if as_json:
        print_json(figures | {"per_case": [as_row(line) for line in lines]})
    else:
        screen().print(_table(lines))
        screen().print(_summary(figures))
    raise typer.Exit(int(right < len(lines)))


def _with_model(settings: "Settings", model: str, *, replay: bool) -> "Settings":
    """Return the settings with this model; a replay needs no key."""
    from pydantic import SecretStr

    from cli.wiring.agents.models import Models

    if model == "none":
        none = {"openai_api_key": SecretStr(""), "openai_base_url": "", "anthropic_model": ""}
        return settings.model_copy(update=none)
    if model:
        settings = settings.model_copy(update={"openai_model": model})
    if replay and not Models(settings).any:
        return settings.model_copy(update={"openai_api_key": SecretStr("replay")})
    return settings


async def _run(
    settings: "Settings", mails: "Sequence[MailCase]", tape: "Recording | None", *, dry_run: bool
) -> "list[Got]":
    """Work off the mails one after another. Raises `CassetteMissing` at the first answer that a replay lacks."""
    from cli.mail.process import prepared
    from cli.wiring.app import open_app

    async with open_app(settings, dry_run=dry_run, transport=tape) as app:
        await prepared(app)
        with progress() as bar:
            tracked = bar.track(mails, description="mails")
            return [await (_taped_end(app, mail, tape) if tape else _end(app, mail)) for mail in tracked]


async def _taped_end(app: "App", mail: "MailCase", tape: "Recording") -> "Got":
    """Work a mail to its end with the model's answers of its cassette, or keep them there."""
    tape.insert(mail.name)
    end = await _end(app, mail)
    if tape.missing:
        raise tape.missing
    if tape.server:
        tape.keep()
    return end


async def _end(app: "App", mail: "MailCase") -> "Got":
    """Take one mail, work it to its end and read what became of it."""
    from cli.evaluate.cases.judge import Got
    from cli.mail.process import worked

    case = await app.intake.accept(mail.delivery(app.worker.clock.now()))
    await worked(app, case)
    report = await app.reports.report(case)
    return Got.of(report, await app.written.facts(report))


def _table(lines: "Sequence[JudgedCase]") -> Any:
    rows = [(x.name, x.got.action, x.got.ticket, ", ".join(x.wrong) or "right", x.got.why) for x in lines]
    return table(("mail", "action", "ticket", "wrong", "why"), rows)


def _summary(figures: dict[str, Any]) -> str:
    spent = figures["cost"]
    price = f"{spent['usd']:.4f} USD" if spent["usd"] is not None else "price unknown"
    return (
        f"\n{figures['right']} of {figures['cases']} as expected, in {spent['seconds']} s. {spent['model_calls']} model calls, "
        f"{spent['input_tokens']} input and {spent['output_tokens']} output tokens ({price}), {spent['jira_calls']} Jira calls."
    )


def _write(path: Path, name: str, lines: "Sequence[JudgedCase]", figures: dict[str, Any]) -> None:
    from cli.evaluate.report import ReportPage, bars, confusion

    page = ReportPage(f"triage eval cases {name}", f"{figures['right']} of {figures['cases']} mails ended as expected.")
    page.plot("Disposition", confusion(figures["confusion"]))
    fields = [field for line in lines for field in line.wrong]
    page.plot("Wrong fields", bars({field: float(fields.count(field)) for field in sorted(set(fields))}))
    page.figures("Cost", figures["cost"])
    rows = [(x.name, x.got.action, x.got.ticket, ", ".join(x.wrong) or "right", x.got.why) for x in lines]
    page.table("Mails", ("mail", "action", "ticket", "wrong", "why"), rows)
    page.write(path)
