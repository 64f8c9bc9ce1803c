"""`triage <verb>`: the table of verbs, and the one place that turns an error into an exit code."""

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from cli.agents import agents
from cli.cases.approve import approve
from cli.cases.cases import cases
from cli.cases.replay import replay
from cli.cases.show import show
from cli.demo.command import demo
from cli.demo.sandbox import SandboxMissing, sandbox
from cli.doctor.command import doctor
from cli.evaluate.assignment import assignment
from cli.evaluate.mail import evaluate
from cli.mail.parse import parse
from cli.mail.pipe import EXIT_CODES, pipe
from cli.mail.process import process
from cli.service.backup import backup
from cli.service.serve import serve
from cli.service.sweep import sweep
from cli.service.watch import watch
from cli.service.work import work
from triage.domain.errors import Refused, TriageError
from triage.domain.visible import visible

app = typer.Typer(
    name="triage",
    epilog="Exit codes: 0 done; 1 something needs a person; 2 wrong use or settings; 3 Jira, model or database did not answer.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"triage {version('triage')}")
        raise typer.Exit


@app.callback()
def common(
    env: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Settings of this file alone, whatever the environment and .env say."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback has done it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Which version this is, and end.")
    ] = False,
) -> None:
    """The mailbox that files its own Jira tickets."""
    if env:
        from triage.config.settings import ALONE

        ALONE.set(env)


for verb in (demo, process, parse, cases, show, replay, approve, agents, serve, watch, work, sweep, backup):
    app.command()(verb)
app.command(epilog=EXIT_CODES)(pipe)  # other than those of all the rest: mail servers know them
app.command()(doctor)
app.add_typer(sandbox, name="sandbox")
evaluate.command()(assignment)
app.add_typer(evaluate, name="eval")


def main() -> None:
    """Run a command; trouble that has a word is told in one line, without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows ? in their place
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # `triage cases | head`: nobody listens any more. Python would complain once more while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except TriageError as trouble:
        _fail(trouble)
    except ModuleNotFoundError as missing:
        if missing.name != "triage_sandbox":
            raise
        _fail(SandboxMissing())
    except ExceptionGroup as group:  # out of tasks that run side by side
        known, unknown = group.split(TriageError)
        if known is None or unknown is not None:
            raise
        _fail(*known.exceptions)


def _run() -> None:
    """The command; whatever it has said is out when this ends, so that a closed pipe is met here and not later."""
    try:
        app()
    finally:
        sys.stdout.flush()


def _fail(*troubles: Exception) -> NoReturn:
    for trouble in troubles:
        typer.echo(visible(f"triage: {trouble}"), err=True)
    sys.exit(2 if all(isinstance(trouble, Refused) for trouble in troubles) else 3)


if __name__ == "__main__":
    main()
