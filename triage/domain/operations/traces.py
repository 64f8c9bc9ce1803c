"""Nouns of traces: a span of time with a name, by the model of OpenTelemetry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum


class SpanKind(IntEnum):
    """What a span is, by OpenTelemetry's numbers."""

    INTERNAL = 1
    CLIENT = 3
    """It waits for another system."""
    CONSUMER = 5
    """It takes what came in earlier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One stretch of work. Ids are lower-case hexadecimal digits: 32 of a trace, 16 of a span."""

    trace: str
    id: str
    parent: str = ""
    """Empty: it is the first of its trace."""
    name: str
    kind: SpanKind = SpanKind.INTERNAL
    begin: datetime
    end: datetime
    attributes: Mapping[str, str | int | float] = field(default_factory=dict)
    error: str = ""
    """Why it failed; empty if it did not."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One worker's work on a case."""

    case: str
    begin: datetime
    end: datetime
    attempt: int
    trouble: str = ""
    """Why it ended without an end of the case; empty if all went well."""
