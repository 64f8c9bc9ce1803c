"""Lets people edit the articles of folders that triage.yaml opens for it, and reads the folder again at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loguru import logger

from triage.domain.ports import ArticleFiles, DeedLog
from triage.domain.support.articles import ArticleFile
from triage.domain.support.errors import ArticleNotEditable
from triage.services.knowledge.sync import KnowledgeSync


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleEditor:
    """Reads and writes articles of the folders that triage.yaml opens for editing; called by the console."""

    files: Callable[[], Mapping[str, ArticleFiles]]
    """The folders that may be edited now, by the source's name."""
    deeds: DeedLog
    sync: KnowledgeSync | None
    """None: a worker elsewhere reads the folder at its next turn."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources whose articles may be edited."""
        return tuple(self.files())

    def may_edit(self, article: str) -> bool:
        """Whether the article's source is open for it."""
        return _source(article) in self.files()

    async def read(self, article: str) -> ArticleFile:
        """Return the article's file. Raises `ArticleNotFound`, `ArticleNotEditable`."""
        return await self._files(article).read(article)

    async def write(self, article: str, text: str, version: str, by: str) -> bool:
        """Write the file over this version of it; return whether answers use it already. Raises `ArticleChanged`, `ArticleNotEditable`, `StoreDown`."""
        if not any(letter.isalnum() for letter in text):
            raise ArticleNotEditable(article, "an article without text is none; remove its file instead")
        await self._files(article).write(article, text, version)
        logger.bind(article=article, by=by).info("knowledge.edited")
        await self.deeds.record("article_edited", by, article)
        if self.sync:
            await self.sync.read(_source(article))
        return self.sync is not None

    def _files(self, article: str) -> ArticleFiles:
        files = self.files().get(_source(article))
        if files is None:
            raise ArticleNotEditable(article, "its source is not open for it: set `edit: true` in triage.yaml")
        return files


def _source(article: str) -> str:
    return article.partition(":")[0]
