"""Reads the stored articles for commands and pages."""

from dataclasses import dataclass

from triage.domain.errors import ArticleNotFound
from triage.domain.ports import ArticleStore, SourceReadings
from triage.domain.support.articles import Article
from triage.domain.support.readings import SourceReading


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleService:
    """Called by `triage knowledge` and by the console; it writes nothing. Raises `StoreDown`."""

    store: ArticleStore
    sources: SourceReadings

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        """Return all articles of a source, or of all, by id."""
        return await self.store.articles(source)

    async def article(self, article: str) -> Article:
        """Return one article. Raises `ArticleNotFound`."""
        if found := await self.store.article(article):
            return found
        raise ArticleNotFound(article)

    async def readings(self) -> tuple[SourceReading, ...]:
        """Return how the last reading of each source went."""
        return await self.sources.readings()
