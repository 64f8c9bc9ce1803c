"""`triage eval assignment`: measures on a tracker's history how often the right person is proposed."""

from pathlib import Path
from typing import Annotated

import typer


def assignment(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="One ticket a line as JSON (.jsonl, .jsonl.gz): id, project, type, summary, description, component, "
            "assignee, created, resolved, resolution.",
        ),
    ],
    project: Annotated[str, typer.Option(help="Only tickets of this project.")] = "",
    last: Annotated[int, typer.Option(min=1, help="Ask for so many of the last tickets that were fixed.")] = 2_000,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Replay a tracker's past in the order of time: whom the proposals name, against simple rules."""
    from cli.console import print_json, screen, table
    from cli.evaluate.backtest import measured

    tallies = measured(file, project, last)
    figures = {name: tally.figures for name, tally in tallies.items()}
    if as_json:
        print_json({"tickets": next(iter(tallies.values())).asked, "rules": figures})
        return
    rows = [(name, f"{each['top1']:.3f}", f"{each['top3']:.3f}", f"{each['ms']:.1f}") for name, each in figures.items()]
    title = f"{next(iter(tallies.values())).asked} tickets in the order of time"
    screen().print(table(("who is named", "top1", "top3", "ms (median)"), rows, title))
