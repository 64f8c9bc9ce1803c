"""`triage backup`: writes a consistent copy of the database while Triage runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.config.settings import Settings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="Where to; must not be there yet.")],
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Copy the store of SQLite into a file, consistent and checked, while Triage goes on working.

    PostgreSQL has tools of its own: the command to use is told.
    """
    from cli.console import print_json, screen
    from triage.config.settings import load

    told = _backup(load(), file)
    if as_json:
        print_json(told)
    else:
        screen().print(f"{told['file']}: {told['cases']} cases, {told['bytes']:,} bytes, checked", soft_wrap=True)


def _backup(settings: "Settings", file: Path) -> dict[str, str | int]:
    from integrations.sql.database.backup import copy_to, sqlite_file
    from triage.domain.errors import SettingsInvalid

    source = sqlite_file(settings.database_url.get_secret_value())
    if source is None:
        raise SettingsInvalid((f'PostgreSQL: pg_dump --format=custom --file={file} "$DATABASE_URL"',))
    if file.exists():
        raise typer.BadParameter(f"{file} is there already; name another file", param_hint="FILE")
    cases = copy_to(source, file)
    return {"file": str(file), "cases": cases, "bytes": file.stat().st_size}
