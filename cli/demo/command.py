"""`triage demo`: works off forty-five mails of a fictitious company against a sandbox Jira."""

import asyncio
import json
import shlex
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

if TYPE_CHECKING:
    from cli.evaluate.cases.expected import Expected, MailCase
    from cli.evaluate.cases.judge import Got, Judged
    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage.domain.reports import Report
    from triage.services.written_tickets import TicketFacts
    from triage_sandbox.company import DemoMail

HELP: Final = Path(__file__).parents[2] / "examples" / "help"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLine:
    """The outcome of one mail, and whether it is the expected one."""

    mail: str
    action: str
    ticket: str
    why: str
    expected: str
    """Empty if the outcome is the expected one."""


def demo(  # noqa: PLR0917 - each parameter is an option
    once: Annotated[
        bool, typer.Option("--once", help="End after the table; exit code 0 only if all is as expected.")
    ] = False,
    model: Annotated[
        Literal["playbook", "openai"], typer.Option(help="Who decides: rules, or a model over HTTP.")
    ] = "playbook",
    deployment: Annotated[Literal["cloud", "server"], typer.Option(help="Which Jira the sandbox is.")] = "cloud",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the board; 0 takes a free one.")] = 0,
    sprints: Annotated[
        bool, typer.Option("--sprints", envvar="ENABLE_SPRINTS", help="Urgent tickets go into the active sprint.")
    ] = False,
    assignment: Annotated[
        bool, typer.Option("--assignment", envvar="ENABLE_SMART_ASSIGNMENT", help="Propose who does it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The table for machines; implies --once.")] = False,
) -> None:
    """See it work: a sandbox Jira, forty-five mails, a table of what was done and why, and a live board."""
    from cli.console import print_json, screen
    from cli.demo.sandbox import until_interrupted

    switches = {"ENABLE_SPRINTS": str(sprints), "ENABLE_SMART_ASSIGNMENT": str(assignment)}
    with _world(switches, model=model, deployment=deployment, port=port, mail=not (once or as_json)) as world:
        lines, spent = asyncio.run(_demo(world.settings))
        learnt = "" if model == "openai" or as_json else asyncio.run(_learnt(world.settings))
        if as_json:
            print_json([{"mail": x.mail, "action": x.action, "ticket": x.ticket, "why": x.why} for x in lines])
        else:
            _print_table(lines, spent)
            if learnt:
                screen().print(learnt)
        if not (once or as_json):
            _print_commands(lines, world)
            until_interrupted()
    raise typer.Exit(int(any(line.expected for line in lines)))


@dataclass(frozen=True, slots=True)
class World:
    """Where the servers of a demo answer."""

    settings: "Settings"
    board: str
    letters: str
    """The page of mailboxes; empty without mail."""
    env: Path
    """A file of the settings."""


@contextmanager
def _world(
    switches: "Mapping[str, str]", *, model: str, deployment: Literal["cloud", "server"], port: int, mail: bool
) -> Iterator[World]:
    """Yield servers on loopback that answer meanwhile: Jira and, if wanted, a model and mail."""
    from cli.demo.prompt_reader import PromptReader
    from cli.demo.sandbox import bound
    from triage.config.settings import Isolated, load
    from triage_sandbox.jira.app import TOKEN, jira_app
    from triage_sandbox.openai_app import openai_app
    from triage_sandbox.server import Served

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="triage-demo-"))
        database = f"sqlite:///{Path(folder) / 'demo.db'}"
        jira = jira_app(deployment=deployment)
        jira.site.report = _reports(database)
        board = stack.enter_context(bound(lambda: Served(jira, port=port), port)).url
        letters, sending = _mail(stack) if mail else ("", {})
        given = {
            "JIRA_BASE_URL": board,
            "JIRA_PROJECT_KEY": "HARB",
            "JIRA_EMAIL": "bot@harbourline.example",
            "JIRA_API_TOKEN": TOKEN,
            "DATABASE_URL": database,
            "TRIAGE_CONFIG": str(_configuration(Path(folder))),
            "ENABLE_MEMORY": "true",
            "MEMORY_DIR": str(_folder(Path(folder) / "memory")),
            "LOG_LEVEL": "ERROR",
            "HOST": "127.0.0.1",
            "PORT": "0",
            **sending,
            **switches,
        }
        if model == "openai":
            wire = stack.enter_context(Served(openai_app(PromptReader()))).url
            given |= {"OPENAI_BASE_URL": f"{wire}/v1", "OPENAI_API_KEY": "sandbox", "OPENAI_MODEL": "sandbox-playbook"}
        env = Path(folder) / "env"
        env.write_text("".join(f"{name}='{value}'\n" for name, value in given.items()), encoding="utf-8")
        yield World(load(Isolated, **given), board, letters, env)


def _mail(stack: ExitStack) -> tuple[str, dict[str, str]]:
    """Start the mailboxes of all senders; return the address of their page, and the settings that send letters there."""
    from triage_sandbox.mail.mailboxes import Mailboxes
    from triage_sandbox.mail.pages import mail_app
    from triage_sandbox.mail.smtp import ServedMail
    from triage_sandbox.server import Served

    mailboxes = Mailboxes()
    post = stack.enter_context(ServedMail(mailboxes))
    return stack.enter_context(Served(mail_app(mailboxes))).url, {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(post.port),
        "SMTP_TLS": "none",
        "MAIL_FROM": "Harbourline support <support@harbourline.example>",
        "LETTER_DELAY_SECONDS": "0",
    }


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _configuration(folder: Path) -> Path:
    """Write the demo's triage.yaml: receipts, and the help pages of the company, where this is a checkout."""
    file = folder / "triage.yaml"
    source = f"sources: [{{ name: help, folder: {json.dumps(str(HELP))} }}]" if HELP.is_dir() else ""
    letters = "letters: { receipt: true, signature: Harbourline support }"
    file.write_text(f"knowledge: {{ {source} }}\n{letters}\n", encoding="utf-8")
    return file


