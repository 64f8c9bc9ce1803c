"""Stored articles are read by id and source."""

import pytest

from cli.wiring.support.knowledge import library_of
from integrations.sql.store import open_store
from tests.contract.store.knowledge.article_store import article
from tests.contract.store.store_samples import HeldClock
from triage.domain.support.errors import ArticleNotFound
from triage.services.knowledge.articles import ArticleService


async def test_articles_are_read() -> None:
    """One that is not there is refused with the way to the list."""
    store = await open_store("sqlite:///:memory:", HeldClock())
    await store.articles.keep([article(), article(source="wiki")])
    service = ArticleService(store=store.articles, sources=store.articles, library=library_of(store.articles))

    assert await service.articles("wiki") == (article(source="wiki"),)
    assert await service.article("help:refunds") == article()
    assert await service.readings() == ()
    assert {hit.passage.article for hit in await service.search("refunds", 5)} == {"help:refunds", "wiki:refunds"}
    with pytest.raises(ArticleNotFound, match="triage knowledge list"):
        await service.article("help:gone")
    await store.close()
