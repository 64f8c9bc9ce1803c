"""`triage <verb>`: holds the table of verbs and turns errors into exit codes."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer
from typer.core import TyperGroup

from cli.help import complete_help, show_words
from triage.domain.errors import Refused, TriageError
from triage.domain.text.visible import visible

if TYPE_CHECKING:
    from types import FrameType

    from typer._click.core import Command, Context

SECTIONS: Final = {
    "Set up": {
        "init": "cli.setup.command:init",
        "doctor": "cli.doctor.command:doctor",
        "demo": "cli.demo.command:demo",
        "sandbox": "cli.demo.sandbox:sandbox",
    },
    "Run": {
        "serve": "cli.service.serve:serve",
        "watch": "cli.service.watch:watch",
        "work": "cli.service.work:work",
        "sync": "cli.service.sync:sync",
        "sweep": "cli.service.sweep:sweep",
        "pipe": "cli.mail.pipe:pipe",
        "mailbox": "cli.mail.mailbox:mailbox",
        "notify": "cli.service.notify:notify",
    },
    "Read a mail": {
        "process": "cli.mail.process:process",
        "parse": "cli.mail.parse:parse",
        "route": "cli.mail.route:route",
    },
    "Cases": {
        "cases": "cli.cases.cases:cases",
        "show": "cli.cases.show:show",
        "correct": "cli.cases.correct:correct",
        "lessons": "cli.cases.lessons:lessons",
        "merge": "cli.cases.merge:merge",
        "split": "cli.cases.merge:split",
        "undo": "cli.approvals.deciding:undo",
        "replay": "cli.cases.replay:replay",
        "letters": "cli.cases.letters:letters",
    },
    "Decide": {
        "approvals": "cli.approvals.listing:approvals",
        "approve": "cli.approvals.deciding:approve",
        "edit": "cli.approvals.edit:edit",
        "respond": "cli.approvals.deciding:respond",
        "reject": "cli.approvals.deciding:reject",
        "pause": "cli.approvals.pause:pause",
        "resume": "cli.approvals.pause:resume",
    },
    "Ask": {
        "ask": "cli.memory.ask:ask",
        "chat": "cli.support.chat:chat",
        "memory": "cli.memory.command:memory",
        "knowledge": "cli.knowledge.command:knowledge",
        "agents": "cli.agents:agents",
        "mcp": "cli.mcp.command:mcp",
    },
    "Operate": {
        "status": "cli.operations.status:status",
        "audit": "cli.operations.audit:audit",
        "backup": "cli.service.backup:backup",
        "forget": "cli.operations.forget:forget",
        "token": "cli.operations.token:token",
        "user": "cli.operations.user:user",
    },
    "Measure": {
        "agreement": "cli.evaluate.agreement.changelog:agreement",
        "eval": "cli.evaluate.command:evaluate",
    },
}
"""The parts of `triage --help`; each verb's function, or its `Typer` where it has subcommands."""
VERBS: Final = {name: path for verbs in SECTIONS.values() for name, path in verbs.items()}
_SECTION: Final = {name: section for section, verbs in SECTIONS.items() for name in verbs}


class Verbs(TyperGroup):
    """Imports the module of a verb when it runs, so that `triage pipe` starts without the imports of the others."""

    def list_commands(self, ctx: "Context") -> list[str]:
        """Return the verbs in the order of the table."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Return the verb's command, None for an unknown verb; then load all, since typer suggests one of `commands`."""
        del ctx
        if cmd_name in VERBS:
            return _verb(cmd_name)
        self.commands.update({name: _verb(name) for name in VERBS})
        return None


def _verb(name: str) -> "Command":
    """Import a verb's command; its module's `EXIT_CODES`, if any, become the epilog of its help."""
    path, _, attribute = VERBS[name].partition(":")
    module = import_module(path)
    verb = getattr(module, attribute)
    if not isinstance(verb, typer.Typer):
        alone = typer.Typer(add_completion=False)
        alone.command(name, epilog=getattr(module, "EXIT_CODES", None))(verb)
        verb = alone
    command = typer.main.get_command(verb)
    command.name, command.rich_help_panel = name, _SECTION[name]  # type: ignore[attr-defined]  # of both of typer's classes
    complete_help(command, name)
    return command


YOUNG: Final = 50_000
"""Objects after which the youngest are looked through: what imports make stays, and to look for garbage among it costs a tenth of a start."""
show_words()
app = typer.Typer(
    name="triage",
    cls=Verbs,
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
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Which version this is, and end.")
    ] = False,
) -> None:
    """The mailbox that files its own Jira tickets."""
    if env:
        from triage.config.settings import ALONE

        ALONE.set(env)


def main() -> None:
    """Run a command; print a `TriageError` in one line, without a traceback."""
    gc.set_threshold(YOUNG)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # show ? where the terminal's charset lacks a character
    try:
        with _cleaning_up():
            _run()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # `triage cases | head` closes the pipe; without this Python complains again while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except TriageError as trouble:
        _fail(trouble)
    except ModuleNotFoundError as missing:
        if missing.name != "triage_sandbox":
            raise
        from cli.demo.sandbox import SandboxMissing

        _fail(SandboxMissing())
    except ExceptionGroup as group:  # from a TaskGroup
        known, unknown = group.split(TriageError)
        if known is None or unknown is not None:
            raise
        _fail(*known.exceptions)


@contextmanager
def _cleaning_up() -> Iterator[None]:
    """Take SIGTERM as Ctrl-C, so that temporary copies of mails are removed, then end by it; services end in their own way."""
    came: list[int] = []

    def end(number: int, frame: "FrameType | None") -> None:
        came.append(number)
        interrupt = signal.getsignal(signal.SIGINT)  # asyncio's, while a loop runs
        if not callable(interrupt):  # a shell in the background ignores Ctrl-C
            raise KeyboardInterrupt
        interrupt(signal.SIGINT, frame)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if came:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)


def _run() -> None:
    """Run the command and flush its output, so that a closed pipe raises here and not at exit."""
    try:
        app()
    finally:
        sys.stdout.flush()
        gc.freeze()  # the interpreter would look through all objects once more before it ends


def _fail(*troubles: Exception) -> NoReturn:
    for trouble in troubles:
        typer.echo(visible(f"triage: {trouble}"), err=True)
    sys.exit(2 if all(isinstance(trouble, Refused) for trouble in troubles) else 3)


if __name__ == "__main__":
    main()
