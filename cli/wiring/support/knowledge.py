"""Chooses the sources of articles that triage.yaml names, and builds their sync and the library that finds passages of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.wiring.agents.live_config import Rebuilt
from cli.wiring.store import command_store
from integrations.articles.confluence import ConfluenceSource
from integrations.articles.folder import FolderSource
from integrations.articles.folder_files import FolderFiles
from integrations.articles.git_checkout import GitSource
from integrations.articles.help_centre import HelpCentreSource
from integrations.articles.site import ArticleSite
from integrations.articles.solved_tickets import SolvedTicketsSource
from integrations.sql.store import SqlStore
from triage.config.knowledge.sources import ArticleSourceKind, KnowledgeSource
from triage.config.settings import Settings
from triage.config.triage_yaml import Config, load_config
from triage.domain.ports import ArticleFiles, ArticleSource, Comments, DeedLog, no_failpoint
from triage.domain.ports.knowledge import ArticleFeed
from triage.policy.knowledge.likeness import hits_of, ranked
from triage.policy.knowledge.passages import passages_of
from triage.policy.knowledge.semantic_search import fused, nearest
from triage.policy.knowledge.terms import fields_of, query_of
from triage.policy.knowledge.translation import in_english, same_language
from triage.policy.privacy.redaction import masked
from triage.services.knowledge.articles import ArticleService
from triage.services.knowledge.editor import ArticleEditor
from triage.services.knowledge.sync import KnowledgeSync

if TYPE_CHECKING:
    from integrations.search_index.library import TantivyLibrary


def knowledge_sync_of(
    config: Callable[[], Config], store: SqlStore, discussion: Callable[[], Comments]
) -> KnowledgeSync:
    """Build the sync over a store; `discussion` reads what people said on tickets. Raises `SettingsInvalid`."""
    sources = Rebuilt(lambda current: sources_of(current, store, discussion), config())
    return KnowledgeSync(
        sources=lambda: sources.of(config()),
        store=store.articles,
        readings=store.articles,
        clock=store.clock,
        seconds=lambda: config().knowledge.minutes * 60 if config().knowledge.sources else 0,
    )


def article_service_of(store: SqlStore) -> ArticleService:
    """Build what commands and pages ask about articles."""
    return ArticleService(store=store.articles, sources=store.articles, library=library_of(store.articles))


def editor_of(config: Callable[[], Config], deeds: DeedLog, sync: KnowledgeSync | None) -> ArticleEditor:
    """Build the editor of the folders that triage.yaml opens for it."""

    def files() -> dict[str, ArticleFiles]:
        return {one.name: FolderFiles(folder_of(one)) for one in config().knowledge.sources if one.edit}

    return ArticleEditor(files=files, deeds=deeds, sync=sync)


@asynccontextmanager
async def open_articles(settings: Settings) -> AsyncIterator[ArticleService]:
    async with command_store(settings) as store:
        yield article_service_of(store)


@asynccontextmanager
async def open_knowledge_sync(settings: Settings) -> AsyncIterator[KnowledgeSync]:
    """Open the sync of the store with the sources of triage.yaml. Raises `SettingsInvalid`."""
    from cli.wiring.jira import tracker_of

    config = load_config(settings.triage_config)
    async with command_store(settings) as store, AsyncExitStack() as stack:

        def discussion() -> Comments:
            tracker = tracker_of(settings, no_failpoint, config)
            stack.push_async_callback(tracker.close)
            return tracker.discussion()

        yield knowledge_sync_of(lambda: config, store, discussion)


def sources_of(config: Config, store: SqlStore, discussion: Callable[[], Comments]) -> tuple[ArticleSource, ...]:
    """Return the adapters of all sources, in their order. Raises `SettingsInvalid`."""
    return tuple(_source(one, store, discussion) for one in config.knowledge.sources)


def _source(source: KnowledgeSource, store: SqlStore, discussion: Callable[[], Comments]) -> ArticleSource:
    """Return the adapter of a source. Raises `SettingsInvalid`."""
    name, account, tags = source.name, source.account, source.tags
    match source.kind:
        case ArticleSourceKind.FOLDER:
            return folder_of(source)
        case ArticleSourceKind.GIT:
            folder = Path(source.place)
            return GitSource(name=name, folder=folder, account=account, tags=tags, link=source.link, pull=source.pull)
        case ArticleSourceKind.CONFLUENCE:
            return ConfluenceSource(name=name, site=_site(source), space=source.space, account=account, tags=tags)
        case ArticleSourceKind.HELP_CENTRE:
            site, export = (_site(source), None) if "://" in source.place else (None, Path(source.place))
            return HelpCentreSource(
                name=name, site=site, export=export, locale=source.locale, account=account, tags=tags
            )
        case ArticleSourceKind.TICKETS:
            return _solved_tickets(source, store, discussion())


def _solved_tickets(source: KnowledgeSource, store: SqlStore, discussion: Comments) -> SolvedTicketsSource:
    return SolvedTicketsSource(
        name=source.name,
        project=source.place,
        store=store.tickets,
        latest=discussion.latest,
        clock=store.clock,
        masked=masked,
        days=source.days,
        account=source.account,
        tags=source.tags,
    )


def folder_of(source: KnowledgeSource) -> FolderSource:
    return FolderSource(
        name=source.name, folder=Path(source.place), account=source.account, tags=source.tags, link=source.link
    )


def _site(source: KnowledgeSource) -> ArticleSite:
    return ArticleSite(source=source.name, url=source.place, user=source.user, password=source.password())


def library_of(articles: ArticleFeed) -> "TantivyLibrary":
    """Build the library over a store of articles; its index is built by the first question."""
    from integrations.search_index.library import PassageRules, TantivyLibrary

    rules = PassageRules(
        passages_of=passages_of,
        fields_of=fields_of,
        query_of=query_of,
        ranked=ranked,
        nearest=nearest,
        fused=fused,
        hits_of=hits_of,
        in_english=in_english,
        same_language=same_language,
    )
    return TantivyLibrary(articles, rules)
