"""`triage eval duplicates`: how often the right ticket is found on trackers whose duplicates are known, and what a rule would do."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.console import figures_table, print_json, progress, screen
from cli.verb import AsJson

if TYPE_CHECKING:
    from cli.evaluate.duplicates.figures import DuplicateFigures
    from cli.evaluate.duplicates.history import DuplicateHistory, HistoryReport
    from cli.evaluate.duplicates.replay import Replay
    from triage.domain.cases import Case
    from triage.domain.findings import Candidate
    from triage.policy.ranking.ranker import RankingModel

EXISTING = {"exists": True, "dir_okay": False}

Files = Annotated[
    list[Path],
    typer.Argument(
        **EXISTING,
        metavar="FILE…",
        help="Trackers, together one history: one report a line as JSON (.jsonl, .jsonl.gz) with id, summary, "
        "description, component, created, resolved, dup_of.",
    ),
]
Queries = Annotated[
    Path | None,
    typer.Option(**EXISTING, metavar="FILE", help="Ask the reports of this file; else those of the last one."),
]
Limit = Annotated[int, typer.Option(min=0, help="Ask so many duplicates and others, evenly over time; 0 asks all.")]
Live = Annotated[Literal["relevance", "newest"], typer.Option(help="Order of the live search beside the index.")]
Model = Annotated[
    Path | None, typer.Option(**EXISTING, metavar="FILE", help="A ranking model in place of the shipped one.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and plots.")]


def duplicates(  # noqa: PLR0917 - each parameter is an option
    files: Files,
    queries: Queries = None,
    limit: Limit = 1_000,
    live: Live = "newest",
    model: Model = None,
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Replay trackers through the search for duplicates: each report sees what was known when it came."""
    from cli.evaluate.duplicates.history import history_of
    from triage.policy.ranking.ranker import RankingModel

    asked = queries or files[-1]
    history = history_of([*files, asked])
    chosen = RankingModel.read(model) if model else None
    figures = asyncio.run(_measured(history, asked, limit, live, chosen))
    if html:
        _write(html, figures, f"{asked.name}: live search by {live}")
    if as_json:
        print_json(figures.keys())
        return
    title = f"{len(figures.places)} duplicates and {figures.others} others in {len(history.reports)} reports"
    screen().print(figures_table(figures.keys(), title))


async def _measured(
    history: "DuplicateHistory",
    asked: Path,
    limit: int,
    live: Literal["relevance", "newest"],
    model: "RankingModel | None",
) -> "DuplicateFigures":

    from cli.evaluate.duplicates.figures import DuplicateFigures
    from cli.evaluate.duplicates.replay import replayed

    repeated = {report.id for report in _some(history.duplicates(asked), limit)}
    others = {report.id for report in _some(history.others(asked), limit)}
    figures = DuplicateFigures()
    async with replayed(history, live) as world:
        world.services = replace(world.services, rules=replace(world.services.rules, ranking=model))
        with progress() as bar:
            task = bar.add_task("reports", total=len(repeated | others))
            await _ask(world, repeated, others, figures, lambda: bar.advance(task))
    return figures


async def _ask(
    world: "Replay", repeated: set[str], others: set[str], figures: "DuplicateFigures", step: "Callable[[], None]"
) -> None:
    """Ask all reports by age. The first question of the process loads code and is asked twice."""
    warm, may_be_from = False, world.services.rules.may_be_from
    async for question in world.questions(repeated | others):
        if not warm:
            await _retrieved(world, question.case)
            warm = True
        candidates, ms = await _retrieved(world, question.case)
        duplicate = question.report.id in repeated
        figures.count(candidates, question.right, ms, duplicate=duplicate, may_be_from=may_be_from)
        step()


async def _retrieved(world: "Replay", case: "Case") -> "tuple[tuple[Candidate, ...], float]":
    """Return what is found, and the milliseconds of processor time, which a busy machine changes little."""
    from triage.pipeline.steps.retrieve import retrieve

    searching, began = world.tracker.spent, time.process_time()
    found = await retrieve(case, world.services)
    ms = 1_000 * (time.process_time() - began - (world.tracker.spent - searching))
    return found.retrieval.candidates, ms


def _some(reports: "Sequence[HistoryReport]", limit: int) -> "Sequence[HistoryReport]":
    """Return at most so many, evenly over time."""
    if not limit or len(reports) <= limit:
        return reports
    return [reports[place * len(reports) // limit] for place in range(limit)]


def _write(path: Path, figures: "DuplicateFigures", text: str) -> None:
    from cli.evaluate import report

    page = report.ReportPage("Duplicates", text)
    page.figures("Figures", figures.keys())
    recall = {"recall": [(float(place), figures.recall(place)) for place in range(1, 21)]}
    page.plot("Recall at k", report.curve(recall, "k", "recall"))
    page.plot("Calibration of the best candidate", report.calibration(figures.answers))
    page.plot("Precision by coverage of the best candidate", report.precision_by_coverage(figures.answers))
    page.write(path)
