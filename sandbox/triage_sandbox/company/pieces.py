"""Loads the text pieces that generated tickets are made of: parts of the product, their faults, their wording."""

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass as checked

from triage_sandbox.company import EXACT, HERE, read


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Thing:
    """A part of the product that can fail: its names, and its faults, each in three wordings."""

    names: tuple[str, str, str]
    troubles: tuple[tuple[str, str, str], ...]


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Part:
    """Things, faults and wordings for one component."""

    things: tuple[Thing, ...]
    conditions: tuple[tuple[str, str], ...]
    evidence: tuple[str, ...]
    wishes: tuple[tuple[str, str, str], ...]
    chores: tuple[tuple[str, str, str], ...]


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Pieces:
    """All texts of which generated tickets are put together."""

    parts: dict[str, Part]
    openings: tuple[str, ...]
    symptoms: tuple[str, ...]
    details: tuple[str, ...]
    impacts: tuple[str, ...]
    reasons: tuple[str, ...]
    plans: tuple[str, ...]
    remarks: tuple[str, ...]
    customers: tuple[str, ...]
    epics: dict[str, str]


@dataclass(frozen=True, slots=True)
class Matter:
    """The subject matter of a generated ticket, apart from its wording."""

    component: str
    type: str
    thing: int = 0
    trouble: int = 0
    condition: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A ticket before it is worded: its matter, which wording it gets, and the ticket that it duplicates, if any."""

    matter: Matter
    wording: int
    twin: int | None = None
    """Place of the plan that tells of the same matter."""
    alike: int | None = None
    """Place of the plan that only sounds the same."""


@cache
def pieces() -> Pieces:
    """Return the pieces of the demo's story."""
    return read(HERE / "past.yaml", TypeAdapter(Pieces))
