"""Trains the ranking of duplicates: `python -m tests.training.duplicates FILE[,FILE…]… --out MODEL`.

Files joined by commas are one history, whose last file is asked. Each history is replayed in the order of time against the real ticket index and a live search, so a report meets
earlier ones alone. The first stage learns which of a report's candidates is the same matter (a conditional logit; a feature
that speaks for a ticket never gets a negative weight). The second one learns how probable that is (a logistic regression), on
scores of first stages that were trained without the file, and with the share of duplicates that mailboxes have.
It draws no lots: the same files give the same model.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize

from cli.console import progress, screen
from cli.evaluate.duplicates.history import PROJECT, DuplicateHistory, HistoryReport, history_of
from cli.evaluate.duplicates.replay import ORDERS, Order, Replay, ReplayQuestion, replayed
from tests.training.model_files import ranking_file, write_model
from triage.domain.tickets import TicketQuery
from triage.policy.ranking.candidates import mail_document
from triage.policy.ranking.features import FEATURES
from triage.policy.ranking.ranker import Contender, RankingModel, calibrated_rows, rows_of
from triage.policy.ticket.index_entry import contender_of, query_of, word_frequencies
from triage.policy.ticket.search_words import CONSIDERED, rarest, search_words

Array = NDArray[Any]

RETRIEVED: Final = 300
FEWER: Final = (300, 100, 30, 10, 3)
"""Numbers of candidates from the index, in turn, of reports without a duplicate: young projects have few tickets."""
OTHERS: Final = 2
"""Reports without a duplicate that are asked for each one with a duplicate."""
RATE: Final = 0.1
"""Share of mails that repeat a matter, for the calibration; trackers without support by mail have about as many."""
FOR: Final = frozenset(
    {
        *("match", "coverage", "words", "shared", "best_shared", "pairs", "ours", "titles", "theirs", "union"),
        *("codes", "quotes", "same_names", "grams", "title_grams", "open"),
    }
)
AGAINST: Final = frozenset(
    {
        *("ours_lacking", "ours_lacking_count", "theirs_lacking", "theirs_lacking_count", "conflict", "other_names"),
        *("differing_names", "place", "age", "untouched"),
    }
)
PENALTY: Final = 3.0
SECOND_PENALTY: Final = 1.5
FIRST_OF: Final = 5
"""Best candidates of a report that the calibration learns from."""


@dataclass(frozen=True, slots=True)
class DuplicateExample:
    """A report's candidates: a row of features each, and which are the same matter."""

    rows: Array
    right: Array
    duplicate: bool
    """An earlier report of its matter is known, found or not."""


def train(
    histories: Annotated[
        list[str], typer.Argument(metavar="FILE[,FILE…]…", help="Trackers, each a history of its own.")
    ],
    out: Annotated[Path, typer.Option(help="The model's file.")],
    until: Annotated[str, typer.Option(help="Ask only reports created before this day (ISO 8601).")] = "",
) -> None:
    """Learn from the last file of each history, and write the model."""
    groups = [[Path(name) for name in history.split(",")] for history in histories]
    sets = [asyncio.run(_examples(files, until)) for files in groups]
    sets = [examples for examples in sets if any(example.right.any() for example in examples)]
    model = fitted(sets)
    write_model(
        out, ranking_file(model, trained=[files[-1].parent.name or files[-1].name for files in groups], until=until)
    )
    screen().print(
        f"{out}: {sum(map(len, sets))} reports, {sum(one.duplicate for each in sets for one in each)} of them duplicates"
    )


async def _examples(files: Sequence[Path], until: str) -> list[DuplicateExample]:
    """Ask the reports of the last file, half of them with each order of the live search."""
    history, queries = history_of(files), files[-1]
    asked = {report.id for report in _asked(history, queries) if not until or f"{report.created:%Y-%m-%d}" < until}
    found = []
    with progress() as bar:
        task = bar.add_task(queries.parent.name or queries.name, total=len(asked))
        for order in ORDERS:
            half = set(sorted(asked)[order == "newest" :: 2])
            async for example in _replayed(history, half, order):
                found.append(example)
                bar.advance(task)
    return found


