"""The section `support.confidence` of triage.yaml: how the confidence of an answer is computed, and which scorer decides."""

from enum import StrEnum
from math import isclose
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from triage.config.shapes.base import Shape

RESOLVE_FROM: Final = 0.7
"""Least confidence at which an answer resolves the question; below it a person is asked."""


class Scorer(StrEnum):
    """Who says how far an answer can be believed."""

    SEED = "seed"
    """The formula."""
    CALIBRATED = "calibrated"
    AUTO = "auto"
    """The calibrated one where it was trained on enough labels, else the formula."""


Weight = Annotated[float, Field(ge=0, le=1)]


class Scoring(Shape):
    """The section `support.confidence`: who decides, and when there is no answer; the weights are those of the formula, and make 1."""

    scorer: Scorer = Scorer.AUTO
    labels: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    """Labelled questions from which on the calibrated scorer decides."""
    refuses: Annotated[float, Field(ge=0, lt=1)] = 0.45
    """Confidence of the calibrated scorer below which nothing is answered at all, whoever decides."""
    similarity: Weight = 0.4
    completeness: Weight = 0.3
    quality: Weight = 0.2
    match: Weight = 0.1
    long: Annotated[int, Field(ge=1, le=1_000)] = 50
    """Words above which an answer counts as complete."""
    short: Annotated[int, Field(ge=0, le=1_000)] = 20

    def decides(self, labels: int) -> Scorer:
        """Return the scorer that decides, when the calibrated one was trained on so many labels."""
        if self.scorer is not Scorer.AUTO:
            return self.scorer
        return Scorer.CALIBRATED if labels >= self.labels else Scorer.SEED

    @model_validator(mode="after")
    def _whole(self) -> Self:
        weights = (self.similarity, self.completeness, self.quality, self.match)
        if not isclose(sum(weights), 1.0, abs_tol=1e-6):
            raise ValueError(f"similarity, completeness, quality and match make {sum(weights):g} together; make them 1")
        if self.short >= self.long:
            raise ValueError(f"short ({self.short}) must be below long ({self.long}), both in words")
        return self
