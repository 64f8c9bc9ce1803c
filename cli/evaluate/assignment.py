"""`triage eval assignment`: measures on a tracker's history how often the right person is proposed."""

from pathlib import Path
from typing import Annotated

import typer

from cli.console import figures_table, print_json, progress, screen
from cli.verb import AsJson

Files = Annotated[
    list[Path],
    typer.Argument(
        exists=True,
        dir_okay=False,
        metavar="FILE…",
        help="One ticket a line as JSON (.jsonl, .jsonl.gz), all files one history: id, project, type, summary, description, "
        "component, assignee, created, resolved, resolution; or with folds: id, fold, created, component, assignee, text.",
    ),
]
Project = Annotated[str, typer.Option(help="Only tickets of this project.")]
Last = Annotated[int, typer.Option(min=1, help="Ask for so many of the last tickets that were fixed.")]
PerFold = Annotated[int, typer.Option(min=1, help="With folds: ask for so many tickets of each.")]
Component = Annotated[bool, typer.Option("--component", help="The component is known.")]
ClosedOnly = Annotated[bool, typer.Option("--closed-only", help="Learn from closed tickets alone.")]
Html = Annotated[Path | None, typer.Option(help="Write a page with plots to this file.")]


def assignment(  # noqa: PLR0917 - typer takes one parameter per option
    files: Files,
    project: Project = "",
    last: Last = 2_000,
    per_fold: PerFold = 120,
    component: Component = False,
    closed_only: ClosedOnly = False,
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Replay a tracker's past in the order of time: how often the right person is proposed.

    With folds, each is asked with what was known when it began, and the figures are the mean of the folds.
    """
    from cli.evaluate.backtest import measured, page

    with progress() as bar:
        line = bar.add_task("asking", total=None)
        result = measured(
            files,
            project=project,
            last=last,
            per_fold=per_fold,
            component=component,
            closed_only=closed_only,
            shown=lambda asked, total: bar.update(line, completed=asked, total=total),
        )
    if html is not None:
        page(result).write(html)
    if as_json:
        print_json(result.figures)
        return
    screen().print(figures_table(result.figures | result.proposals, result.summary))
