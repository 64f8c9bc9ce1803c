"""`triage memory`: the table of its verbs."""

import typer

from cli.memory.build import EXIT_CODES, build, reconcile, refresh

memory = typer.Typer(
    help="The team's memory: notes of what mails promise, ask and decide (ENABLE_MEMORY).", no_args_is_help=True
)
memory.command(epilog=EXIT_CODES)(build)
memory.command(epilog=EXIT_CODES)(refresh)
memory.command(epilog=EXIT_CODES)(reconcile)
