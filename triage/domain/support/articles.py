"""Articles of the knowledge base and their files, the passages that are searched, and what was found in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from triage.domain.untrusted import NOTHING, Untrusted


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFile:
    """The whole content of a file, front matter included."""

    article: str
    """Id of its article."""
    text: str
    """With line feeds alone."""
    version: str
    """Hash of its bytes: a change is written over this version alone. Empty: there is no file yet."""


SHARED = ""
"""Account of articles that every account may be answered from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One page of a knowledge base, in Markdown, as its source has it."""

    id: str
    """Unique within all sources: `help:billing/refunds`, the source's name and the source's own id."""
    title: str
    text: Untrusted
    source: str = ""
    """Name of the source in triage.yaml."""
    url: str = ""
    """Where people read it; empty if nowhere."""
    account: str = SHARED
    """The account whose mails it answers."""
    tags: tuple[str, ...] = ()
    version: str = ""
    """Hash of all that is shown or searched: an article of the same version is not indexed again."""
    revision: str = ""
    """The source's revision of the article, so that an unchanged one is not read again; empty if the source has none."""
    changed_at: datetime | None = None
    """When the source says that it was changed; None if it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of an article that is searched and cited as a whole: about a paragraph to a section."""

    article: str
    """Id of its article."""
    number: int
    """Its place in the article, from 0."""
    title: str
    """Of the article."""
    heading: str = ""
    """Headings above it, outermost first, joined by ` > `; empty at the article's beginning."""
    text: Untrusted = NOTHING
    url: str = ""
    account: str = SHARED
    tags: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    """Sentences that the article offers as its suggested phrasing, when they stand in this passage."""

    @property
    def id(self) -> str:
        """Article id and number of the passage in it: `help:billing/refunds#2`."""
        return f"{self.article}#{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A passage that was found for a question."""

    passage: Passage
    similarity: float
    """0 to 1, comparable between questions; 0 means that nothing speaks for it."""
    meant: float = 0.0
    """How near question and passage are in meaning, 0 to 1."""
    evidence: tuple[str, ...] = ()
    """Terms of the question that it holds, the rarest first."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """Each term of the question, and how much it says in this library: 0 stands everywhere, 1 nowhere."""
    asked: str = ""
    """The question in English keywords, where it was found by these; empty: by the question's own words."""
    asked_in: str = ""
    """Code of the question's language where the passage is of another one: `cs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """A sentence of an answer, and the passage that it comes from."""

    text: str
    passage: str
    """Id of the passage; the only sentences without one are greetings and hand-overs that code has written."""
    question: str = ""
    """The question that it answers, where the mail has several; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeAnswer:
    """The knowledge base's answer to a question with its sources, or that it has none."""

    sentences: tuple[CitedSentence, ...] = ()
    """Empty: nothing supports an answer."""
    hits: tuple[PassageHit, ...] = ()
    """What was found, best first, used or not."""
    confidence: float = 0.0
    """0 to 1: the probability, by the scorer that decides, that a person would let the answer stand."""
    scores: tuple[tuple[str, float], ...] = ()
    """What each scorer says, by its name: `seed`, `calibrated`."""
    suggested: bool = False
    """Whether it uses an article's suggested phrasing."""
    worded_by: str = ""
    """The model whose words it has; empty: it is quoted."""
    refused: str = ""
    """Why there is no answer; empty if there is one."""
    disputed: str = ""
    """What it says and what another article says otherwise; empty if the articles agree."""
    open: tuple[str, ...] = ()
    """Questions of the mail that it leaves to a person, while it answers the others."""

    @property
    def asked_in(self) -> str:
        """Code of the question's language, where the articles are of another one; else empty."""
        return self.hits[0].asked_in if self.hits else ""

    @property
    def articles(self) -> tuple[str, ...]:
        """Ids of the articles that it cites, each once, in order."""
        return tuple(dict.fromkeys(one.passage.rpartition("#")[0] for one in self.sentences if one.passage))
