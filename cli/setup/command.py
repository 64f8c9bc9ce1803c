"""`triage init`: sets Triage up, from nothing to the first ticket."""

import asyncio
import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.doctor.findings import Finding
    from cli.setup.asking import Asker
    from cli.setup.draft import Draft
    from triage.services.setup.files import FileChange

NO_TERMINAL: Final = (
    "init asks questions, and standard input is no terminal: run it in one, or give the answers in a file (--answers FILE; "
    "docs/start/init.md has its form)"
)
EXIT_CODES: Final = (
    "Exit codes: 0 done; 1 an answer does not work, and nothing was written; 2 wrong use or answers file."
)


def init(
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Answers in YAML or JSON instead of questions."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Test and show the changes, and write nothing.")] = False,
    watch: Annotated[
        bool | None, typer.Option("--watch/--no-watch", help="Wait for the first mail at the end, without asking.")
    ] = None,
    lookup: Annotated[
        bool, typer.Option("--lookup/--no-lookup", help="Whether DNS and the domain are asked for mail servers.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="The result for machines; with --answers.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of an answers file, and end.")
    ] = False,
) -> None:
    """Ask for Jira, mailbox, model and letters, test each answer, and write .env."""
    from cli.setup.draft import Draft
    from cli.wiring.setup import quiet_log
    from triage.config.dotenv import values_in
    from triage.config.settings import ALONE
    from triage.services.setup.files import check_writable, text_of

    if schema:
        _print_schema()
        return
    if as_json and not answers:
        raise typer.BadParameter("goes with --answers", param_hint="--json")
    if not answers and not sys.stdin.isatty():
        raise typer.BadParameter(NO_TERMINAL, param_hint="stdin")
    env = ALONE.get() or Path(".env")
    quiet_log()
    draft = Draft(kept=values_in(text_of(env)))
    if not check:
        check_writable(env)
    if answers:
        raise typer.Exit(_unattended(answers, draft, env, check=check, lookup=lookup, as_json=as_json))
    _attended(draft, env, check=check, lookup=lookup, watch=watch)


def _print_schema() -> None:
    from cli.console import print_json
    from triage.services.setup.answers import Answers

    print_json(Answers.model_json_schema())


# --- with a person ----------------------------------------------------------------------------


def _attended(draft: "Draft", env: Path, *, check: bool, lookup: bool, watch: bool | None) -> None:
    from cli.console import screen
    from cli.setup.asking import HINT, Asker, Quit
    from cli.setup.wizard import parts, walk
    from cli.setup.writing import changes_of, show
    from cli.wiring.setup import mail_search

    ask = Asker(screen())
    ask.out.size = get_terminal_size()  # rich takes every dumb terminal for 80 columns
    ask.out.print("Triage: set-up", style="bold")
    ask.out.print(HINT)
    try:
        draft = walk(ask, draft, parts(mail_search(lookup=lookup)))
        changes = changes_of(draft, env)
        ask.heading("What will be written")
        show(ask, changes)
        new = any(one.changes for one in changes)
        if not new:
            ask.say("Nothing: the file says so already.")
        goes_on = check or not new or _written(ask, changes)
    except (Quit, KeyboardInterrupt):
        goes_on = False
    if check or not goes_on:
        ask.out.print("\nNothing was written.")
    if not goes_on:
        raise typer.Exit(1)
    if not check:
        _ended(ask, draft, watch=watch)


def _written(ask: "Asker", changes: "Sequence[FileChange]") -> bool:
    """Ask and write; where the disk refuses, ask again: the answers are kept."""
    from cli.setup.asking import Back, Skip
    from triage.domain.operations.errors import FileNotWritten
    from triage.services.setup.files import write

    while True:
        try:
            if not ask.yes(f"Write {', '.join(str(one.path) for one in changes if one.changes)}?", default=True):
                return False
        except (Back, Skip):
            ask.say("All parts are answered: yes writes them, no leaves everything as it was.")
            continue
        try:
            for path in write(changes):
                ask.say(f"✓ {path}")
        except FileNotWritten as e:
            ask.say(f"✗ {e}. Mend that and answer yes again.")
        else:
            return True


