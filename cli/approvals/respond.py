"""`triage respond`: tells the agent what to do instead of what waits."""

from typing import Annotated

import typer

from cli.approvals.deciding import decide
from cli.verb import AsJson


def respond(
    number: Annotated[int, typer.Argument(help="Which one: triage approvals lists them.")],
    instruction: Annotated[str, typer.Argument(help="What the agent shall do instead, in words.")],
    as_json: AsJson = False,
) -> None:
    """Tell the agent what to do instead; it may propose again.

    `approvals.rework` says how often.
    """
    decide(lambda at, who: at.respond(number, instruction, who), as_json=as_json)
