"""Trains the calibrated scorer of answers: `python -m tests.training.knowledge ARTICLES,QUESTIONS… --out MODEL`.

ARTICLES and QUESTIONS are those of `triage eval knowledge`; questions that nothing answers (`article: null`) belong to them. Each
knowledge base counts as much as each other one, and its unanswerable questions as much as its answerable ones. A feature that
speaks for an answer never gets a negative weight. Each question is asked a second time in its two rarest words alone, since people write
such questions and few files hold any. It draws no lots: the same files give the same model.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize

from cli.console import screen, table
from cli.evaluate.knowledge.files import KnowledgeQuestion, articles_of, questions_of
from cli.evaluate.knowledge.measure import MeasuredQuestion, asked, error_of
from tests.training.model_files import confidence_file, write_model
from triage.policy.knowledge.calibrated import FEATURES, ConfidenceModel, Regression, features_of
from triage.policy.text.tokenizer import terms_of, words_in

Array = NDArray[Any]

PENALTY: Final = 0.001
"""Ridge of the regression that tells whether anything answers."""
PENALTY_RIGHT: Final = 0.01
"""Of the one that tells whether this article does: fewer labels, and most of them say yes."""
SHORT: Final = 0.1
"""Worth of a question in two words."""
FREE: Final = frozenset({"asked"})
"""Features that may speak for or against an answer."""
_NOTHING: Final = Regression(weights=(0.0,) * len(FEATURES), bias=0.0)
BLANK: Final = ConfidenceModel(answerable=_NOTHING, right=_NOTHING, labels=0)


@dataclass(frozen=True, slots=True)
class ConfidenceLabel:
    """What was found for a question, and whether the answer was right."""

    base: str
    """The knowledge base."""
    answerable: bool
    features: tuple[float, ...]
    right: bool
    worth: float = 1.0
    """Of a question in two words less than of one that was asked so."""


def train(
    bases: Annotated[list[str], typer.Argument(metavar="ARTICLES,QUESTIONS…", help="Knowledge bases with questions.")],
    out: Annotated[Path, typer.Option(help="The model's file.")],
) -> None:
    """Train on all, print the calibration error of each base by a model without it, and write the model."""
    labels = [label for base in bases for label in asyncio.run(_labels(base))]
    names = list(dict.fromkeys(label.base for label in labels))
    rows = [
        (name, str(sum(label.base == name and label.worth == 1 for label in labels)), f"{_held_out(labels, name):.3f}")
        for name in names
    ]
    screen().print(table(("knowledge base", "labels", "calibration error by the others' model"), rows))
    write_model(out, confidence_file(fitted(labels), trained=names))


async def _labels(base: str) -> list[ConfidenceLabel]:
    """Ask all questions of a knowledge base."""
    articles, questions = (Path(name) for name in base.split(",", 1))
    kept, asked_questions = articles_of(articles), questions_of(questions)
    whole = [one async for one in asked(kept, asked_questions, BLANK) if one.answer.hits]
    short = [one async for one in asked(kept, [short_of(one) for one in whole], BLANK) if one.answer.hits]
    return [
        ConfidenceLabel(
            base=articles.parent.name if articles.stem == "articles" else articles.name,
            answerable=bool(one.question.right),
            features=features_of(one.question.text, one.answer.hits),
            right=one.right,
            worth=worth,
        )
        for told_by, worth in ((whole, 1.0), (short, SHORT))
        for one in told_by
    ]


def short_of(one: MeasuredQuestion) -> KnowledgeQuestion:
    """Return the question in the two rarest of its words that were found."""
    rarest = one.answer.hits[0].evidence[:2]
    words = (word for word in words_in(one.question.text) if not set(rarest).isdisjoint(terms_of(word)))
    return KnowledgeQuestion(" ".join(dict.fromkeys(words)), one.question.right)


def fitted(labels: Sequence[ConfidenceLabel]) -> ConfidenceModel:
    """Fit both regressions: the second one on the questions that some article answers."""
    count = Counter((label.base, label.answerable) for label in labels)
    worth = [label.worth / count[label.base, label.answerable] for label in labels]
    known = [(label, much) for label, much in zip(labels, worth, strict=True) if label.answerable]
    return ConfidenceModel(
        answerable=_regression([(one, much, one.answerable) for one, much in zip(labels, worth, strict=True)], PENALTY),
        right=_regression([(one, much, one.right) for one, much in known], PENALTY_RIGHT),
        labels=sum(label.worth == 1 for label in labels),
    )


def _regression(labels: Sequence[tuple[ConfidenceLabel, float, bool]], penalty: float) -> Regression:
    """Fit a logistic regression on standardised features of labels, each with its worth and truth."""
    rows = np.array([label.features for label, _, _ in labels])
    worth = np.array([much for _, much, _ in labels])
    true = np.array([truth for _, _, truth in labels], dtype=np.float64)
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    bounds = [(None if name in FREE else 0.0, None) for name in FEATURES]
    found = minimize(
        _loss,
        np.zeros(len(FEATURES) + 1),
        args=((rows - mean) / spread, true, worth / worth.sum(), penalty),
        jac=True,
        method="L-BFGS-B",
        bounds=[*bounds, (None, None)],
    ).x
    weights = found[:-1] / spread
    return Regression(weights=tuple(map(float, weights)), bias=float(found[-1] - weights @ mean))


def _loss(found: Array, rows: Array, true: Array, worth: Array, penalty: float) -> tuple[float, Array]:
    """Return the loss and its gradient."""
    scores = rows @ found[:-1] + found[-1]
    excess = worth * (1 / (1 + np.exp(-scores)) - true)
    slope = np.append(rows.T @ excess + penalty * found[:-1], excess.sum())
    loss = worth @ (np.logaddexp(0, scores) - true * scores) + penalty * found[:-1] @ found[:-1] / 2
    return float(loss), slope


def _held_out(labels: Sequence[ConfidenceLabel], base: str) -> float:
    """Return the calibration error on a base of the model that the others make; that of its own where there are none."""
    others = [label for label in labels if label.base != base] or labels
    model = fitted(others)
    return error_of(
        [(model.probability(one.features), one.right) for one in labels if one.base == base and one.worth == 1]
    )


if __name__ == "__main__":
    typer.run(train)
