"""The section `support` of triage.yaml: confidence, response times, categories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import AfterValidator, Field, model_validator

from triage.config.shapes.base import Shape
from triage.config.shapes.form import Form
from triage.config.support.confidence import ConfidenceShape, Scoring
from triage.config.support.examples import shipped_examples
from triage.domain.support.conversations import SupportPriority


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """How long an escalation may wait: minutes by the clock, or days on which people work."""

    minutes: int = 0
    business_days: int = 0

    def __str__(self) -> str:
        """`2 h`, `15 min`, `1 business day`."""
        if self.business_days:
            return f"{self.business_days} business day{'s' if self.business_days > 1 else ''}"
        hours, minutes = divmod(self.minutes, 60)
        return f"{hours} h" if hours and not minutes else f"{self.minutes} min"


EXAMPLES: Final = 3
"""Least examples of a category that is not shipped."""
RESPONSE_TIMES: Final[Mapping[SupportPriority, ResponseTime]] = {
    SupportPriority.P1: ResponseTime(minutes=15),
    SupportPriority.P2: ResponseTime(minutes=120),
    SupportPriority.P3: ResponseTime(business_days=1),
    SupportPriority.P4: ResponseTime(business_days=5),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportSettings:
    """How the support hub decides."""

    resolve_from: float = 0.7
    """Least confidence of an answer that goes to the customer."""
    passages: int = 3
    """How many passages the resolver reads."""
    other_languages: bool = True
    """Whether a sure answer goes to a customer who writes in another language than its article."""
    response_times: Mapping[SupportPriority, ResponseTime] = field(default_factory=lambda: dict(RESPONSE_TIMES))
    sla: str = "Time to first response"
    """Name of the SLA in Jira that response times follow."""
    scoring: Scoring = field(default_factory=Scoring)
    """How the confidence of an answer is computed; its `resolves` is `resolve_from`."""
    categories: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Name and example texts of each category; empty: the shipped ones."""


class ResponseTimeShape(Shape):
    """One response time."""

    minutes: int = Field(default=0, ge=0, le=60 * 24 * 30)
    business_days: int = Field(default=0, ge=0, le=30)

    @model_validator(mode="after")
    def _one_of_both(self) -> "ResponseTimeShape":
        if bool(self.minutes) == bool(self.business_days):
            raise ValueError("write `minutes` or `business_days`, one of them")
        return self


class CategoryShape(Shape):
    """What texts of one category look like."""

    examples: tuple[Annotated[str, Field(min_length=3, max_length=500)], ...] = Field(default=(), max_length=1_000)


def _learnable(categories: dict[str, CategoryShape]) -> dict[str, CategoryShape]:
    """Raise `ValueError` where nothing could be told apart."""
    if len(categories) == 1:
        raise ValueError("a single category tells nothing apart; write two or more, or none for the shipped ones")
    shipped = {name for name, _ in shipped_examples()}
    if few := sorted(name for name, one in categories.items() if name not in shipped and len(one.examples) < EXAMPLES):
        raise ValueError(f"{', '.join(few)}: write at least {EXAMPLES} `examples`, as customers would say it")
    return categories


Name = Annotated[str, Form(r"^[a-z][a-z0-9_-]{0,39}$", "write a name of 40 small letters, digits, - and _ at most")]


class SupportShape(Shape):
    """The section `support`."""

    categories: Annotated[dict[Name, CategoryShape], AfterValidator(_learnable)] = Field(default_factory=dict)

    resolve_from: float = Field(default=0.7, gt=0, le=1)
    passages: int = Field(default=3, ge=1, le=10)
    other_languages: bool = True
    confidence: ConfidenceShape = ConfidenceShape()
    response_times: dict[SupportPriority, ResponseTimeShape] = Field(default_factory=dict)
    sla: str = Field(default="Time to first response", min_length=1, max_length=200)

    def frozen(self) -> SupportSettings:
        """Return the settings, with the shipped response times where none is given."""
        given = {
            name: ResponseTime(minutes=one.minutes, business_days=one.business_days)
            for name, one in self.response_times.items()
        }
        return SupportSettings(
            resolve_from=self.resolve_from,
            passages=self.passages,
            other_languages=self.other_languages,
            scoring=self.confidence.frozen(self.resolve_from),
            response_times={**RESPONSE_TIMES, **given},
            sla=self.sla,
            categories=tuple((name, one.examples) for name, one in self.categories.items()),
        )
