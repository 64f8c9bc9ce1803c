"""`triage init`: sets Triage up, from nothing to the first ticket."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import called, print_json, screen
from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.services.setup.asking import Asker
    from triage.services.setup.draft import Draft
    from triage.services.setup.files import FileChange

NO_TERMINAL: Final = (
    "init asks questions, and standard input is no terminal: run it in one, ask in a browser (--browser), or give the answers in a file (--answers FILE; "
    "--schema prints its form)"
)
EXIT_CODES: Final = (
    "Exit codes: 0 done; 1 an answer does not work, and nothing was written; 2 wrong use or answers file."
)

Answers = Annotated[
    Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Answers in YAML or JSON instead of questions.")
]
Check = Annotated[bool, typer.Option("--check", help="Test and show the changes, and write nothing.")]
Watch = Annotated[
    bool | None, typer.Option("--watch/--no-watch", help="Wait for the first mail at the end, without asking.")
]
Browser = Annotated[bool, typer.Option("--browser", help="Ask on a page of this machine; a printed token opens it.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="With --browser: where; 0: any free port.")]
Lookup = Annotated[
    bool, typer.Option("--lookup/--no-lookup", help="Whether DNS and the domain are asked for mail servers.")
]
AsJson = Annotated[bool, typer.Option("--json", help="The result for machines; with --answers.")]
Schema = Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of an answers file, and end.")]


def init(
    answers: Answers = None,
    *,
    check: Check = False,
    watch: Watch = None,
    browser: Browser = False,
    port: Port = 0,
    lookup: Lookup = True,
    as_json: AsJson = False,
    schema: Schema = False,
) -> None:
    """Set Triage up: ask, test each answer, write .env."""
    from cli.setup.browser import BrowserOptions, in_browser
    from cli.wiring.setup import quiet_log
    from triage.config.dotenv import values_in
    from triage.config.settings import ALONE, trust
    from triage.services.setup.draft import Draft
    from triage.services.setup.files import check_writable, text_of

    if schema:
        _print_schema()
        return
    if as_json and not answers:
        raise typer.BadParameter("goes with --answers", param_hint="--json")
    if browser and answers:
        raise typer.BadParameter("asks questions itself: leave --answers out", param_hint="--browser")
    if not answers and not browser and not sys.stdin.isatty():
        raise typer.BadParameter(NO_TERMINAL, param_hint="stdin")
    env = ALONE.get() or Path(".env")
    quiet_log()
    draft = Draft(kept=values_in(text_of(env)))
    trust(draft.kept.get("SSL_CERT_FILE", ""))
    if not check:
        check_writable(env)
    if answers:
        raise typer.Exit(_unattended(answers, draft, env, check=check, lookup=lookup, as_json=as_json))
    if browser:
        wishes = BrowserOptions(env=env, check=check, lookup=lookup, watch=watch, port=port)
        raise typer.Exit(asyncio.run(in_browser(draft, wishes)))
    _attended(draft, env, check=check, lookup=lookup, watch=watch)


def _print_schema() -> None:
    from triage.services.setup.answers import SetupAnswers

    print_json(SetupAnswers.model_json_schema())


# --- with a person ----------------------------------------------------------------------------


def _attended(draft: "Draft", env: Path, *, check: bool, lookup: bool, watch: bool | None) -> None:
    from cli.setup import trials
    from cli.setup.terminal import HINT, Terminal
    from cli.wiring.setup import mail_search
    from triage.services.setup.asking import Asker
    from triage.services.setup.walk import parts, set_up

    out = screen()
    ask = Asker(Terminal(out))
    out.size = get_terminal_size()  # rich takes every dumb terminal for 80 columns
    out.print("Triage: set-up", style="bold")
    out.print(HINT)
    try:
        done = asyncio.run(set_up(ask, draft, env, parts(trials, mail_search(lookup=lookup)), check=check))
    except KeyboardInterrupt:
        done = None
    if check or done is None:
        out.print("\nNothing was written.")
    if done is None:
        raise typer.Exit(1)
    if not check:
        _ended(ask, done, watch=watch)


def _ended(ask: "Asker", draft: "Draft", *, watch: bool | None) -> None:
    """Let the doctor look at what was written, and say how to go on; wait for the first mail if that is wanted."""
    from cli.setup.ending import first_ticket, run_doctor, waits

    settings = asyncio.run(run_doctor(ask, draft))
    if not asyncio.run(waits(ask, settings, watch=watch)):
        return
    try:
        asyncio.run(first_ticket(ask, settings))
    except KeyboardInterrupt:
        ask.say("No longer waiting.")
    ask.say(f"From now on: {called()} serve. It prints where the console is and how the first account is made.")


# --- for machines -----------------------------------------------------------------------------


def _unattended(answers: Path, draft: "Draft", env: Path, *, check: bool, lookup: bool, as_json: bool) -> int:
    """Test the answers of a file, and write if all work; return the exit code."""
    from cli.setup.ending import overruled
    from cli.setup.terminal import Terminal
    from cli.setup.unattended import tested
    from cli.wiring.setup import mail_search
    from triage.services.setup.answers import read_answers
    from triage.services.setup.files import write
    from triage.services.setup.writing import changes_of, differences

    at = asyncio.run(tested(read_answers(answers), draft, mail_search(lookup=lookup)))
    well = not any(one.state == "fail" for one in at.findings)
    changes = changes_of(at.draft, env)
    written = write(changes) if well and not check else ()
    if written:
        at.add(*overruled(at.draft))
    if as_json:
        _print_result(at.findings, changes, [str(path) for path in written], well=well)
        return int(not well)
    out = screen()
    shown = Terminal(out)
    shown.show(at.findings)
    if well:
        shown.difference(differences(changes))
    out.print("\n".join(f"written: {path}" for path in written) or "Nothing was written.", soft_wrap=True)
    return int(not well)


def _print_result(
    findings: "Sequence[Finding]", changes: "Sequence[FileChange]", written: list[str], *, well: bool
) -> None:
    from triage.services.setup.writing import differences

    print_json(
        {
            "well": well,
            "findings": findings,
            "changes": differences(changes),
            "written": written,
        }
    )
