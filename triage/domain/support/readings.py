"""The yield of reading a source of articles, and the result of the reading."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from triage.domain.support.articles import Article

LARGEST_ARTICLE: Final = 1_000_000
"""Characters of an article; a larger one is left out, since nobody reads it and no passage of it is found well."""
LONGEST_ID: Final = 250
"""Characters of an article's id; the store's indexes take no longer names."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """An article whose revision at the source is the stored one: it was not read again."""

    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleProblem:
    """What is wrong with one article; the others are read all the same."""

    article: str
    """Its id."""
    why: str
    """With the cure."""
    kept: bool = False
    """It is searched all the same, or its last version that could be read is; else it is left out."""


Found = Article | Unchanged | ArticleProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """The last reading of a source."""

    source: str
    at: datetime
    articles: int = 0
    """Articles that are stored of it now."""
    changed: int = 0
    """Articles that were new or had changed."""
    removed: int = 0
    problems: tuple[ArticleProblem, ...] = ()
    """The first hundred."""
    trouble: str = ""
    """Why it could not be read to its end; nothing was removed then. Empty if it was."""
