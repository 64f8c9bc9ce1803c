"""`triage approve`: accepts what waits for a person's decision; without a number it lists."""

from typing import Annotated

import typer

from cli.approvals.deciding import decide
from cli.verb import AsJson


def approve(
    number: Annotated[int | None, typer.Argument(help="Which one; without it they are listed.")] = None,
    reject: Annotated[bool, typer.Option("--reject", help="Leave it undone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Accept what waits, exactly as shown; without a number, list it."""
    if number is None:
        from cli.approvals.listing import approvals

        approvals(as_json=as_json)
        return
    decide(lambda at, who: (at.ignore if reject else at.accept)(number, who), as_json=as_json)
