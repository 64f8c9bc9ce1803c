"""`triage undo`: takes back what a case has written."""

from typing import Annotated

import typer

from cli.approvals.deciding import decide
from cli.verb import AsJson


def undo(
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    as_json: AsJson = False,
) -> None:
    """Take back what a case wrote, where nobody has built on it.

    Its comments, tickets and links, and its letters that have not left.
    """
    decide(lambda at, who: at.undo(case, who), as_json=as_json)
