"""Questions to the memory, the sources that may answer, and answers with citations."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from triage.domain.untrusted import NOTHING, Untrusted


class Job(StrEnum):
    """What a message to the memory wants."""

    BUILD = "build"
    """Read new mails and write notes."""
    REFRESH = "refresh"
    """Sort the actions by quadrant again."""
    RECONCILE = "reconcile"
    """Compare open actions with sent mail and tickets."""
    DEDUPLICATE = "deduplicate"
    """Merge notes that say the same."""
    STATS = "stats"
    """Count the notes."""
    QUERY = "query"
    """An answer."""


class SourceKind(StrEnum):
    """Where a sentence of an answer comes from."""

    NOTE = "note"
    MAIL = "mail"
    TICKET = "ticket"
    ARTICLE = "article"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """A note, mail, ticket or passage of an article, as far as the asker may read it."""

    kind: SourceKind
    id: str
    """Of the note, the case, the ticket or the passage."""
    title: Untrusted
    text: Untrusted = NOTHING
    fact: str = ""
    """Its fields as one generated sentence with its title: who has to do it until when, the state of the ticket."""
    people: tuple[str, ...] = ()
    """Names and addresses of those that it is from and about."""
    author: str = ""
    """Names and addresses of whoever says each of its sentences: a mail's sender, who has to do what a note says."""
    at: datetime | None = None
    due: date | None = None
    """Deadline of a note."""
    open: bool = True
    """A note that still asks for something, a ticket that is not done."""
    url: str = ""

    @property
    def key(self) -> str:
        """Identifies the source: `note:commitments/…`, `mail:case-17`, `ticket:HARB-12`, `article:help:refunds#2`."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedSentence:
    """A sentence of an answer."""

    text: Untrusted
    source: str
    """`Source.key` of the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAnswer:
    """The answer to a message, or that no source answers it."""

    question: str
    about: str = ""
    """The asker's question that names the matter: the next one may go on from it. Empty for a job."""
    job: Job = Job.QUERY
    sentences: tuple[QuotedSentence, ...] = ()
    """Empty: nothing supports an answer, see `refused`; or the message wanted a job, see `told`."""
    sources: tuple[MemorySource, ...] = ()
    """Those that the sentences cite, in their order, each once."""
    refused: str = ""
    """Why there is no answer; empty if there is one."""
    told: str = ""
    """The result of a job, written by code."""
    by: str = ""
    """Name of the model that worded it; empty: the sentences are quotations."""
