"""`triage reject`: leaves undone what waits."""

from typing import Annotated

import typer

from cli.approvals.deciding import decide
from cli.verb import AsJson


def reject(
    number: Annotated[int, typer.Argument(help="Which one: triage approvals lists them.")],
    as_json: AsJson = False,
) -> None:
    """Reject what waits: nothing is written."""
    decide(lambda at, who: at.ignore(number, who), as_json=as_json)
