"""Asks for the assignee of a tracker's earlier tickets, with what was known when each of them came."""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from cli.evaluate.history import Past, Snapshot, moments, read_past
from cli.evaluate.report import ReportPage, calibration, curve, precision_by_coverage
from triage.domain.tickets import Workload
from triage.policy.people.assignment import Crew, Ranking, suggest
from triage.policy.people.expertise import History, Neighbours, history_of, neighbours_of
from triage.policy.people.points import Task
from triage.policy.ticket.components import Known, guess_components

RANKS: Final = (1, 3, 5, 10)
PRECISION: Final = 0.75
PERCENTILE: Final = 0.95

Shown = Callable[[int, int], None]
"""Called with the number of tickets asked about, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestAnswer:
    """What was said about one ticket."""

    fold: str
    rank: int
    """Place of the right person, from 1; 0 if he or she was not among the people."""
    sureness: float
    """Probability of the first one; points, as long as these decide."""
    proposed: bool
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All answers; the figures are the mean of the folds, where there are folds."""

    answers: Sequence[BacktestAnswer]
    summary: str = ""

    @property
    def figures(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        folds: defaultdict[str, list[BacktestAnswer]] = defaultdict(list)
        for answer in self.answers:
            folds[answer.fold].append(answer)
        times = sorted(answer.ms for answer in self.answers)
        return {
            "cases": len(self.answers),
            **{f"top{rank}": _mean(folds.values(), lambda one, most=rank: 0 < one.rank <= most) for rank in RANKS},  # type: ignore[misc]  # the loop's value is bound
            "mrr": _mean(folds.values(), lambda one: 1 / one.rank if one.rank else 0.0),
            "coverage_at_75": coverage_at(PRECISION, [(one.sureness, one.rank == 1) for one in self.answers]),
            "p95_ms": round(times[int(PERCENTILE * (len(times) - 1))], 2),
        }

    @property
    def proposals(self) -> dict[str, float]:
        """Return how many tickets would have got an assignee, and how many of these the right one."""
        given = [one.rank == 1 for one in self.answers if one.proposed]
        return {
            "share of tickets with an assignee": round(len(given) / len(self.answers), 3),
            "share of these that is right": round(sum(given) / len(given), 3) if given else 0.0,
        }


def _mean(folds: Any, worth: Callable[[BacktestAnswer], float]) -> float:
    return round(statistics.fmean(statistics.fmean(map(worth, fold)) for fold in folds), 3)


def coverage_at(precision: float, answers: Sequence[tuple[float, bool]]) -> float:
    """Return the largest share of the answers, the surest first, of which this part is right."""
    rights, best = 0, 0
    for asked, (_, right) in enumerate(sorted(answers, key=lambda answer: -answer[0]), 1):
        rights += right
        if rights >= precision * asked:
            best = asked
    return round(best / len(answers), 3)


def measured(
    files: Sequence[Path], *, project: str, last: int, per_fold: int, component: bool, closed_only: bool, shown: Shown
) -> Measured:
    """Ask about the last tickets that were fixed, or about some of each fold. Raises `SettingsInvalid` for unreadable files."""
    tickets = read_past(files, project)
    wanted = asked_of(tickets, last, per_fold)
    answers = []
    for number, moment in enumerate(moments(tickets, wanted, closed_only=closed_only), 1):
        answers.append(answer(moment, component=component))
        shown(number, len(wanted))
    ways = ["component known" if component else "text alone", *(["closed tickets only"] if closed_only else [])]
    return Measured(answers=answers, summary=f"{len(answers)} tickets in the order of time, {', '.join(ways)}")


def asked_of(tickets: Sequence[Past], last: int, per_fold: int) -> set[str]:
    """Return the ids of the tickets to ask about: the last ones, or from each fold but the first at equal distances."""
    fixed = [past for past in tickets if past.assignee and past.fixed]
    folds: defaultdict[str, list[str]] = defaultdict(list)
    for past in fixed:
        folds[past.fold].append(past.id)
    if folds.keys() == {""}:
        return set(folds[""][-last:])
    later = list(folds.values())[1:]
    return {fold[int(at * len(fold) / per_fold)] for fold in later for at in range(min(per_fold, len(fold)))}


def answer(moment: Snapshot, *, component: bool) -> BacktestAnswer:
    """Rank the people as for a mail; return the place of the actual assignee, 0 if the ranking lacks him, and what was proposed."""
    history = history_of(moment.assigned)
    began = time.process_time()
    ranking = ranking_of(moment, history, component=component)
    ms = (time.process_time() - began) * 1000
    places = {one.person.id: place for place, one in zip(count(1), ranking.ranked, strict=False)}
    best = ranking.ranked[0] if ranking.ranked else None
    return BacktestAnswer(
        fold=moment.asked.fold,
        rank=places.get(moment.asked.assignee, 0),
        sureness=0.0 if best is None else best.score if best.probability is None else best.probability,
        proposed=ranking.assignee is not None,
        ms=ms,
    )


def ranking_of(moment: Snapshot, history: History, *, component: bool) -> Ranking:
    """Rank the possible assignees by what was known when the ticket came."""
    asked = moment.asked
    neighbours = neighbours_of(asked.summary, asked.description, moment.found, history)
    task = Task(title=asked.summary, text=asked.description, issue_type=asked.type, at=moment.at)
    crew = Crew(
        people=moment.people,
        history=history,
        neighbours=neighbours,
        components=_components(moment, neighbours, history, known=component),
        workloads={person: Workload(waiting=waiting) for person, waiting in moment.open.items()},
    )
    return suggest(task, crew)


def _components(moment: Snapshot, neighbours: Neighbours, history: History, *, known: bool) -> Mapping[str, float]:
    """Return the probability of each component: those of the ticket where they are known, else a guess."""
    asked = moment.asked
    if known:
        return {name: 1 / len(asked.components) for name in asked.components}
    names = Known(names=moment.components)
    guesses = guess_components(asked.summary, asked.description, names, neighbours, history)
    return {guess.name: guess.probability for guess in guesses}


def page(result: Measured) -> ReportPage:
    document = ReportPage("Assignment", result.summary)
    document.figures("Figures", {**result.figures, **result.proposals})
    surest = [(one.sureness, one.rank == 1) for one in result.answers]
    ranks = [
        (float(most), sum(0 < one.rank <= most for one in result.answers) / len(result.answers))
        for most in range(1, 11)
    ]
    document.plot("Right person among the first k", curve({"recall": ranks}, "k", "share of the tickets"))
    document.plot("Precision by coverage", precision_by_coverage(surest))
    if all(sureness <= 1 for sureness, _ in surest):
        document.plot("Calibration: what was said, and what came", calibration(surest))
    return document
