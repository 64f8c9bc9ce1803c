"""The port `Library`: passages of all articles in an index in memory, built again when an article has changed.

A knowledge base is small beside the tickets, so each process holds its own index: there are no files that could be damaged
or be behind. An article that has not changed is not cut into passages and terms again. Each account that asks has an index of what
it sees: how rare a word is in articles of others says nothing about its own.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from tantivy import Document, Index, Occur, Query, Schema, SchemaBuilder, Searcher

from integrations.search_index.generation import BUILDING_HEAP, best_terms
from triage.domain.ports.knowledge import ArticleFeed
from triage.domain.support.articles import SHARED, Article, Passage, PassageHit

CONSIDERED: Final = 120
"""Passages, and articles, that are found by their terms before the articles' own scores are added."""
WEIGHTS: Final = {"text": 1.0, "title": 0.5, "heading": 0.5}
"""Of the fields; `text` holds title and headings, too."""
ARTICLE: Final = 0.5
"""Weight of the score that the whole article has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRules:
    """How articles are cut and compared: pure functions, which the wiring takes from the policy."""

    passages_of: Callable[[Article], Sequence[Passage]]
    fields_of: Callable[[Passage], Mapping[str, str]]
    """Terms by field, with blanks between; the fields of `WEIGHTS`."""
    query_of: Callable[[str], Mapping[str, float]]
    """The question's terms with their weights."""
    ranked: Callable[[str, Sequence[tuple[Passage, float]]], Sequence[Passage]]
    """Question, passages with their scores → passages, best first."""
    nearest: Callable[[str, Sequence[Passage]], Sequence[Passage]]
    """Question, passages → those nearest in meaning, nearest first; none of a library that is too large for that."""
    fused: Callable[[Sequence[Passage], Sequence[Passage]], Sequence[Passage]]
    """Passages found by words, passages found by meaning → all, best first."""
    hits_of: Callable[[str, Sequence[Passage], Mapping[str, int], int], tuple[PassageHit, ...]]
    """Question, passages (best first), number of passages with each term, number of passages → hits."""
    in_english: Callable[[str, Callable[[str], int]], tuple[str, str] | None]
    """Question of another language, number of passages with a term → the question in English words, code of its language."""
    same_language: Callable[[str, Passage], bool]
    """Question, passage → both are surely of one language."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """An article as the index needs it."""

    version: str
    account: str
    passages: tuple[Passage, ...]
    fields: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Built:
    """The index over what one account sees in one state of the store."""

    index: Index
    passages: tuple[Passage, ...]
    """By number in the index."""
    searcher: Searcher
    articles: tuple[Index, Searcher]
    """The index over whole articles."""
    ids: tuple[str, ...]
    """Articles by number in theirs."""

    @classmethod
    def of(cls, cuts: Mapping[str, _Cut]) -> Self:
        """Build the index over these articles."""
        index = _index_of([fields for cut in cuts.values() for fields in cut.fields], tuple(WEIGHTS))
        whole = _index_of(map(_whole, cuts.values()), ("text",))
        return cls(
            index=index,
            passages=tuple(passage for cut in cuts.values() for passage in cut.passages),
            searcher=index.searcher(),
            articles=(whole, whole.searcher()),
            ids=tuple(cuts),
        )


class TantivyLibrary:
    """Finds passages by BM25 over title, headings and text, and over the article as a whole."""

    def __init__(self, store: ArticleFeed, rules: PassageRules) -> None:
        self._store = store
        self._rules = rules
        self._cut: dict[str, _Cut] = {}
        self._change: int | None = None
        self._built: dict[str, _Built] = {}
        """By account; those without articles of their own have the one of nobody."""
        self._turn = asyncio.Lock()

    async def find(self, question: str, limit: int = 3, account: str = "") -> tuple[PassageHit, ...]:
        built = await self._current(account)
        return await asyncio.to_thread(self._best, built, question, limit)

    async def _current(self, account: str) -> _Built:
        """The index over the articles that the account sees, as they are stored now."""
        async with self._turn:
            change = await self._store.change()
            if self._change != change:
                articles = await self._store.articles()
                self._cut = await asyncio.to_thread(lambda: {one.id: self._cut_of(one) for one in articles})
                self._built, self._change = {}, change
            owner = account if any(cut.account == account for cut in self._cut.values()) else SHARED
            if owner not in self._built:
                seen = {name: cut for name, cut in self._cut.items() if cut.account in {SHARED, owner}}
                self._built[owner] = await asyncio.to_thread(_Built.of, seen)
            return self._built[owner]

    def _cut_of(self, article: Article) -> _Cut:
        """The article's passages; those of an unchanged version are taken as they are."""
        known = self._cut.get(article.id)
        if known is not None and article.version and known.version == article.version:
            return known
        passages = tuple(self._rules.passages_of(article))
        return _Cut(article.version, article.account, passages, tuple(map(self._rules.fields_of, passages)))

    def _best(self, built: _Built, question: str, limit: int) -> tuple[PassageHit, ...]:
        """What the question finds by its own words; by English ones, where these find what is more like it."""
        found = self._found(built, question, limit)
        keywords = self._rules.in_english(question, lambda term: built.searcher.doc_freq("text", term))
        if keywords is None:
            return found
        text, language = keywords
        other = self._found(built, text, limit)
        if not other or (found and found[0].similarity >= other[0].similarity):
            return found
        own = self._rules.same_language
        return tuple(replace(hit, asked=text, asked_in="" if own(question, hit.passage) else language) for hit in other)

    def _found(self, built: _Built, question: str, limit: int) -> tuple[PassageHit, ...]:
        query = {term: weight for term, weight in self._rules.query_of(question).items() if term.isprintable()}
        frequencies = {term: built.searcher.doc_freq("text", term) for term in query}
        terms = best_terms(query, frequencies, len(built.passages))
        by_words = self._by_words(built, question, terms) if terms else ()
        ranked = self._rules.fused(by_words, self._rules.nearest(question, built.passages))
        best = _one_per_heading(ranked, limit)
        return self._rules.hits_of(question, best, frequencies, len(built.passages))

    def _by_words(self, built: _Built, question: str, terms: Mapping[str, float]) -> Sequence[Passage]:
        scores = _scores(built.index, built.searcher, terms, WEIGHTS)
        index, searcher = built.articles
        articles = _scores(index, searcher, terms, {"text": 1.0})
        whole = {built.ids[number]: score for number, score in articles.items()}
        found = ((built.passages[number], score) for number, score in sorted(scores.items()))
        return self._rules.ranked(
            question, [(passage, score + ARTICLE * whole.get(passage.article, 0.0)) for passage, score in found]
        )


