"""The help of commands: an example, and the value of an option as `FILE` or `MINUTES`; typer alone would show the type in Python."""

import re
from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperGroup, TyperOption

from cli.examples import EXAMPLES

if TYPE_CHECKING:
    from typer._click.core import Command, Context


def complete_help(command: "Command", name: str) -> None:
    """Add to the help of a command and those below it their example, and join lines that the source has broken."""
    command.help = "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", command.help or ""))
    if example := EXAMPLES.get(name):
        command.epilog = "\n\n".join(filter(None, (f"Example: {example}", command.epilog)))
    if isinstance(command, TyperGroup):
        for below, one in command.commands.items():
            complete_help(one, f"{name} {below}")


def show_words() -> None:
    """Let all help show `--json` in place of `--json <bool>`, and `--limit LIMIT` in place of `--limit <int range>`.

    Typer has no setting for it, and makes the option `--help` itself, so the method of its class is replaced.
    """
    TyperOption.display_type_rich = _value_of_option  # type: ignore[assignment, method-assign]
    TyperArgument.display_type_rich = _value_of_argument  # type: ignore[assignment, method-assign]


def _value_of_option(option: TyperOption, ctx: "Context") -> str | None:
    """Return what stands for the value; None: the option has none."""
    if option.is_flag or option.count:
        return None
    if option.metavar is None and option.type_descriptor.is_choice:
        return option.display_type(ctx)
    return option.metavar or (option.name or "").upper()


def _value_of_argument(argument: TyperArgument, ctx: "Context") -> str | None:
    """Return the choices, if there are some: the argument's own name stands before it."""
    return argument.display_type(ctx) if argument.type_descriptor.is_choice else None
