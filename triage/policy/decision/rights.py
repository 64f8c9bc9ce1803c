"""The table of rights: what a tool call may do, for each kind of sender; what is not in the table is refused."""

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


class Deed(StrEnum):
    """What a call would do."""

    CREATE = "create a ticket"
    GIVE_PROPOSED = "give the new ticket to somebody whom code proposes"
    GIVE = "give the new ticket to anybody else"
    ALARM = "give the new ticket the highest priority"
    COMMENT_THREAD = "comment on the thread's ticket"
    COMMENT_TWIN = "comment on a certain twin"
    COMMENT = "comment on another ticket that was shown"
    MOVE = "move to a status that is not done"
    CLOSE = "move to a status that is done"
    REASSIGN = "give an existing ticket to somebody"
    RENAME = "change the summary"
    PLAN = "put into a sprint"
    OVERFILL = "put into a sprint that is full"


class Row(NamedTuple):
    """The rights to one deed, by the sender's standing."""

    participant: Right
    stranger: Right
    unverified: Right
    failed: Right

    def of(self, standing: Standing) -> Right:
        """That of this kind of sender."""
        return self[list(Standing).index(standing)]


CREATE: Final = "create_jira_ticket"
MODIFY: Final = "modify_jira_ticket"
_YES, _MARKED, _PERSON, _LESS, _NO = Right
TABLE: Final[Mapping[str, Mapping[Deed, Row]]] = {
    CREATE: {
        Deed.CREATE: Row(_YES, _YES, _YES, _MARKED),
        Deed.GIVE_PROPOSED: Row(_YES, _YES, _YES, _LESS),
        Deed.GIVE: Row(_YES, _PERSON, _PERSON, _LESS),
        Deed.ALARM: Row(_YES, _YES, _LESS, _LESS),
        Deed.PLAN: Row(_YES, _PERSON, _PERSON, _LESS),
        Deed.OVERFILL: Row(_PERSON, _PERSON, _PERSON, _LESS),
    },
    MODIFY: {
        Deed.COMMENT_THREAD: Row(_YES, _YES, _MARKED, _MARKED),
        Deed.COMMENT_TWIN: Row(_YES, _YES, _MARKED, _NO),
        Deed.COMMENT: Row(_YES, _PERSON, _NO, _NO),
        Deed.MOVE: Row(_YES, _PERSON, _PERSON, _NO),
        Deed.CLOSE: Row(_PERSON, _PERSON, _PERSON, _NO),
        Deed.REASSIGN: Row(_PERSON, _PERSON, _PERSON, _NO),
        Deed.RENAME: Row(_PERSON, _PERSON, _PERSON, _NO),
        Deed.PLAN: Row(_YES, _PERSON, _PERSON, _NO),
        Deed.OVERFILL: Row(_PERSON, _PERSON, _PERSON, _NO),
    },
}
"""Every tool that writes or sends stands here with all that it can do. Reading needs no right."""


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


def rows(tools: Mapping[str, Grant]) -> tuple[tuple[str, str, Row], ...]:
    """The table for these tools, as people read it: tool, deed, rights."""
    free, none = Row(*[Right.YES] * 4), Row(*[Right.NO] * 4)
    found: list[tuple[str, str, Row]] = []
    for name, grant in tools.items():
        if grant is Grant.READ:
            found.append((name, "read", free))
        else:
            found += [(name, deed.value, row) for deed, row in TABLE.get(name, {}).items()] or [
                (name, f"{grant}: no rule", none)
            ]
    return tuple(found)