def _whole(cut: _Cut) -> Mapping[str, str]:
    """All terms of an article."""
    return {"text": " ".join(fields["text"] for fields in cut.fields)}


def _schema_of(fields: Sequence[str]) -> Schema:
    builder = SchemaBuilder()
    for name in fields:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", fast=True)
    return builder.build()


def _index_of(documents: Iterable[Mapping[str, str]], fields: Sequence[str]) -> Index:
    """Build an index in memory; a document is known by its number."""
    index = Index(_schema_of(fields))
    writer = index.writer(BUILDING_HEAP, 1)
    for number, text in enumerate(documents):
        document = Document()
        for name in fields:
            document.add_text(name, text[name])
        document.add_unsigned("number", number)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def _scores(
    index: Index, searcher: Searcher, terms: Mapping[str, float], weights: Mapping[str, float]
) -> dict[int, float]:
    """Scores of the best documents, by number."""
    schema = index.schema
    counts = [
        (Occur.Should, Query.boost_query(Query.term_query(schema, name, term, "freq"), factor * weight))
        for term, weight in terms.items()
        for name, factor in weights.items()
    ]
    hits = searcher.search(Query.boolean_query(counts), CONSIDERED, count=False).hits
    numbers: list[Any] = searcher.fast_field_values("number", [address for _, address in hits])
    return {number: score for number, (score, _) in zip(numbers, hits, strict=True)}


def _one_per_heading(passages: Iterable[Passage], limit: int) -> list[Passage]:
    """The first passages, one of each heading."""
    best: dict[tuple[str, str], Passage] = {}
    for passage in passages:
        if len(best) >= limit:
            break
        best.setdefault((passage.article, passage.heading), passage)
    return list(best.values())
