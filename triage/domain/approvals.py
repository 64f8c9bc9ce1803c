"""People's decisions: approvals of parked tool calls, and corrections of a mail's disposition."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from triage.domain.findings import Disposition

UNDO: Final = "undo"
"""Tool of the approvals by which people take back what a case has written: no agent has it."""
AMEND: Final = "amend"
"""Tool of those by which people give a case's ticket another person, type or priority: no agent has it."""

MERGE: Final = "merge"
"""Tool of those by which people join a case's ticket to another one: no agent has it."""

PART: Final = "part"
"""The tool by which people turn one of several matters of a ticket into a separate ticket; no agent has it."""


class ApprovalState(StrEnum):
    """State of a parked tool call."""

    OPEN = "open"
    ACCEPTED = "accepted"
    """Also after a person has edited it."""
    REJECTED = "rejected"
    """Ignored: nothing happens."""
    ANSWERED = "answered"
    """A person gave an instruction instead: the agent goes on with it."""
    SUPERSEDED = "superseded"
    """A later mail proposed another value for the same field of the same ticket."""
    EXPIRED = "expired"
    """Nobody decided in time."""
    VOID = "void"
    """The ticket or the thread changed before the proposal was accepted."""


class ApproverProof(StrEnum):
    """How it is proven who decides."""

    SHELL = "shell"
    """Anyone who can run commands on the server already has access to its database."""
    API = "api"
    """A token with the scope to approve."""
    CONSOLE = "console"
    """A person who is signed in to the console with the role to approve."""
    JIRA = "jira"
    MAIL = "mail"
    LINK = "link"
    CHAT = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approver:
    """A person whose identity the console, API, mail or link has verified; whether he may decide is checked separately."""

    name: str
    """As reports show it; anybody can call himself so, therefore it proves nothing."""
    proof: ApproverProof
    address: str = ""
    """Proven e-mail address."""
    account: str = ""
    """Proven id of the account in the tracker."""
    token: int = 0
    """Number of the access token by which he is known; 0: none."""

    @property
    def identity(self) -> str:
        """The address, else the account, else the name: what the record keeps."""
        return self.address.casefold() or self.account or self.name

    @property
    def identities(self) -> frozenset[str]:
        """What rules may name the person by; never the name."""
        return frozenset({self.address.casefold(), self.account.casefold()} - {""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A tool call parked for a person's decision, which covers exactly these arguments."""

    id: int = 0
    case: str
    tool: str
    arguments: str
    """Canonical JSON."""
    reason: str
    """Why it may not run unattended."""
    state: ApprovalState = ApprovalState.OPEN
    by: str = ""
    ticket: str = ""
    """Key of the ticket to change; empty, like all fields below, in rows that an older version parked."""
    field: str = ""
    """`status`, `assignee`, `summary`, `sprint` or `comment`; of a whole call what it makes, such as `ticket`."""
    was: str = ""
    """The field's value when the call was parked, as people read it."""
    becomes: str = ""
    """The field's value after the call, as people read it; of a comment, the whole text."""
    sender: str = ""
    """The mail's From header."""
    trust: str = ""
    superseded_by: int = 0
    """Id of the approval that replaced this one, 0 if none did."""
    successor: ApprovalState | None = None
    """State of the approval that replaced this one, where the approvals of a case are read; else None."""
    effect: str = ""
    """Kind of effect, as `autonomy` in triage.yaml names it: `ticket`, `comment`, `change`, `letter`."""
    edited: str = ""
    """Canonical JSON of the arguments that a person edited; empty if they were not edited."""
    instruction: str = ""
    """What a person wants instead."""
    votes: tuple[str, ...] = ()
    """Identities of the people who accepted exactly these arguments."""
    rework: int = 0
    """Number of instructions that led to this proposal."""
    bound: str = ""
    """`hash` at the time of the decision; empty before, and in rows of an older version."""
    parked_at: datetime | None = None
    decided_at: datetime | None = None
    expires_at: datetime | None = None
    """None: it waits for ever."""

    @property
    def exact(self) -> str:
        """The arguments that run once it is accepted."""
        return self.edited or self.arguments

    @property
    def hash(self) -> str:
        """SHA-256 of tool and exact arguments: what a decision is bound to."""
        return hashlib.sha256(f"{self.tool}\n{self.exact}".encode(errors="replace")).hexdigest()

    @property
    def is_decided(self) -> bool:
        """Whether its case may go on: a superseded one waits until its successor is decided."""
        return ApprovalState.OPEN not in {self.state, self.successor}

    @property
    def voids(self) -> bool:
        """Whether it supersedes older proposals: yes for a field with one value, no for comments."""
        return bool(self.ticket) and self.field not in {"", "comment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDetails:
    """Details of a decision besides yes or no."""

    edited: str = ""
    """Canonical JSON of changed arguments."""
    instruction: str = ""
    shown: str = ""
    """`Approval.hash` of what the person saw; empty: whatever waits."""
    eyes: int = 1
    """Number of people who must accept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The kill switch: while it is set, nothing is written to other systems."""

    by: str
    why: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A person's correction of a mail's disposition. It also counts for later mails of the sender."""

    id: int = 0
    case: str
    disposition: Disposition
    ticket: str = ""
    """Key of the ticket that the mail belongs to, if the person names one."""
    apart: str = ""
    """Key of a ticket that the mail does not belong to, if the person names one."""
    by: str
    at: datetime | None = None
    was: str = ""
    """Disposition and outcome before."""
    sender: str = ""
    """The mail's address, in lower case."""
    trust: str = ""
    """How far that sender was proven."""
    sketch: str = ""
    """Hashes of the mail's words, in the format of `Sketch`."""
