"""The section `support` of triage.yaml: confidence, response times, categories."""

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from triage.config.shapes.base import Form, Shape
from triage.config.support.confidence import RESOLVE_FROM, Scoring
from triage.config.support.examples import shipped_examples
from triage.domain.support.conversations import SupportPriority


class ResponseTime(Shape):
    """How long an escalation may wait: minutes by the clock, or days on which people work."""

    minutes: int = Field(default=0, ge=0, le=60 * 24 * 30)
    business_days: int = Field(default=0, ge=0, le=30)

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.minutes) == bool(self.business_days):
            raise ValueError("write `minutes` or `business_days`, one of them")
        return self

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


def _with_shipped(given: dict[SupportPriority, ResponseTime]) -> dict[SupportPriority, ResponseTime]:
    return {**RESPONSE_TIMES, **given}


class SupportSettings(Shape):
    """The section `support`, how the support hub decides."""

    categories: Annotated[dict[Name, CategoryShape], AfterValidator(_learnable)] = Field(default_factory=dict)
    """What texts of each category look like; empty: the shipped ones."""
    resolve_from: float = Field(default=RESOLVE_FROM, gt=0, le=1)
    """Least confidence of an answer that goes to the customer."""
    passages: int = Field(default=3, ge=1, le=10)
    """How many passages the resolver reads."""
    other_languages: bool = True
    """Whether a sure answer goes to a customer who writes in another language than its article."""
    confidence: Scoring = Scoring()
    """How the confidence of an answer is computed."""
    response_times: Annotated[dict[SupportPriority, ResponseTime], AfterValidator(_with_shipped)] = Field(
        default_factory=lambda: dict(RESPONSE_TIMES)
    )
    sla: str = Field(default="Time to first response", min_length=1, max_length=200)
    """Name of the SLA in Jira that response times follow."""

    @property
    def examples(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name and example texts of each category; empty: the shipped ones."""
        return tuple((name, one.examples) for name, one in self.categories.items())
