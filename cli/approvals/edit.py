"""`triage edit`: changes what waits, and accepts it so."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.approvals.deciding import Number, decide
from cli.verb import AsJson, Service
from triage.domain.errors import ApprovalClosed

if TYPE_CHECKING:
    from triage.domain.approvals import Approval


def edit(
    number: Number,
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Without it $EDITOR opens.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Change what waits, then accept it.

    The same rules judge the change; the original is kept beside it.
    """
    approval = _waiting(number)
    changes = _set(given) if given else _written(approval)
    decide(lambda at, who: at.edit(number, changes, who, shown=approval.hash), as_json=as_json)


def _waiting(number: int) -> "Approval":
    from cli.wiring.store import open_reports

    waiting = Service(open_reports).ask(lambda reports: reports.approvals())
    found = [one for one in waiting if one.id == number]
    if not found:
        raise ApprovalClosed(number)
    return found[0]


def _set(given: list[str]) -> Mapping[str, Any]:
    """Parse FIELD=VALUE; a value that is JSON counts as such, any other as text."""
    changes: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise typer.BadParameter(f"{one!r} is not FIELD=VALUE")
        changes[name] = _value(value)
    return changes


def _value(text: str) -> Any:
    try:
        return json.loads(text) if text[:1] in "[{" else text
    except ValueError:
        return text


def _written(approval: "Approval") -> Mapping[str, Any]:
    """Let the person change the arguments in an editor; return those that differ. Exits with 1 if none does."""
    before = {name: _as_text(value) for name, value in json.loads(approval.exact).items()}
    try:
        after = json.loads(_in_editor(json.dumps(before, ensure_ascii=False, indent=2)))
    except ValueError as e:
        raise typer.BadParameter(f"that is no JSON: {e}") from None
    changes = {name: value for name, value in after.items() if before.get(name) != value}
    if not changes:
        typer.echo("nothing was changed, nothing is decided", err=True)
        raise typer.Exit(1)
    return changes


def _in_editor(text: str) -> str:
    """Return the text as the person leaves it in $VISUAL, $EDITOR or vi."""
    with TemporaryDirectory(prefix="triage-edit-") as folder:
        file = Path(folder) / "arguments.json"
        file.write_text(text, encoding="utf-8")
        shell = ("/bin/sh", "-c", '${VISUAL:-${EDITOR:-vi}} "$1"', "sh", str(file))
        subprocess.run(shell, check=True)  # noqa: S603 - the person's own editor
        return file.read_text(encoding="utf-8")


def _as_text(value: Any) -> Any:
    """Return a person or a status by name, as they are written again."""
    return value.get("name", value) if isinstance(value, dict) else value
