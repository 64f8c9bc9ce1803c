"""Syncs the stored articles with their sources: new, changed and removed ones."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from loguru import logger

from triage.domain.errors import SettingsInvalid, TriageError
from triage.domain.ports import ArticleSource, ArticleStore, Clock, SourceReadings
from triage.domain.support.articles import Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import LARGEST_ARTICLE, LONGEST_ID, ArticleProblem, Found, SourceReading, Unchanged
from triage.policy.knowledge.promises import commands

AT_ONCE: Final = 100
"""Articles that are stored at once, while the source is read on."""
MOST_PROBLEMS: Final = 100
"""Problems of one reading that are stored."""
OFF: Final = 60.0
"""Seconds until the interval is looked at again where nothing is read."""
EMPTIED: Final = (
    "has no article any more, so those that are known stay; if it is meant so, run `triage knowledge sync --empty`"
)


def no_sources() -> Sequence[ArticleSource]:
    """Return no source, for a configuration without a knowledge base."""
    return ()


@dataclass(kw_only=True)
class KnowledgeSync:
    """Copies the articles of all sources into the store. Several processes may run it at once: each only stores what sources answer."""

    sources: Callable[[], Sequence[ArticleSource]] = no_sources
    """The sources as triage.yaml names them now."""
    store: ArticleStore
    readings: SourceReadings
    clock: Clock
    seconds: Callable[[], float] = lambda: 300.0
    """Seconds between two readings; 0: none until the setting changes."""

    async def run(self) -> None:
        """Read all sources now and at each interval until cancelled; errors are logged, and the next turn tries again."""
        while True:
            if pause := self.seconds():
                await self._read_and_log()
            await self.clock.sleep(pause or OFF)

    async def _read_and_log(self) -> None:
        try:
            for reading in await self.read():
                _log(reading)
        except TriageError as e:
            logger.bind(error=str(e)).warning("knowledge.failed")

    async def read(self, only: str = "", *, empty: bool = False) -> tuple[SourceReading, ...]:
        """Read one source or all, and return how it went. Raises `StoreDown`, and `SettingsInvalid` for an unknown source.

        A source that has become empty keeps its articles unless `empty` is meant. A source that triage.yaml names no more
        is forgotten, where all are read; where it names none nothing is, since the file may be another.
        """
        sources = self.sources()
        if only and only not in {source.name for source in sources}:
            named = ", ".join(source.name for source in sources) or "none"
            raise SettingsInvalid((f"{only}: no source of `knowledge` in triage.yaml; there is {named}",))
        if sources and not only:
            await self._forget_others({source.name for source in sources})
        taken, readings = _Taken(), []
        for source in sources:
            if only in {"", source.name}:
                readings.append(await self._read(source, taken, empty=empty))
            else:
                taken.know(await self.store.articles(source.name))
        return tuple(readings)

    async def _forget_others(self, named: set[str]) -> None:
        for reading in await self.readings.readings():
            if reading.source not in named:
                gone = await self.readings.forget_source(reading.source)
                logger.bind(source=reading.source, articles=gone).info("knowledge.source_forgotten")

    async def _read(self, source: ArticleSource, taken: "_Taken", *, empty: bool) -> SourceReading:
        stored = {article.id: article for article in await self.store.articles(source.name)}
        turn = _Turn(stored=stored, taken=taken)
        changed, trouble = 0, ""
        try:
            async for found in source.articles({one.id: one.revision for one in stored.values() if one.revision}):
                turn.take(found)
                if len(turn.waiting) >= AT_ONCE:
                    changed += await self.store.keep(turn.handed_over())
        except ArticlesDown as e:
            trouble = e.detail
        changed += await self.store.keep(turn.handed_over())
        gone = sorted(set(stored) - turn.present)
        if gone and not turn.present and not trouble and not empty:
            trouble = EMPTIED
        removed = () if trouble else gone
        await self.store.forget(removed)
        reading = SourceReading(
            source=source.name,
            at=self.clock.now(),
            articles=len(turn.present | (set(stored) if trouble else set())),
            changed=changed,
            removed=len(removed),
            problems=tuple(turn.problems[:MOST_PROBLEMS]),
            trouble=trouble,
        )
        await self.readings.record(reading)
        return reading


@dataclass(slots=True)
class _Taken:
    """Hashes of all texts stored so far, so that an equal article of another source is left out."""

    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    """Id of the article by account and hash of its text."""

    def know(self, articles: Sequence[Article]) -> None:
        """Take the texts of a source that is not read now."""
        for article in articles:
            self.first_with(article)

    def first_with(self, article: Article) -> str:
        """Return the id of the first article with this text; the article's own id if it is the first."""
        text = hashlib.sha256(" ".join(article.text.split()).encode("utf-8", "replace")).hexdigest()
        return self.texts.setdefault((article.account, text), article.id)


