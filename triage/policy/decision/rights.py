"""Table of rights: a row per deed, a right per standing of the sender; the toolsets name the deeds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.mail import Trust
from triage.domain.tickets import Project
from triage.policy.sender.sender_checks import is_colleague


class Standing(StrEnum):
    """A sender's relation to a ticket."""

    PARTICIPANT = "verified participant"
    """Proven, and in the ticket's thread, its earlier reporter, or a person of the project."""
    STRANGER = "verified stranger"
    """Proven, but not a participant of the ticket."""
    UNVERIFIED = "unverified"
    """Not proven; `weak` counts as this."""
    FAILED = "failed"
    """The checks prove that the sender is forged."""


class Right(StrEnum):
    """What happens to a deed."""

    YES = "yes"
    MARKED = "yes, marked"
    """Allowed; the comment says that its sender is not proven, or the ticket gets the label for review."""
    PERSON = "a person"
    """Parked for approval; the rest of the call runs."""
    LESS = "less"
    """Left out, or the next lower priority; the rest of the call runs, and its result says so."""
    NO = "no"


class RightsRow(NamedTuple):
    """The rights to one deed, by the sender's standing."""

    participant: Right
    stranger: Right
    unverified: Right
    failed: Right

    def of(self, standing: Standing) -> Right:
        return self[list(Standing).index(standing)]


NOBODY: Final = RightsRow(*[Right.NO] * 4)
EVERYBODY: Final = RightsRow(*[Right.YES] * 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """The sender of a run's mail, and the tickets related to the mail."""

    trust: Trust = Trust.UNVERIFIED
    thread: str = ""
    """Key of the thread's ticket."""
    participant: bool = False
    """The sender is a participant of that thread, not only the author of an answer to it."""
    own: str = ""
    """Key of the ticket of the same proven sender's earlier matter."""
    foreign_thread: str = ""
    """Key of a foreign thread's ticket, to which the sender may not write."""
    colleague: bool = False
    """The address belongs to a person of the project or to our own mail domains."""

    def standing(self, key: str) -> Standing:
        """Return the standing toward this ticket; an empty key means a new ticket."""
        match self.trust:
            case Trust.FAILED:
                return Standing.FAILED
            case Trust.VERIFIED:
                return Standing.PARTICIPANT if self.colleague or self._inside(key) else Standing.STRANGER
        return Standing.UNVERIFIED

    def _inside(self, key: str) -> bool:
        """Tell whether the sender is inside this ticket; in a new one, unless the mail answers a foreign thread."""
        if not key:
            return not self.foreign_thread
        return key == self.own or (self.participant and key == self.thread)


def sender_of(case: Case, project: Project, domains: frozenset[str]) -> Sender:
    """Build the sender from what `identify` found; `domains` are our own mail domains."""
    return Sender(
        trust=case.identity.trust,
        thread=case.ticket or "",
        participant=case.identity.participant,
        own=case.identity.follow_up,
        foreign_thread=case.identity.foreign_thread,
        colleague=is_colleague(case.mail.sender, project.people, domains),
    )


def rows(name: str, grant: Grant, rights: Mapping[str, RightsRow]) -> tuple[tuple[str, str, RightsRow], ...]:
    """List (tool, deed, rights) of one tool, for `triage agents`."""
    if grant is Grant.READ:
        return ((name, "read", EVERYBODY),)
    return tuple((name, deed, row) for deed, row in rights.items()) or ((name, f"{grant}: no rule", NOBODY),)
