"""The knowledge base: sources of articles, their copy in the store, and the index that finds passages."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from triage.domain.support.articles import Article, ArticleFile, PassageHit
from triage.domain.support.readings import Found, SourceReading


class ArticleSource(Protocol):
    """One place that articles come from: a folder, a Git checkout, a space of Confluence. Called by the knowledge sync."""

    @property
    def name(self) -> str:
        """Its name in triage.yaml; ids of its articles begin with it."""

    def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        """All its articles, and problems of some; an article whose revision is in `known`, by id, need not be read.

        Raises `ArticlesDown` where it cannot be read to its end: nothing is removed then.
        """


class ArticleFeed(Protocol):
    """The articles as they are now. Called by the library, which follows them. All methods raise `StoreDown`."""

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        """All articles of a source, or of all, by id."""

    async def change(self) -> int:
        """A number that grows with each change of any article."""


class ArticleStore(Protocol):
    """The stored copy of all articles. Called by the knowledge sync, the library and the console. All methods raise `StoreDown`."""

    async def keep(self, articles: Sequence[Article]) -> int:
        """Store new and changed articles; return how many there were. An article of the stored version changes nothing."""

    async def forget(self, ids: Sequence[str]) -> None:
        """Remove articles."""

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        """All articles of a source, or of all, by id."""

    async def article(self, article: str) -> Article | None:
        """The article of this id; None if there is none."""

    async def change(self) -> int:
        """A number that grows with each change of any article."""


class SourceReadings(Protocol):
    """The results of reading the sources. Called by the knowledge sync and by pages that show it. All methods raise `StoreDown`."""

    async def record(self, reading: SourceReading) -> None:
        """Store how the last reading of its source went."""

    async def readings(self) -> tuple[SourceReading, ...]:
        """The last reading of each source, by name."""

    async def forget_source(self, source: str) -> int:
        """Remove a source with all its articles; return how many there were."""


class ArticleFiles(Protocol):
    """The files of a folder whose articles people may edit. Called by the editor of the console."""

    async def read(self, article: str) -> ArticleFile:
        """The file of an article. Raises `ArticleNotFound`, `ArticleNotEditable`."""

    async def write(self, article: str, text: str, version: str) -> None:
        """Replace a file of this version at once, or make one where the version is empty.

        Raises `ArticleChanged` if it has another version by now, `ArticleNotEditable`.
        """


class Library(Protocol):
    """Finds passages; called by the agents' retriever, by the resolver and by `ask`."""

    async def find(self, question: str, limit: int = 3, account: str = "") -> tuple[PassageHit, ...]:
        """The best passages for the question among the shared articles and those of the account, best first.

        At most one per heading of an article. Empty if nothing fits. A question of another language is looked for in English
        keywords, too; the hits say so where these find more. Raises `StoreDown`.
        """
