"""Reads the `team` and `assignment` sections of `triage.yaml`, or a separate team file."""

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from triage.config.shapes.base import Email, named_twice
from triage.config.team import Days, Member, Weights

Some = Annotated[str, Field(min_length=1, max_length=200)]


class _TeamShape(BaseModel):
    """Base that forbids unknown keys, so that a misspelt key is an error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, populate_by_name=True)


class DaysShape(_TeamShape):
    """An absence or a duty; without `to` it has no end."""

    first: date = Field(alias="from")
    last: date | None = Field(None, alias="to")

    @model_validator(mode="after")
    def _forward(self) -> Self:
        if self.last is not None and self.last < self.first:
            raise ValueError("`to` lies before `from`; exchange them")
        return self


def _listed(value: Any) -> Any:
    """Accept a single entry without a list."""
    return [value] if isinstance(value, dict) else value


class MemberShape(_TeamShape):
    """An entry of `team:`."""

    person: Some
    address: Email | Literal[""] = ""
    roles: tuple[Some, ...] = ()
    skills: tuple[Some, ...] = ()
    handles: tuple[Literal["support", "infrastructure"], ...] = ()
    capacity: Annotated[int, Field(ge=0, le=10_000)] | None = None
    absent: Annotated[tuple[DaysShape, ...], BeforeValidator(_listed)] = ()
    on_call: Annotated[tuple[DaysShape, ...], BeforeValidator(_listed)] = ()

    def member(self) -> Member:
        """Convert to the frozen `Member`."""
        absent, on_call = ([Days(days.first, days.last) for days in each] for each in (self.absent, self.on_call))
        given = self.model_dump(exclude={"absent", "on_call"})
        return Member(**given, absent=tuple(absent), on_call=tuple(on_call))


def each_once(team: tuple[MemberShape, ...]) -> tuple[MemberShape, ...]:
    """Raise `ValueError` if a person occurs twice."""
    if twice := named_twice(member.person.strip().casefold() for member in team):
        raise ValueError(f"{', '.join(twice)} stands there twice; keep one entry")
    return team


class AssignmentShape(_TeamShape):
    """The section `assignment:`."""

    weights: Weights = Weights()
