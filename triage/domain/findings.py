"""What the steps found out about a mail: cues, route, candidates, proposed people, review."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from triage.domain.tickets import Person, Ticket, TicketLine
from triage.domain.untrusted import NOTHING, Untrusted

EXCERPT: Final = 500
"""Characters of a candidate's text that a prompt shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A heuristic finding and the words that gave it."""

    value: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What word lists and patterns find in a mail; no model is asked."""

    priority: Cue = Cue(value="Medium")
    """Highest, High, Medium or Low."""
    type: Cue = Cue(value="general")
    """bug, feature, support or general."""
    technologies: tuple[Cue, ...] = ()
    people: tuple[str, ...] = ()
    """Names or addresses of known people that the text mentions."""
    keys: tuple[str, ...] = ()
    """Ticket keys of our project in subject and text: a hint, never an authority."""
    fixed: Cue = Cue(value="no")
    """`yes` where the mail says that something works again."""
    question: Cue = Cue(value="no")
    """`yes` where the mail asks rather than reports."""
    sender_domain: str = ""


class PipelineName(StrEnum):
    """Which table of steps a case takes."""

    PIPELINE = "pipeline"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What the first matching rule says."""

    rule: str
    way: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"
    because: tuple[str, ...] = ()
    """Why the rule holds, a line for each of its conditions."""
    passed_over: tuple[str, ...] = ()
    """Earlier rules that lacked nothing but a proof of the sender or the forwarding, and what to write about it."""


class Joined(StrEnum):
    """What ties a mail to the ticket of its thread."""

    REPLY_ID = "reply-id"
    """It answers a mail of ours: the signed Message-ID is known to those who got it."""
    REFERENCES = "references"
    """It answers a mail of the ticket, or is answered by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An existing ticket that may be about the same thing.

    A case is written again at each step, so it keeps no whole tickets.
    """

    ticket: TicketLine
    score: float
    """0 to 1."""
    evidence: tuple[str, ...]
    """`title: export, invoices`, `error text: ORA-00942`, `same component: Billing`."""
    excerpt: Untrusted = NOTHING
    """The beginning of its text, until the case is decided."""

    @classmethod
    def of(cls, ticket: Ticket, score: float, evidence: tuple[str, ...]) -> Self:
        """The candidate that a ticket makes."""
        return cls(ticket=ticket.line, score=score, evidence=evidence, excerpt=Untrusted(ticket.description[:EXCERPT]))


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that speaks for a person, and how much."""

    why: str
    """`similar to HARB-3, HARB-12`, `4 open tickets`."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Somebody a new ticket could go to."""

    person: Person
    score: float
    points: tuple[Point, ...]
    """What the score is made of, the most first."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Somebody it cannot go to."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """May it stand as it is, or does a person look?"""

    unattended: bool
    reasons: tuple[str, ...] = ()
