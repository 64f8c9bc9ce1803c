"""The section `jira:` of triage.yaml: what new tickets carry in fields that no mail fills."""

from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from triage.config.shapes.base import Shape, Some
from triage.domain.conversation import Json


def _value(value: Any) -> Json:
    """Check a field's value. YAML parses 2026-12-31 as a date; Jira's API takes text, so dates become text."""
    if value is None or value in ("", [], {}):
        raise ValueError("has no value")
    if isinstance(value, list):
        return [_value(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _value(each) for name, each in value.items()}
    return value.isoformat() if isinstance(value, date) else value


class JiraShape(Shape):
    """The section."""

    fields: dict[Some, Annotated[Any, AfterValidator(_value)]] = Field(default_factory=dict)
    count_field: str = ""
