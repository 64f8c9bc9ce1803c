"""Reads the stored articles for commands and pages."""

from dataclasses import dataclass

from triage.domain.ports import ArticleStore, Library, SourceReadings
from triage.domain.support.articles import Article, PassageHit
from triage.domain.support.errors import ArticleNotFound
from triage.domain.support.readings import SourceReading


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleService:
    """Called by `triage knowledge` and by the console; it writes nothing. Raises `StoreDown`."""

    store: ArticleStore
    sources: SourceReadings
    library: Library

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        return await self.store.articles(source)

    async def article(self, article: str) -> Article:
        """Return one article. Raises `ArticleNotFound`."""
        if found := await self.store.article(article):
            return found
        raise ArticleNotFound(article)

    async def readings(self) -> tuple[SourceReading, ...]:
        """Return how the last reading of each source went."""
        return await self.sources.readings()

    async def search(self, question: str, limit: int = 3, account: str = "") -> tuple[PassageHit, ...]:
        """Return the passages that answer a question best, as agents and answers find them."""
        return await self.library.find(question, limit, account)