def _ended(ask: "Asker", draft: "Draft", *, watch: bool | None) -> None:
    """Let the doctor look at what was written, and say how to go on; wait for the first mail if that is wanted."""
    from cli.doctor.command import examined
    from cli.setup.asking import Back, Quit, Skip
    from cli.setup.first_mail import first_mail, show
    from triage.config.settings import read

    ask.heading("triage doctor")
    settings = read()
    ask.show(asyncio.run(examined(settings)))
    ask.show(tuple(_overruled(draft)))
    ask.heading("Your first mail")
    address = settings.imap_user
    ask.say(
        "`triage serve` watches the mailbox and works (for a team: docker compose up, see the head of compose.yaml)."
    )
    if not address or not settings.jira_ready:
        ask.say("Triage needs both Jira and a way in for mail: run `triage init` again for what is missing.")
        return
    try:
        wanted = (
            watch
            if watch is not None
            else ask.yes(f"Wait here for a mail to {address} and show its ticket?", default=True)
        )
    except (Back, Skip, Quit):
        wanted = False
    if not wanted:
        ask.say(f"Then send a mail to {address}, from another address: `triage cases` shows what became of it.")
        return
    try:
        show(asyncio.run(first_mail(settings, ask.out)), settings, ask.out)
    except KeyboardInterrupt:
        ask.out.print("\nNo longer waiting.")
    ask.say("From now on: triage serve")


def _overruled(draft: "Draft") -> "Iterator[Finding]":
    """Report the variables whose written value is not the one that counts."""
    from cli.doctor.findings import Finding
    from triage.config.settings import Isolated, read
    from triage.config.variables import variables

    written = {name: value for name, value in draft.changes.items() if value and name in variables()}
    ours, counts = read(Isolated, **written), read()
    fields = {str(field.validation_alias.choices[0]): name for name, field in type(ours).model_fields.items()}  # type: ignore[union-attr]  # each has AliasChoices
    names = [name for name in written if getattr(ours, fields[name]) != getattr(counts, fields[name])]
    if names:
        told = f"the environment sets {', '.join(names)}, too, and wins over the file"
        yield Finding("environment", "warn", told, "unset it there, or write it there")


# --- for machines -----------------------------------------------------------------------------


def _unattended(answers: Path, draft: "Draft", env: Path, *, check: bool, lookup: bool, as_json: bool) -> int:
    """Test the answers of a file, and write if all work; return the exit code."""
    from cli.console import screen
    from cli.setup.asking import Asker
    from cli.setup.unattended import tested
    from cli.setup.writing import changes_of, show
    from cli.wiring.setup import mail_search
    from triage.services.setup.answers import read_answers
    from triage.services.setup.files import write

    at = asyncio.run(tested(read_answers(answers), draft, mail_search(lookup=lookup)))
    well = not any(one.state == "fail" for one in at.findings)
    changes = changes_of(at.draft, env)
    written = write(changes) if well and not check else ()
    if written:
        at.add(*_overruled(at.draft))
    if as_json:
        _print_result(at.findings, changes, [str(path) for path in written], well=well)
        return int(not well)
    ask = Asker(screen())
    ask.show(at.findings)
    if well:
        show(ask, changes)
    ask.out.print("\n".join(f"written: {path}" for path in written) or "Nothing was written.", soft_wrap=True)
    return int(not well)


def _print_result(
    findings: "Sequence[Finding]", changes: "Sequence[FileChange]", written: list[str], *, well: bool
) -> None:
    from cli.console import print_json
    from cli.setup.writing import difference

    print_json(
        {
            "well": well,
            "findings": findings,
            "changes": [line for change in changes for line in difference(change)],
            "written": written,
        }
    )
