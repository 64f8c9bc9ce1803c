"""Input and output types of the playbook, the rules that decide without a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.conversation import Json
from triage.domain.mail import RichLine, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.due_date import DueDate

HIGHEST: Final = "Highest"
REQUESTS: Final = {"bug": "a bug", "feature": "a wish", "support": "a question"}
"""Types of requests, as people are told of them."""
ISSUE_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "bug": ("Bug", "Defect", "Incident"),
    "feature": ("Story", "New Feature", "Improvement", "Feature"),
    "support": ("Support", "Task"),
}
"""Type of request → names of Jira's issue types for it, by preference; what is none of these is a task."""
LONGEST_QUOTE: Final = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """An existing ticket that may be about the same matter."""

    key: str
    probability: float
    open: bool
    certain: str = ""
    """Evidence beyond likeness, on which the playbook comments; without it, it creates a ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInput:
    """The facts of a mail by which rules decide and write without a model: the same that a model reads in its prompt."""

    subject: str
    sender: str
    """Name and address."""
    text: Untrusted
    """What the sender wrote; of a forwarded mail all text, since the matter is in the forwarded part."""
    stub: bool = False
    """The text is ours: it stands for a mail that was not taken whole, and says nothing of the matter."""
    trust: str = "unverified"
    """How far the sender is proven."""
    type: str = "general"
    priority: str = "Medium"
    fixed: bool = False
    """The mail says that something works again."""
    ticket: str | None = None
    """Key of the thread's ticket."""
    ticket_open: bool = True
    named: str = ""
    """Key of the ticket that an outsider means by its key: a comment there needs a person's approval."""
    near: tuple[Near, ...] = ()
    searched: bool = False
    issue_types: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    """The versions that a bug report says to have the fault."""
    done_status: str = ""
    proposals: tuple[str, ...] = ()
    """Ids of possible assignees, best first; each exceeds the threshold."""
    forward: bool = False
    rich: tuple[RichLine, ...] = ()
    """The text's lines as the mail's HTML shows them."""
    keys: tuple[str, ...] = ()
    """Ticket keys of the project in the mail."""
    language: str = "en"
    """The team's."""
    review: bool = False
    """The ticket needs review, since the model could not be asked."""
    component: str = ""
    """The component that the mail is surely about; empty if none is probable enough."""
    likeliest: str = ""
    """The component that it is most probably about: of those that it only names, the one that is meant. Empty if none was guessed."""
    due: DueDate | None = None
    """Day by which the mail asks for something."""
    creates: int = 1
    """Most tickets that the mail may create."""
    may_be_from: float = 0.3
    """Probability from which a ticket may be the same matter (MAY_BE_DUPLICATE_FROM)."""

    @property
    def urgent(self) -> bool:
        """Whether the mail's words ask for the highest priority; the table of rights decides whether it is set."""
        return self.priority == HIGHEST and self.trust != Trust.FAILED


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Action:
    """The next turn: tool calls, or the final text."""

    calls: tuple[Call, ...] = ()
    text: str = ""


Results = Sequence[tuple[str, Json]]
"""(Tool name, result) in the order of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What a toolset adds to the draft of a new ticket."""

    call: Call | None = None
    """A tool call that must run first."""
    why: str = ""
    """Why it must run."""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """Arguments to add to the draft."""


def jira_types_of(kind: str) -> tuple[str, ...]:
    """Return the names of Jira's issue types for a type of request, by preference."""
    return ISSUE_TYPES.get(kind, ("Task",))


def type_wanted(text: str, issue_types: Sequence[str]) -> str:
    """Return the issue type that the author's words ask for by name, `please open an epic`; empty if they name none."""
    found = (
        _wanting(tuple(issue_types)).search(" ".join(text[:LONGEST_QUOTE].casefold().split())) if issue_types else None
    )
    return next((name for name in issue_types if found and name.casefold() in found.groups()), "")


@lru_cache(maxsize=8)
def _wanting(issue_types: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression for such a request, with the type in its only group that matched."""
    name = f"({'|'.join(re.escape(one.casefold()) for one in issue_types)})"
    return re.compile("|".join(one.replace("TYPE", name) for one in word_lists()["type.wanted_patterns"]))


def issue_type_of(kind: str, issue_types: Sequence[str]) -> str:
    """Return the project's issue type for this kind of request."""
    known = {name.casefold(): name for name in issue_types}
    wanted = [known[name.casefold()] for name in jira_types_of(kind) if name.casefold() in known]
    return (wanted or list(issue_types) or ["Task"])[0]


def components_in(text: str, components: Sequence[str]) -> tuple[str, ...]:
    """Return at most two components that the text names; its first line is the subject."""
    subject, _, rest = text.partition("\n")
    words = f"{subject}\n{rest[:LONGEST_QUOTE]}".casefold()
    return tuple(
        c for c in components if c.casefold() in words and re.search(rf"\b{re.escape(c.casefold())}\b", words)
    )[:2]
