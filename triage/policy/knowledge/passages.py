"""Cuts articles into passages: what is searched, shown and cited as a whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.support.articles import Article, Passage
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.blocks import ArticleBlock, ArticleBlockKind, blocks_of
from triage.policy.text.word_patterns import levelled, one_of
from triage.policy.text.word_patterns import sentences_of as sentences_in

SIZE: Final = 900
"""Characters from which on a passage takes no further block."""
MOST: Final = 1_500
"""Characters that a passage of several blocks has at most."""
SMALL: Final = 200
"""Characters; a smaller rest under the same heading joins the passage before it."""
LARGEST: Final = 6_000
"""Characters from which on a list, a table or code is cut, too, between its lines."""
LONGEST_ARTICLE: Final = 5_000_000
LONGEST_HEADING: Final = 200
MOST_SUGGESTED: Final = 12
"""Suggested sentences of one passage."""
SUGGESTED: Final = lazy_pattern(
    lambda: rf"[\W_]*{one_of('knowledge.suggested_phrasing')}[^\w:]*(?P<colon>[:\uff1a])?(?P<rest>.*)", re.DOTALL
)
"""A levelled line that announces suggested phrasing, or holds it behind the colon."""
MOST_ANNOUNCING: Final = 60
"""Characters of a line without a colon that may still announce what follows."""
QUOTES: Final = "\"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019'` "


def passages_of(article: Article) -> tuple[Passage, ...]:
    """Return the passages of an article in order; an article without text has none."""
    return tuple(
        Passage(
            article=article.id,
            number=number,
            title=article.title,
            heading=part.heading,
            text=Untrusted(part.text),
            url=article.url,
            account=article.account,
            tags=article.tags,
            suggested=tuple(part.suggested[:MOST_SUGGESTED]),
        )
        for number, part in enumerate(_parts(article))
    )


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text in order; an item of a list, a row of a table and a line of code end one."""
    return tuple(sentence for line in text.split("\n") for sentence in sentences_in(line.strip()))


def without_suggested(passage: Passage) -> Passage:
    """Return the passage without its suggested phrasing and the words that announce it."""
    lines = (_without(line, passage.suggested) for line in passage.text.split("\n"))
    return replace(passage, text=Untrusted("\n".join(filter(None, lines))), suggested=())


def _without(line: str, suggested: Sequence[str]) -> str:
    found = SUGGESTED.fullmatch(levelled(line))
    if found and (found["colon"] or not found["rest"].strip(f"{QUOTES}*_")):
        return ""
    kept = (one for one in sentences_of(line) if one.removeprefix("- ").strip(QUOTES) not in suggested)
    return " ".join(kept)


@dataclass(slots=True)
class _Part:
    """A passage that is being put together."""

    heading: str
    blocks: list[ArticleBlock] = field(default_factory=list)
    suggested: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks)

    def has_room(self, block: ArticleBlock) -> bool:
        """Whether the block belongs here: little stands here yet, or what stands here announces the block."""
        announced = bool(self.blocks) and self.blocks[-1].text.endswith((":", "\uff1a"))
        fits = self.size + len(block.text) <= MOST and (self.size < SIZE or announced)
        return not self.blocks or fits or (announced and block.kind is not ArticleBlockKind.PARAGRAPH)

    def take(self, other: "_Part") -> None:
        """Take in all of the part that follows."""
        self.blocks += other.blocks
        self.suggested += other.suggested

    def add(self, block: ArticleBlock) -> None:
        self.blocks.append(block)
        self.size += len(block.text) + 1


def _parts(article: Article) -> Iterator[_Part]:
    """Yield the passages: a small rest under the same heading is no passage of its own."""
    held: _Part | None = None
    for part in _pieces(article):
        if held is not None and held.heading == part.heading and part.size < SMALL:
            held.take(part)
            continue
        if held is not None:
            yield held
        held = part
    if held is not None:
        yield held


def _pieces(article: Article) -> Iterator[_Part]:
    """Yield the passages as they are put together: none reaches over a heading."""
    path: list[ArticleBlock] = []
    part, announced = _Part(""), False
    for block in _cut(blocks_of(article.text[:LONGEST_ARTICLE])):
        if block.kind is ArticleBlockKind.HEADING and not _announces(block):
            if part.blocks:
                yield part
            path = [*(one for one in path if one.level < block.level), block]
            part, announced = _Part(_joined(path, article.title)), False
            continue
        if not (announced or part.has_room(block)):
            yield part
            part = _Part(part.heading)
        part.add(replace(block, kind=ArticleBlockKind.PARAGRAPH) if block.kind is ArticleBlockKind.HEADING else block)
        part.suggested += _suggested(block, announced=announced)
        announced = _announces(block)
    if part.blocks:
        yield part


def _cut(blocks: Sequence[ArticleBlock]) -> Iterator[ArticleBlock]:
    """Yield the blocks, those that are too large in several: a paragraph at its sentences, others at their lines."""
    for block in blocks:
        most = MOST if block.kind is ArticleBlockKind.PARAGRAPH else LARGEST
        if len(block.text) <= most:
            yield block
            continue
        glue = " " if block.kind is ArticleBlockKind.PARAGRAPH else "\n"
        units = _sentences(block.text) if block.kind is ArticleBlockKind.PARAGRAPH else block.text.split("\n")
        yield from (replace(block, text=text) for text in _filled(units, most, glue))


def _sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph, whatever its length: what has no end of a sentence is cut first."""
    return [one for part in _filled(text.split(" "), LARGEST, " ") for one in sentences_of(part)]


def _filled(units: Sequence[str], most: int, glue: str) -> Iterator[str]:
    """Join units as long as they fit; one that is too long alone is cut."""
    held = ""
    for unit in units:
        if held and len(held) + len(unit) >= most:
            yield held
            held = ""
        held = f"{held}{glue}{unit}" if held else unit
        while len(held) > most:
            end = held.rfind(" ", most // 2, most)
            end = end if end > 0 else most
            yield held[:end]
            held = held[end:].lstrip()
    if held:
        yield held


def _joined(path: Sequence[ArticleBlock], title: str) -> str:
    """Return the headings, without a first one that repeats the title."""
    names = [block.text[:LONGEST_HEADING] for block in path]
    if names and names[0].casefold() == title.strip().casefold():
        names = names[1:]
    return " > ".join(names)


def _announces(block: ArticleBlock) -> bool:
    """Whether the block only says that suggested phrasing follows."""
    last = block.text.rpartition("\n")[2]
    found = SUGGESTED.fullmatch(levelled(last))
    if not found or found["rest"].strip(f"{QUOTES}*_"):
        return False
    return bool(found["colon"]) or block.kind is ArticleBlockKind.HEADING or len(last) < MOST_ANNOUNCING


def _suggested(block: ArticleBlock, *, announced: bool) -> Iterator[str]:
    """Yield the sentences of suggested phrasing that stand in the block."""
    begun = announced and block.kind in {ArticleBlockKind.PARAGRAPH, ArticleBlockKind.LIST, ArticleBlockKind.QUOTE}
    for line in block.text.split("\n"):
        found, rest = SUGGESTED.fullmatch(levelled(line)), line
        if found and (found["colon"] or begun or _announces(block)):
            begun, rest = True, line[found.start("rest") :] if found["colon"] else ""
        if begun:
            bare = rest.strip().removeprefix("- ").strip(QUOTES)
            yield from (sentence for one in sentences_of(bare) if (sentence := one.strip(QUOTES)))