@dataclass(slots=True, kw_only=True)
class _Turn:
    """One reading of one source: sorts what it yields into new, changed and unchanged articles."""

    stored: Mapping[str, Article]
    taken: _Taken
    present: set[str] = field(default_factory=set)
    """Ids of articles that are stored afterwards."""
    met: set[str] = field(default_factory=set)
    """Ids that the source has yielded, good or not."""
    waiting: list[Article] = field(default_factory=list)
    problems: list[ArticleProblem] = field(default_factory=list)

    def take(self, found: Found) -> None:
        """Sort what the source has yielded."""
        if isinstance(found, ArticleProblem):
            self.problems.append(found)
            if found.kept and found.article in self.stored:
                self.present.add(found.article)
        elif isinstance(found, Unchanged):
            if known := self.stored.get(found.article):
                self.taken.first_with(known)
                self.present.add(known.id)
        elif why := self._wrong(found):
            self.problems.append(ArticleProblem(article=found.id[:LONGEST_ID], why=why))
        else:
            self.met.add(found.id)
            self.present.add(found.id)
            self.waiting.append(replace(found, version=version_of(found)))

    def handed_over(self) -> list[Article]:
        """Return the articles that wait to be stored, and wait for others."""
        handed, self.waiting = self.waiting, []
        return handed

    def _wrong(self, article: Article) -> str:
        """Say why the article is left out; empty if it is not."""
        if len(article.id) > LONGEST_ID or not article.id.isprintable():
            return f"its path or id is longer than {LONGEST_ID} characters, or cannot be printed; rename it"
        if article.id in self.met:
            return "its source has two articles of this id; the first counts"
        return _unreadable(article) or self._known(article) or _commanding(article)

    def _known(self, article: Article) -> str:
        first = self.taken.first_with(article)
        return "" if first == article.id else f"has the same text as {first}; remove one of them"


def _unreadable(article: Article) -> str:
    if not any(letter.isalnum() for letter in article.text):
        return "has no text"
    if len(article.text) > LARGEST_ARTICLE:
        return f"has {len(article.text):,} characters, more than {LARGEST_ARTICLE:,}; split it"
    return "is binary; articles are text" if "\0" in article.text else ""


def _commanding(article: Article) -> str:
    found = commands(article.text)
    return (
        f"tells a model what to do (“{found}”), so nothing is answered from it; take these words out" if found else ""
    )


def version_of(article: Article) -> str:
    """Return the hash of all that is shown or searched of an article."""
    facts = (article.title, article.text, article.url, article.account, article.tags)
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _log(reading: SourceReading) -> None:
    """Log a reading if its result differs from the last one."""
    bound = logger.bind(
        source=reading.source, articles=reading.articles, changed=reading.changed, removed=reading.removed
    )
    if reading.trouble:
        bound.bind(error=reading.trouble).warning("knowledge.trouble")
    elif reading.changed or reading.removed:
        bound.bind(problems=len(reading.problems)).info("knowledge.read")
