"""Maps four classifications of mail to each other in one table: disposition, cue type, intent and issue type.

Disposition and cue type are ours. `intents` are the categories of an agent that answers mail (inquiry, meeting_request, complaint,
follow_up, spam, other), `issue_types` those of a help desk's agents (technical, billing, account, booking, general); the
requirement documents name both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.findings import Disposition


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """One row: a disposition, for work with the type that the cues give it, and its names elsewhere, the usual one first."""

    disposition: Disposition
    cue: str = "general"
    """Type of the cues."""
    label: str
    """For people: `a bug`."""
    intents: tuple[str, ...]
    issue_types: tuple[str, ...] = ()
    """Empty: a help desk's agents do not see it."""
    jira: tuple[str, ...] = ()
    """Names of Jira's issue types by preference; empty: it makes no ticket."""


TABLE: Final = (
    Meaning(
        disposition=Disposition.WORK,
        cue="bug",
        label="a bug",
        intents=("complaint",),
        issue_types=("technical", "billing", "booking"),
        jira=("Bug", "Defect", "Incident"),
    ),
    Meaning(
        disposition=Disposition.WORK,
        cue="feature",
        label="a wish",
        intents=("other", "inquiry"),
        issue_types=("general", "technical"),
        jira=("Story", "New Feature", "Improvement", "Feature"),
    ),
    Meaning(
        disposition=Disposition.WORK,
        cue="support",
        label="a request",
        intents=("inquiry", "meeting_request"),
        issue_types=("account", "booking", "billing"),
        jira=("Support", "Task"),
    ),
    Meaning(
        disposition=Disposition.WORK,
        label="a task",
        intents=("other", "meeting_request"),
        issue_types=("general",),
        jira=("Task",),
    ),
    Meaning(
        disposition=Disposition.QUESTION,
        cue="support",
        label="a question",
        intents=("inquiry",),
        issue_types=("general", "account", "billing", "booking"),
        jira=("Support", "Task"),
    ),
    Meaning(
        disposition=Disposition.SEVERAL,
        label="several matters",
        intents=("other",),
        issue_types=("general",),
        jira=("Task",),
    ),
    Meaning(
        disposition=Disposition.UNSURE,
        label="unclear",
        intents=("other",),
        issue_types=("general",),
        jira=("Task",),
    ),
    Meaning(disposition=Disposition.ADDITION, label="an addition", intents=("follow_up",), issue_types=("general",)),
    Meaning(disposition=Disposition.STATUS, label="a report", intents=("follow_up",), issue_types=("general",)),
    Meaning(disposition=Disposition.NOT_FOR_US, label="not for us", intents=("other", "meeting_request")),
    Meaning(disposition=Disposition.NEWSLETTER, label="a newsletter", intents=("other",)),
    Meaning(disposition=Disposition.SPAM, label="spam", intents=("spam",)),
    Meaning(disposition=Disposition.AUTOMATIC, label="an automatic mail", intents=("other",)),
)


def jira_types_of(cue: str) -> tuple[str, ...]:
    """Return the names of Jira's issue types for a cue type, by preference; what is no type is a task."""
    return meaning_of(Disposition.WORK, cue).jira


def meaning_of(disposition: Disposition, cue: str = "general") -> Meaning:
    """Return the row of a disposition; of several the one of the cue type, else the last."""
    rows = [row for row in TABLE if row.disposition is disposition]
    return next((row for row in rows if row.cue == cue), rows[-1])


def called(intent: str = "", issue_type: str = "") -> Iterator[Meaning]:
    """Yield the rows that such an intent or issue type may mean, those first for which it is the usual name."""
    hits = [row for row in TABLE if intent in {"", *row.intents} and issue_type in {"", *row.issue_types}]
    usual = [row for row in hits if row.intents[0] == intent or (issue_type and row.issue_types[0] == issue_type)]
    yield from (*usual, *(row for row in hits if row not in usual))
