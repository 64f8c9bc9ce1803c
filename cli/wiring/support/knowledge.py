"""Chooses the sources of articles that triage.yaml names, and builds their sync."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from cli.wiring.store import opened_store, set_up_log
from cli.wiring.support.library import library_of
from integrations.system_clock import SystemClock
from triage.config.knowledge.sources import KnowledgeSource, SourceKind
from triage.config.settings import Settings
from triage.config.triage_yaml import Config, load_config
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import ArticleSource, no_failpoint
from triage.services.knowledge.articles import ArticleService
from triage.services.knowledge.sync import KnowledgeSync

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


class LiveArticleSources:
    """The sources as triage.yaml names them now; the last that could be built while the new ones cannot."""

    def __init__(self, settings: Settings, config: Callable[[], Config]) -> None:
        """Build those of the first file. Raises `SettingsInvalid`."""
        self._settings, self._current = settings, config
        self._config = config()
        self._built = sources_of(settings, self._config)

    def __call__(self) -> Sequence[ArticleSource]:
        """Return the sources; built again where the file has changed."""
        if (config := self._current()) is not self._config:
            self._config = config
            try:
                self._built = sources_of(self._settings, config)
            except SettingsInvalid as e:
                logger.bind(problems=list(e.problems)).error("config.broken")
        return self._built


def knowledge_sync_of(settings: Settings, config: Callable[[], Config], store: "SqlStore") -> KnowledgeSync:
    """Build the sync over a store. Raises `SettingsInvalid`."""
    return KnowledgeSync(
        sources=LiveArticleSources(settings, config),
        store=store.articles,
        readings=store.articles,
        clock=SystemClock(),
        seconds=lambda: config().knowledge.minutes * 60 if config().knowledge.sources else 0,
    )


def article_service_of(store: "SqlStore") -> ArticleService:
    """Build what commands and pages ask about articles."""
    return ArticleService(store=store.articles, sources=store.articles, library=library_of(store.articles))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBase:
    """The services of the knowledge base."""

    sync: KnowledgeSync
    articles: ArticleService


@asynccontextmanager
async def open_knowledge(settings: Settings) -> AsyncIterator[KnowledgeBase]:
    """Open the services over the store and the sources of triage.yaml. Raises `SettingsInvalid`."""
    set_up_log(settings, service=False)
    config = load_config(settings.triage_config)
    async with opened_store(settings, no_failpoint) as store:
        yield KnowledgeBase(
            sync=knowledge_sync_of(settings, lambda: config, store),
            articles=article_service_of(store),
        )


def sources_of(settings: Settings, config: Config) -> tuple[ArticleSource, ...]:
    """Return the adapters of all sources, in their order. Raises `SettingsInvalid`."""
    del settings
    return tuple(_source(one) for one in config.knowledge.sources)


def _source(source: KnowledgeSource) -> ArticleSource:
    """Return the adapter of a source."""
    from integrations.articles.folder import FolderSource
    from integrations.articles.git_checkout import GitSource

    folder = partial(FolderSource, name=source.name, account=source.account, tags=source.tags)
    if source.kind is SourceKind.GIT:
        return GitSource(
            name=source.name,
            folder=Path(source.place),
            account=source.account,
            tags=source.tags,
            link=source.link,
            pull=source.pull,
        )
    return folder(folder=Path(source.place), link=source.link)
