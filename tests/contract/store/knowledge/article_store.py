"""What every store must do for the knowledge base."""

from dataclasses import replace

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, MORNING
from triage.domain.ports import ArticleStore, SourceReadings
from triage.domain.support.articles import Article
from triage.domain.support.readings import ArticleProblem, SourceReading
from triage.domain.untrusted import Untrusted


def article(name: str = "refunds", *, source: str = "help", **more: str) -> Article:
    """An article of the help pages."""
    text = Untrusted(more.pop("text", f"About {name}. {HOSTILE}".replace("\ud800", "")))
    told = {"title": name.title(), "url": f"https://help.example/{name}", "version": "v1", **more}
    return Article(id=f"{source}:{name}", source=source, text=text, tags=("a", "b"), changed_at=MORNING, **told)


class ArticleStoreContract:
    """The stored copy of all articles."""

    async def test_articles(self, store: SqlStore, second_store: SqlStore) -> None:
        """What was kept is read by every process as it was, by source and by id."""
        base: ArticleStore = store.articles
        sources: SourceReadings = store.articles
        help_pages = [article(f"page-{number:03}") for number in range(120)]

        assert await base.keep([*help_pages, article(source="wiki")]) == 121
        assert await second_store.articles.articles("help") == tuple(help_pages)
        assert len(await base.articles()) == 121
        assert await second_store.articles.article("wiki:refunds") == article(source="wiki")
        assert await base.article("wiki:gone") is None
        assert await sources.readings() == ()

    async def test_only_changes_change(self, store: SqlStore) -> None:
        """An article of the stored version changes nothing but its revision; each other change counts."""
        base = store.articles
        assert await base.change() == 0
        await base.keep([article(), article("fees")])
        first = await base.change()
        same = await base.keep([article(revision="8"), article("fees")])
        unchanged = await base.change()
        changed = await base.keep([article(version="v2", text="New."), article("fees")])
        last = await base.change()
        await base.forget(["help:gone"])

        assert (same, unchanged, changed, await base.change()) == (0, first, 1, last)
        assert first < last
        found = await base.article("help:refunds")
        assert found
        assert (found.text, found.revision) == ("New.", "")

    async def test_revision_is_kept(self, store: SqlStore) -> None:
        """A source that has counted up without another text is not asked for it again."""
        await store.articles.keep([article(revision="7")])
        await store.articles.keep([article(revision="8")])

        assert [one.revision for one in await store.articles.articles()] == ["8"]

    async def test_forgotten(self, store: SqlStore) -> None:
        """Articles go by id or with their source, and each time the change is counted."""
        base = store.articles
        await base.keep([article(), article("fees"), article(source="wiki")])
        await base.record(SourceReading(source="help", at=MORNING))
        before = await base.change()
        await base.forget(["help:refunds"])
        between = await base.change()
        gone = await base.forget_source("help")

        assert (gone, await base.forget_source("help")) == (1, 0)
        assert before < between < await base.change()
        assert [one.id for one in await base.articles()] == ["wiki:refunds"]
        assert await base.readings() == ()

    async def test_readings(self, store: SqlStore, second_store: SqlStore) -> None:
        """The last reading of each source is known to every process."""
        problem = ArticleProblem(article="help:x", why=HOSTILE.replace("\ud800", ""), kept=True)
        first = SourceReading(source="help", at=MORNING, articles=7, changed=2, removed=1, problems=(problem,))
        await store.articles.record(first)
        await store.articles.record(SourceReading(source="a", at=MORNING, trouble="gone"))
        await store.articles.record(replace(first, articles=8))

        assert [one.source for one in await second_store.articles.readings()] == ["a", "help"]
        assert (await second_store.articles.readings())[1] == replace(first, articles=8)
