"""Loads the text pieces that generated tickets are made of: parts of the product, their faults, their wording."""

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass as checked

from triage_sandbox.company import EXACT, HERE, read


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Thing:
    """A part of the product that can fail: its names, and its troubles, each in three wordings."""

    names: tuple[str, str, str]
    troubles: tuple[tuple[str, str, str], ...]


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Part:
    """What there is to say about a component."""

    things: tuple[Thing, ...]
    conditions: tuple[tuple[str, str], ...]
    evidence: tuple[str, ...]
    wishes: tuple[tuple[str, str, str], ...]
    chores: tuple[tuple[str, str, str], ...]


@checked(frozen=True, slots=True, kw_only=True, config=EXACT)
class Pieces:
    """All that tickets are put together from."""

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
    """What a ticket is about, apart from its words."""

    component: str
    type: str
    thing: int = 0
    trouble: int = 0
    condition: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A ticket before it has words: its matter, in which wording, and its twin where it has one."""

    matter: Matter
    wording: int
    twin: int | None = None
    """Place of the plan that tells of the same matter."""
    alike: int | None = None
    """Place of the plan that only sounds the same."""


@cache
def pieces() -> Pieces:
    """Those of the story."""
    return read(HERE / "past.yaml", TypeAdapter(Pieces))