def _reports(database: str) -> "Callable[[str], Awaitable[str | None]]":
    """Return a function from case to the text of `triage show`, for the board."""
    from cli.cases.show import text_of
    from cli.wiring.store import reports_at
    from triage.domain.errors import CaseNotFound

    async def report(case: str) -> str | None:
        async with reports_at(database) as reports:
            try:
                return text_of(await reports.report(case)) if reports else None
            except CaseNotFound:
                return None

    return report


async def _demo(settings: "Settings") -> tuple[list[DemoLine], "Spent"]:
    """Work off all mails one after another, so that every run has the same result."""
    from cli.console import progress
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
        return judged(letters, reports, facts), Spent.of(reports, time.perf_counter() - started, asked)


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


def judged(
    letters: "tuple[DemoMail, ...]", reports: list["Report"], facts: "Sequence[TicketFacts | None] | None" = None
) -> list[DemoLine]:
    """Compare the end of each mail with the expected one; without `facts` outcome and ticket alone."""
    from cli.evaluate.cases.expected import MailCase
    from cli.evaluate.cases.judge import Got
    from cli.evaluate.cases.judge import judged as compared

    mails = [MailCase(name=letter.name, raw=letter.raw, expected=_expected(letter, facts)) for letter in letters]
    ends = [Got.of(report, fact) for report, fact in zip(reports, facts or [None] * len(reports), strict=True)]
    asked = [_without_sprint(*each) for each in zip(ends, mails, reports, strict=True)]
    return [
        DemoLine(
            mail=line.name,
            action=end.action,
            ticket=end.ticket,
            why=end.why,
            expected="" if line.right else _told(line),
        )
        for line, end in zip(compared(mails, asked), ends, strict=True)
    ]


def _expected(letter: "DemoMail", facts: object) -> "Expected":
    """Return what is judged of a mail."""
    from cli.evaluate.cases.expected import EXPECTED

    told = {name: value for name, value in asdict(letter.expected).items() if value}
    return EXPECTED.validate_python(told if facts else {name: told[name] for name in ("action", "ticket")})


def _without_sprint(end: "Got", mail: "MailCase", report: "Report") -> "Got":
    """Return the end without a wait for sprints alone: of a full one, or of a ticket of an unknown sender."""
    sprints = bool(report.approvals) and all(parked.field == "sprint" for parked in report.approvals)
    return replace(end, action=mail.expected.action[0]) if sprints else end


def _told(line: "Judged") -> str:
    """Say what was expected: outcome and ticket, then the other fields that differ."""
    other = [f"{name} {getattr(line.expected, name)}" for name in line.wrong if name not in {"action", "ticket"}]
    return ", ".join([f"{line.expected.action[0]} {line.expected.ticket}", *other])


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Cost of the run: medians per mail that a model worked on."""

    seconds: float
    model_calls: float
    input_tokens: float
    jira_calls: float
    model: str

    @classmethod
    def of(cls, reports: list["Report"], seconds: float, asked: str) -> "Spent":
        """Compute the medians from the reports."""
        worked = [report for report in reports if report.turns]
        return cls(
            seconds=seconds,
            model_calls=median(len(r.turns) for r in worked),
            input_tokens=median(sum(t.input_tokens for t in r.turns) for r in worked),
            jira_calls=median(r.jira_calls for r in worked),
            model=f"{worked[0].turns[0].model}{asked}",
        )


def _print_table(lines: list[DemoLine], spent: Spent) -> None:
    from cli.console import screen, table

    out = screen()
    rows = [(x.mail, x.action, x.ticket, x.why if not x.expected else f"EXPECTED {x.expected}: {x.why}") for x in lines]
    out.print(table(("mail", "action", "ticket", "why"), rows, "What became of the mails"))
    wrong = sum(bool(x.expected) for x in lines)
    out.print(
        f"\n{len(lines)} mails in {spent.seconds:.1f} s, {len(lines) - wrong} as expected. Median per mail ({spent.model}):"
    )
    out.print(
        f"{spent.model_calls:.0f} model calls, {spent.input_tokens:.0f} input tokens (estimated at 4 bytes each), "
        f"{spent.jira_calls:.0f} Jira calls."
    )


def _print_commands(lines: list[DemoLine], world: World) -> None:
    """Print commands to paste into another terminal while the board runs."""
    from cli.console import screen

    again = shlex.join([*_called(), "--env", str(world.env)])
    case = next((number for number, line in enumerate(lines, 1) if line.action == "waiting"), 1)
    screen().print(
        f"\nThe board: {world.board}   (Ctrl-C ends the demo)\n"
        f"The senders' mailboxes, with their receipts: {world.letters}\nIn another terminal, on the demo's own store:\n"
        f"  {again} show {case}\n  {again} approve\n  {again} approve 1\n"
        f"  {again} memory list\n  {again} ask 'Why is my login code refused?'\n"
        f"The same in a browser, the console (it prints its address and a token):\n  {again} serve",
        soft_wrap=True,
    )


def _called() -> list[str]:
    """Return the command line prefix that runs this program again from the same folder."""
    name = Path(sys.argv[0])
    return [sys.executable, "-m", "cli"] if name.name == "__main__.py" else [str(name)]
