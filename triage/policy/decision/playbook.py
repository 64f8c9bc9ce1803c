"""What the rules that decide without a model know of a mail, and what they can say."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.domain.conversation import Json
from triage.domain.mail import Trust
from triage.domain.untrusted import Untrusted

TYPES: Final = {
    "bug": ("Bug", "Defect", "Incident"),
    "feature": ("Story", "New Feature", "Improvement", "Feature"),
    "support": ("Support", "Task"),
    "general": ("Task",),
}
"""What each kind of request is called, the first one that the project has."""
HIGHEST: Final = "Highest"
LONGEST_QUOTE: Final = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """An existing ticket that may be meant."""

    key: str
    score: float
    open: bool
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Somebody a new ticket could go to."""

    id: str
    score: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInput:
    """What the playbook knows of a mail: what a model would read in its prompt, no more."""

    subject: str
    sender: str
    text: Untrusted
    trust: str = "unverified"
    """How far the sender is proven."""
    type: str = "general"
    priority: str = "Medium"
    because: tuple[str, ...] = ()
    """Words that gave the priority."""
    fixed: bool = False
    ticket: str | None = None
    """The thread's ticket."""
    ticket_open: bool = True
    near: tuple[Near, ...] = ()
    searched: bool = False
    issue_types: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    done_status: str = ""
    proposals: tuple[Proposed, ...] = ()
    """The best first; each has points enough."""
    review: bool = False
    """A person should look, since the model could not be asked."""

    @property
    def urgent(self) -> bool:
        """It cannot wait, by its words; whether they suffice is for the table of rights."""
        return self.priority == HIGHEST and self.trust != Trust.FAILED


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Action:
    """What to do next: calls, or a last word."""

    calls: tuple[Call, ...] = ()
    text: str = ""


Results = Sequence[tuple[str, Json]]
"""Tool name and result, in the order of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What a toolset does for a new ticket beside finding its words."""

    call: Call | None = None
    """What has to be asked first."""
    why: str = ""
    """Why it is asked."""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """What the draft gets."""


def issue_type_of(kind: str, issue_types: Sequence[str]) -> str:
    """What this kind of request is called in this project."""
    known = {name.casefold(): name for name in issue_types}
    wanted = [known[name.casefold()] for name in TYPES.get(kind, ()) if name.casefold() in known]
    return (wanted or list(issue_types) or ["Task"])[0]


def components_in(text: str, components: Sequence[str]) -> tuple[str, ...]:
    """Components that the mail, its subject in the first line, calls by their name; two at most."""
    subject, _, rest = text.partition("\n")
    said = f"{subject}\n{rest[:LONGEST_QUOTE]}".casefold()
    return tuple(c for c in components if re.search(rf"\b{re.escape(c.casefold())}\b", said))[:2]
