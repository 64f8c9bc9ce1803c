"""Names the value of an option in a command's help: `FILE`, `MINUTES`; typer alone would show the type in Python."""

from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperOption

if TYPE_CHECKING:
    from typer._click.core import Context


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