def _asked(history: DuplicateHistory, queries: Path) -> list[HistoryReport]:
    """Return the file's reports with an earlier one of their matter, and others evenly over time."""
    age = {report.id: place for place, report in enumerate(history.reports)}
    duplicates = [
        report
        for report in history.reports
        if report.file == queries and any(age[one] < age[report.id] for one in history.groups.get(report.id, ()))
    ]
    others = history.others(queries)
    return [*duplicates, *others[:: max(1, len(others) // max(1, OTHERS * len(duplicates)))]]


async def _replayed(history: DuplicateHistory, asked: set[str], order: Order) -> AsyncIterator[DuplicateExample]:
    async with replayed(history, order) as world:
        count = 0
        async for question in world.questions(asked):
            duplicate = bool(question.right)
            count += not duplicate
            found = await _contenders(question, world, RETRIEVED if duplicate else FEWER[count % len(FEWER)])
            if found:
                mail, at = mail_document(question.case.mail), question.case.mail.date
                rows = rows_of(mail, at, found)
                right = np.array([one.key in question.right for one in found])
                yield DuplicateExample(rows.astype(np.float64), right, duplicate)


async def _contenders(question: ReplayQuestion, world: Replay, most: int) -> list[Contender]:
    """Return what `retrieve` ranks: the tickets of the index, and those of the live search."""
    mail = question.case.mail
    hits = await world.services.index.find(PROJECT, query_of(mail.subject, mail.reply), most)
    words = search_words(f"{mail.subject}\n{mail.reply}", CONSIDERED)
    asked = rarest(words, word_frequencies(words, hits.frequencies or {}))
    live = await world.tracker.search(TicketQuery(words=asked, limit=min(50, most)))
    found = {hit.key: contender_of(hit) for hit in hits.hits}
    return list((found | {ticket.key: Contender.of(ticket, found.get(ticket.key)) for ticket in live}).values())


# --- fitting --------------------------------------------------------------------------------------


def fitted(sets: Sequence[Sequence[DuplicateExample]]) -> RankingModel:
    """Fit both stages; the second on scores of first stages that were trained on the other files."""
    calibrations = []
    for place, examples in enumerate(sets):
        others = [*sets[:place], *sets[place + 1 :]] or [examples]
        calibrations.append(_calibration_rows(first_stage(others), examples))
    rows, right, weights = (np.concatenate(parts) for parts in zip(*calibrations, strict=True))
    calibration = second_stage(rows, right, weights)
    return RankingModel(weights=first_stage(sets), calibration=calibration[:-1], bias=float(calibration[-1]))


def first_stage(sets: Sequence[Sequence[DuplicateExample]]) -> Array:
    """Maximise the probability that a candidate of the same matter stands first, over the reports that have one."""
    asked = [example for examples in sets for example in examples if example.right.any()]
    rows, right = np.concatenate([one.rows for one in asked]), np.concatenate([one.right for one in asked])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    scaled = (rows - mean) / scale
    sizes = np.array([len(one.rows) for one in asked])
    starts, groups = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = scaled @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[groups])
        every = np.add.reduceat(powers, starts)
        good = np.maximum(1e-12, np.add.reduceat(powers * right, starts))
        slope = powers / every[groups] - powers * right / good[groups]
        return float((np.log(every) - np.log(good)).sum() + PENALTY * weights @ weights), (
            scaled.T @ slope + 2 * PENALTY * weights
        )

    bounds = [_bounds(name) for name in FEATURES]
    found = minimize(
        loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300}
    )
    return np.asarray(found.x / scale, dtype=np.float64)


def second_stage(rows: Array, right: Array, importance: Array) -> Array:
    """Fit a logistic regression; return its weights in units of the inputs, the bias last."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    scaled = np.column_stack(((rows - mean) / scale, np.ones(len(rows))))
    penalty = np.append(np.full(rows.shape[1], SECOND_PENALTY), 0.0)

    def loss(weights: Array) -> tuple[float, Array]:
        logits = scaled @ weights
        each = np.logaddexp(0, logits) - right * logits
        slope = importance * (1 / (1 + np.exp(-logits)) - right)
        return float(importance @ each + penalty @ weights**2), scaled.T @ slope + 2 * penalty * weights

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = found.x[:-1] / scale
    return np.append(weights, found.x[-1] - weights @ mean)


def _calibration_rows(weights: Array, examples: Sequence[DuplicateExample]) -> tuple[Array, Array, Array]:
    """Return the best candidates of each report, which are right, and the reports' importance."""
    duplicates = sum(example.duplicate for example in examples)
    shares = {True: RATE / max(1, duplicates), False: (1 - RATE) / max(1, len(examples) - duplicates)}
    inputs, right, importance = [], [], []
    for example in examples:
        scores = example.rows @ weights
        best = np.argsort(-scores, kind="stable")[:FIRST_OF]
        inputs.append(calibrated_rows(example.rows, scores)[best])
        right.append(example.right[best].astype(np.float64))
        importance.append(np.full(len(best), len(examples) * shares[example.duplicate]))
    return np.concatenate(inputs), np.concatenate(right), np.concatenate(importance)


def _bounds(name: str) -> tuple[float | None, float | None]:
    if name in FOR or name.endswith("_lead"):
        return 0.0, None
    return (None, 0.0) if name in AGAINST or name.endswith("_rank") else (None, None)


if __name__ == "__main__":
    typer.run(train)
