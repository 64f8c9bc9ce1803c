"""Who may do what: a row of rights for each deed, one right for each kind of sender; the toolsets name the deeds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.mail import Trust
from triage.domain.tickets import Project
from triage.policy.sender.mail_hosts import of_one_house


class Standing(StrEnum):
    """What a sender is to a ticket."""

    PARTICIPANT = "verified participant"
    """Proven, and part of the ticket: its thread, the sender's own earlier matter, a person of the project."""
    STRANGER = "verified stranger"
    """Proven to be somebody, but no part of the ticket."""
    UNVERIFIED = "unverified"
    """Not proven; `weak` counts as this."""
    FAILED = "failed"
    """Proven not to be who the mail says."""


class Right(StrEnum):
    """What becomes of a deed."""

    YES = "yes"
    MARKED = "yes, marked"
    """A comment says that its sender is not proven; a ticket gets the label for review."""
    PERSON = "a person"
    """Parked for approval; the rest of the call runs."""
    LESS = "less"
    """Left out, or the next lower priority; the rest of the call runs, and its result says so."""
    NO = "no"


class Row(NamedTuple):
    """The rights to one deed, by the sender's standing."""

    participant: Right
    stranger: Right
    unverified: Right
    failed: Right

    def of(self, standing: Standing) -> Right:
        """That of this kind of sender."""
        return self[list(Standing).index(standing)]


NOBODY: Final = Row(*[Right.NO] * 4)
EVERYBODY: Final = Row(*[Right.YES] * 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who stands behind the mail of a run, and what of ours it is part of."""

    trust: Trust = Trust.UNVERIFIED
    thread: str = ""
    """The ticket of its thread."""
    participant: bool = False
    """The sender takes part in that thread, rather than only answers a mail of it."""
    own: str = ""
    """The ticket of the same proven sender's earlier matter."""
    apart: str = ""
    """The ticket of a thread in which the sender may not speak."""
    colleague: bool = False
    """The address is that of a person of the project, or of our own mail domain."""

    def standing(self, key: str) -> Standing:
        """What the sender is to this ticket; an empty key stands for one that the mail is to make."""
        match self.trust:
            case Trust.FAILED:
                return Standing.FAILED
            case Trust.VERIFIED:
                return Standing.PARTICIPANT if self.colleague or self._inside(key) else Standing.STRANGER
        return Standing.UNVERIFIED

    def _inside(self, key: str) -> bool:
        """Part of this ticket; of a new one, unless the mail was meant for a thread of others."""
        if not key:
            return not self.apart
        return key == self.own or (self.participant and key == self.thread)


def sender_of(case: Case, project: Project, domains: frozenset[str]) -> Sender:
    """What `identify` has found of this mail's sender; `domains` are our own mail domains."""
    sender = case.mail.sender
    people = {person.email.casefold() for person in project.people if person.email}
    return Sender(
        trust=case.trust,
        thread=case.ticket or "",
        participant=case.participant,
        own=case.follow_up,
        apart=case.apart,
        colleague=sender is not None
        and (sender.address.casefold() in people or sender.domain in of_one_house(domains)),
    )


def rows(name: str, grant: Grant, rights: Mapping[str, Row]) -> tuple[tuple[str, str, Row], ...]:
    """The rights to one tool, as people read them: tool, deed, rights."""
    if grant is Grant.READ:
        return ((name, "read", EVERYBODY),)
    return tuple((name, deed, row) for deed, row in rights.items()) or ((name, f"{grant}: no rule", NOBODY),)
