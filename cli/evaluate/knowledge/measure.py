"""Asks the library all questions and counts what was found, answered, supported and refused, and how well its confidence is calibrated."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from math import pi, sqrt
from typing import Final

from cli.evaluate.knowledge.files import Articles, KnowledgeQuestion
from cli.evaluate.report import BINS, ReportPage, calibrated, calibration, precision_by_coverage
from cli.wiring.support.knowledge import library_of
from triage.config.support.confidence import RESOLVE_FROM, Scorer, Scoring
from triage.domain.support.articles import Article, KnowledgeAnswer
from triage.policy.knowledge.answer import answer
from triage.policy.knowledge.calibrated import ConfidenceModel, shipped_model
from triage.policy.knowledge.support import borne_out

PASSAGES: Final = 3
"""Passages that an answer is made of."""
RANKED: Final = 40
"""Passages among which the right article is looked for."""
RANKS: Final = (1, 3, 5)
PERCENTILE: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredQuestion:
    """What came of one question."""

    question: KnowledgeQuestion
    rank: int
    """Place of the first right article among the articles that were found, from 1; 0 if none was."""
    answer: KnowledgeAnswer
    supported: bool
    """Its cited passages bear out every sentence."""
    ms: float

    @property
    def right(self) -> bool:
        """Whether the answer, or that which was refused, cites a right article."""
        cited = self.answer.articles or tuple(hit.passage.article for hit in self.answer.hits[:1])
        return not self.question.right.isdisjoint(cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFigures:
    """What `--json` prints. Recall is that of articles: several passages of one count once."""

    queries: int
    answerable: int
    recall_at_1: float
    recall_at_3: float
    recall_at_5: float
    mrr: float
    answered: float
    """Share of the answerable questions that are answered."""
    answered_right: float
    """Share of these answers that cite a right article."""
    supported: float
    """Share of all answers whose every sentence is borne out by the passage that it cites."""
    refused_right: float | None
    """Share of the questions that nothing answers which are refused; null if there are none."""
    resolved: float
    """Share of the answerable questions that need no person."""
    resolved_right: float
    """Share of all answers that need no person which cite a right article."""
    scorer: str
    """Which one decides."""
    labels: int
    """Labelled questions that the calibrated one was trained on."""
    calibration_error: float
    """Of the scorer that decides: mean distance of confidence and share that is right, by tenths."""
    calibration_noise: float
    """What this error would be by chance for so few questions, if each confidence told the truth."""
    calibration_error_calibrated: float
    calibration_error_seed: float
    p95_ms: float
    """Milliseconds in which 95 of 100 questions are answered, from question to answer."""


async def asked(
    articles: Sequence[Article], questions: Sequence[KnowledgeQuestion], trained: ConfidenceModel | None = None
) -> AsyncIterator[MeasuredQuestion]:
    """Ask all questions, one after the other."""
    library = library_of(Articles(articles))
    await library.find("warm")
    for question in questions:
        begun = time.perf_counter()
        answered = answer(question.text, await library.find(question.text, PASSAGES), trained=trained)
        ms = (time.perf_counter() - begun) * 1000
        ranked = await library.find(question.text, RANKED) if question.right else ()
        ids = list(dict.fromkeys(hit.passage.article for hit in ranked))
        places = [place for place, name in enumerate(ids, 1) if name in question.right]
        borne = borne_out(answered.sentences, answered.hits) == answered.sentences
        yield MeasuredQuestion(question=question, rank=min(places, default=0), answer=answered, supported=borne, ms=ms)


def figures_of(everything: Sequence[MeasuredQuestion], trained: ConfidenceModel | None = None) -> KnowledgeFigures:
    """Compute what `--json` prints from the answers to all questions."""
    known = [one for one in everything if one.question.right]
    unknown = [one for one in everything if not one.question.right]
    answers = [one for one in everything if not one.answer.refused]
    resolved = [one for one in answers if one.answer.confidence >= RESOLVE_FROM]
    labels = (trained or shipped_model()).labels
    times = sorted(one.ms for one in everything) or [0.0]
    return KnowledgeFigures(
        queries=len(everything),
        answerable=len(known),
        **{f"recall_at_{most}": _share([0 < one.rank <= most for one in known]) for most in RANKS},
        mrr=round(sum(1 / one.rank for one in known if one.rank) / max(1, len(known)), 4),
        answered=_share([not one.answer.refused for one in known]),
        answered_right=_share([one.right for one in known if not one.answer.refused]),
        supported=_share([one.supported for one in answers]),
        refused_right=_share([bool(one.answer.refused) for one in unknown]) if unknown else None,
        resolved=_share([one in resolved for one in known]),
        resolved_right=_share([one.right for one in resolved]),
        scorer=str(Scoring().decides(labels)),
        labels=labels,
        calibration_error=error_of([(one.answer.confidence, one.right) for one in everything]),
        calibration_noise=noise_of([one.answer.confidence for one in everything]),
        calibration_error_calibrated=error_of(scored(everything, Scorer.CALIBRATED)),
        calibration_error_seed=error_of(scored(everything, Scorer.SEED)),
        p95_ms=round(times[int(PERCENTILE * (len(times) - 1))], 2),
    )


def scored(everything: Sequence[MeasuredQuestion], scorer: Scorer) -> list[tuple[float, bool]]:
    """Return for each question what a scorer says, and whether the answer was right."""
    return [(dict(one.answer.scores)[str(scorer)], one.right) for one in everything]


def error_of(answers: Sequence[tuple[float, bool]]) -> float:
    """Return the calibration error: mean distance of confidence and share that is right, by tenths of confidence."""
    groups = calibrated(answers)
    return round(sum(abs(expected - came) * count for expected, came, count in groups) / max(1, len(answers)), 4)


def noise_of(confidences: Sequence[float]) -> float:
    """Return the calibration error to expect of confidences that tell the truth: the mean deviation of a normal spread in each tenth."""
    spread: dict[int, float] = {}
    for one in confidences:
        tenth = min(BINS - 1, int(one * BINS))
        spread[tenth] = spread.get(tenth, 0.0) + one * (1 - one)
    return round(sum(sqrt(2 / pi * each) for each in spread.values()) / max(1, len(confidences)), 4)


def page_of(name: str, everything: Sequence[MeasuredQuestion], figures: dict[str, object]) -> ReportPage:
    """Return the HTML report: figures, plots of both scorers, and the wrong or refused answers."""
    page = ReportPage(
        f"triage eval knowledge {name}", f"{len(everything)} questions, answered by rules from three passages each."
    )
    page.figures("Figures", figures)
    for scorer in (Scorer.CALIBRATED, Scorer.SEED):
        page.plot(f"Calibration: {scorer}", calibration(scored(everything, scorer)))
        page.plot(f"Precision of the surest answers: {scorer}", precision_by_coverage(scored(everything, scorer)))
    page.table("Wrong or refused", ("question", "rank", "confidence", "cited"), _troubles(everything))
    return page


def _troubles(everything: Sequence[MeasuredQuestion]) -> list[tuple[object, ...]]:
    return [
        (
            one.question.text[:200],
            one.rank or "-",
            one.answer.confidence,
            ", ".join(one.answer.articles) or one.answer.refused,
        )
        for one in everything
        if (one.question.right and not (one.right and one.answer.sentences))
        or (not one.question.right and one.answer.sentences)
    ]


def _share(truths: Sequence[bool]) -> float:
    return round(sum(truths) / len(truths), 4) if truths else 0.0
