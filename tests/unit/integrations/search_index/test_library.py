"""The library: passages of the stored articles, found by questions."""

from collections.abc import Sequence

import pytest

from cli.wiring.support.knowledge import library_of
from integrations.search_index.library import TantivyLibrary
from triage.domain.support.articles import Article
from triage.domain.untrusted import Untrusted


def article(name: str, text: str, account: str = "", version: str = "1") -> Article:
    """An article of the source `help`."""
    return Article(id=f"help:{name}", title=name.title(), text=Untrusted(text), account=account, version=version)


class Articles:
    """A store of articles in memory."""

    def __init__(self, *articles: Article) -> None:
        self.kept = {article.id: article for article in articles}
        self.changes = 1
        self.read = 0

    async def keep(self, articles: Sequence[Article]) -> int:
        """Store them."""
        self.kept |= {article.id: article for article in articles}
        self.changes += 1
        return len(articles)

    async def forget(self, ids: Sequence[str]) -> None:
        """Remove them."""
        self.kept = {name: one for name, one in self.kept.items() if name not in ids}
        self.changes += 1

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        """All of them."""
        self.read += 1
        return tuple(one for one in self.kept.values() if one.source == source or not source)

    async def article(self, article: str) -> Article | None:
        """One of them."""
        return self.kept.get(article)

    async def change(self) -> int:
        """A number that grows."""
        return self.changes


REFUNDS = article("refunds", "# Refunds\nMoney comes back in five days.\n## Late refunds\nWrite to the desk.")
PARCELS = article("parcels", "A parcel is delivered to your door.\n\n## Lost\nWe look for lost parcels.")
SECRET = article("cinema", "Refunds of the cinema take ninety days.", account="cinema")


@pytest.fixture
def store() -> Articles:
    """Three articles, one of an account."""
    return Articles(REFUNDS, PARCELS, SECRET)


@pytest.fixture
def library(store: Articles) -> TantivyLibrary:
    """As the service opens it."""
    return library_of(store)


async def ids(library: TantivyLibrary, question: str, limit: int = 3, account: str = "") -> list[str]:
    """Ids of the passages that are found."""
    return [hit.passage.id for hit in await library.find(question, limit, account)]


async def test_the_best_passage_comes_first(library: TantivyLibrary) -> None:
    """Title, headings and text speak for a passage; likeness is 1 where it holds all that is asked."""
    assert await ids(library, "When does the money of my refund come back?") == ["help:refunds#0", "help:refunds#1"]
    assert (await library.find("lost parcels"))[0].similarity == 1.0
    assert await ids(library, "lost parcels", limit=1) == ["help:parcels#1"]


async def test_nothing_fits(library: TantivyLibrary) -> None:
    """Words that no article holds, no words, and signs that are none find nothing."""
    for question in ("zebra crossing", "", "is it?", "\ud800 \x00", "?" * 10_000):
        assert await library.find(question) == ()
    assert await library_of(Articles()).find("refund") == ()


async def test_an_account_sees_its_own_articles_and_the_shared_ones(library: TantivyLibrary) -> None:
    """Nobody is answered from another account's articles."""
    assert "help:cinema#0" in await ids(library, "refunds", account="cinema")
    assert "help:refunds#0" in await ids(library, "refunds", account="cinema")
    assert "help:cinema#0" not in await ids(library, "refunds cinema", account="theatre")
    assert "help:cinema#0" not in await ids(library, "refunds cinema")


async def test_a_change_of_the_store_is_seen_at_once(library: TantivyLibrary, store: Articles) -> None:
    """The articles are read again when they have changed, and only then."""
    await library.find("refunds")
    await library.find("refunds")
    assert store.read == 1

    await store.keep([article("zebras", "Zebras are striped."), article("parcels", "Now about kites.", version="2")])
    assert await ids(library, "zebras") == ["help:zebras#0"]
    assert await ids(library, "kites") == ["help:parcels#0"]
    assert await ids(library, "lost door") == []

    await store.forget(["help:zebras"])
    assert await ids(library, "zebras") == []


async def test_one_passage_per_heading() -> None:
    """A long section does not fill the answer with its parts."""
    text = "\n\n".join(f"Refunds number {at}: " + "money " * 150 for at in range(4))
    library = library_of(Articles(article("long", text), PARCELS))

    found = await ids(library, "refunds money parcel", limit=9)

    assert sum(name.startswith("help:long") for name in found) == 1


async def test_many_articles_of_another_account_hide_nothing() -> None:
    """However much another account has about it, the shared article is found."""
    others = [article(f"o{at}", "Refund refund refund.", account="other") for at in range(300)]
    library = library_of(Articles(*others, REFUNDS))

    assert (await ids(library, "refund"))[0].startswith("help:refunds")


async def test_another_account_changes_nothing(store: Articles) -> None:
    """How rare a word is, and so how much an answer is believed, follows from the articles that the account sees."""
    alone = await library_of(store).find("When is money refunded for lost parcels?", account="post")
    await store.keep([article(f"hotel{place}", f"Parcels of room {place} are lost.", "hotel") for place in range(9)])
    beside = await library_of(store).find("When is money refunded for lost parcels?", account="post")

    assert [(hit.passage.id, hit.similarity, hit.rarity) for hit in beside] == [
        (hit.passage.id, hit.similarity, hit.rarity) for hit in alone
    ]


async def test_another_language(store: Articles) -> None:
    """What finds nothing by its own words is found in English ones, and says so; articles of the question's language go first."""
    library = library_of(store)
    (found, *_) = await library.find("Kdy mi vrátíte peníze?")
    assert (found.passage.article, found.asked, found.asked_in) == ("help:refunds", "refund", "cs")

    await store.keep((article("zurueck", "Wann bekomme ich mein Geld zurück? Nach fünf Tagen."),))
    (own, *_) = await library.find("Wann bekomme ich mein Geld zurück?")
    assert (own.passage.article, own.asked) == ("help:zurueck", "")


async def test_meaning_finds_what_no_word_finds(store: Articles) -> None:
    """In the account's own articles and the shared ones alone."""
    found = await library_of(store).find("How do I get my cash back?")

    assert [hit.passage.article for hit in found][:1] == ["help:refunds"]
    assert "help:cinema" not in {hit.passage.article for hit in found}
    assert found[0].evidence == ()
