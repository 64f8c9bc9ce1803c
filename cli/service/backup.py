"""`triage backup`: writes a consistent copy of the database while Triage runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.config.settings import Settings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="Where to; must not be there yet.")],
    as_json: AsJson = False,
) -> None:
    """Copy the SQLite database into a file while Triage runs.

    PostgreSQL has tools of its own: the command to use is told.
    """
    written = _backup(load(), file)
    if as_json:
        print_json(written)
    else:
        screen().print(
            f"{written['file']}: {written['cases']} cases, {written['bytes']:,} bytes, checked", soft_wrap=True
        )


def _backup(settings: "Settings", file: Path) -> dict[str, str | int]:
    from cli.wiring.store import backup_to

    try:
        cases = backup_to(settings, file)
    except FileExistsError as e:
        raise typer.BadParameter(f"{file} is there already; name another file", param_hint="FILE") from e
    return {"file": str(file), "cases": cases, "bytes": file.stat().st_size}
