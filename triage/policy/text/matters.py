"""Finds the separate matters of one mail: `two things: 1. … 2. …`, or paragraphs that begin with `First,` and `Second,`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.text.truncation import truncated
from triage.policy.classifiers.judged_text import URL
from triage.policy.text.author_text import author_text
from triage.policy.text.tokenizer import COMMON_STEMS, terms_in
from triage.policy.text.word_patterns import ASKS, levelled, one_of, sentences_of

READ: Final = 12_000
"""Characters of a mail that are read."""
MOST: Final = 6
"""More parts are a list of something, not matters of their own."""
SHORTEST: Final = 12
"""Characters of a matter; it has a word, too."""
ALIKE: Final = 0.4
"""Share of the shorter part's words of meaning from which two parts are one matter."""
LONGEST_TITLE: Final = 120
SENTENCE: Final = 6
"""Words of an item that is a sentence."""
NAMED: Final = 2
"""Words of a first sentence that only names what the next one is about."""
ADDRESS: Final = re.compile(r"\W?(?:\S+@\S+|https?://\S+)\W?")
ITEM: Final = re.compile(r"\s{0,3}(?:\(?(\d{1,2})[.)]|[-*•\u2013])\s+(?=\S)")
ANNOUNCED: Final = lazy_pattern(
    lambda: (
        rf"{one_of('matters.counts')}\s*(?:\w+\s+){{0,2}}{one_of('matters.nouns')}|{one_of('matters.lists')}|[2-6\u4e8c\u4e09\u56db\u4e94][\u3064\u4ef6\u70b9]"
    )
)
"""`two small issues`, `in no particular order`; in Japanese a digit with its counter."""
HEADED: Final = lazy_pattern(lambda: rf"\W{{0,6}}{one_of('matters.headings')}\W{{0,3}}[:\uff1a]\W{{0,3}}$")
OPENED: Final = lazy_pattern(lambda: rf"\s*{one_of('matters.ordinals')}\s*[,:\u3001]|\s*{one_of('matters.another')}")
COUNTED: Final = lazy_pattern(lambda: rf"\s*{one_of('matters.ordinals')}\s|{OPENED.pattern}")
"""Where several matters are announced, no comma is needed: `Zweitens bekommen wir …`."""


@dataclass(frozen=True, slots=True)
class Matter:
    """One of several matters: its first sentence, and all of its text."""

    title: str
    text: str


@lru_cache(maxsize=16)  # cues, disposition and draft ask for the same mail
def matters_of(subject: str, text: str) -> tuple[Matter, ...]:
    """Return the separate matters of a mail, at least two; empty if it has one, as nearly all mails do.

    Steps and lists of details are no matters: subject or text must announce several, or open each of them, or number them and ask,
    and they must have little in common.
    """
    lines = [" ".join(subject[:LONGEST_TITLE].split()), "", *author_text(text[:READ]).splitlines()]
    parts = _announced(lines) or _opened(lines) or _asking(lines)
    return tuple(map(_matter, parts)) if 1 < len(parts) <= MOST and _apart(parts) else ()


def _matter(part: str) -> Matter:
    text = " ".join(part.split())
    begun = OPENED.match(levelled(text))
    rest = text[begun.end() :].lstrip(" ,:\u3001") if begun else ""
    first, *others = sentences_of(rest or text) or [""]
    if others and ADDRESS.fullmatch(others[0]) and len(first) + len(others[0]) < LONGEST_TITLE:
        first = f"{first} {others[0]}"
    if others and len(first.split()) <= NAMED and first.endswith("."):
        first = f"{first[:-1]}: {others[0]}"  # `Portal. The chart prints half.`
    return Matter(truncated(first, LONGEST_TITLE), part)


def _announced(lines: Sequence[str]) -> list[str]:
    """Return the items of the list behind `two things`."""
    start = next((at for at, line in enumerate(lines) if _announces(line)), None)
    return [] if start is None else _items(lines[start + 1 :])


def _asking(lines: Sequence[str]) -> list[str]:
    """Return the items of a numbered list of whole sentences, of which one asks something, as no list of steps does."""
    start = next((at for at, line in enumerate(lines) if (found := ITEM.match(line)) and found[1] == "1"), len(lines))
    items = _items(lines[start:])
    whole = all(len(item.split()) >= SENTENCE for item in items)
    return items if whole and any(ASKS.search(URL.sub("", item)) for item in items) else []


def _items(lines: Sequence[str]) -> list[str]:
    """Return the items of the first list, each with the lines that continue it."""
    items: list[list[str]] = []
    numbered = None
    gap = False
    for line in lines:
        found = ITEM.match(line)
        if found and numbered in {None, found[1] is not None}:
            numbered = found[1] is not None
            items.append([line[found.end() :]])
        elif items and gap and not line.startswith((" ", "\t")):
            break
        elif items and line.strip():
            items[-1].append(line.strip())
        gap = not line.strip()
    return ["\n".join(item) for item in items]


def _announces(line: str) -> bool:
    """Tell whether a line says that several matters follow: `two things`, or `Follow-ups:` alone."""
    low = levelled(line)
    return bool(ANNOUNCED.search(low) or HEADED.match(low))


def _opened(lines: Sequence[str]) -> list[str]:
    """Return the paragraphs from the first that opens a matter on; the text before them is an introduction or a matter, too."""
    paragraphs = list(_paragraphs(lines))
    opens = OPENED
    if any(ANNOUNCED.search(levelled(line)) for line in lines):
        opens = COUNTED
        paragraphs = [one for paragraph in paragraphs for one in _begun(paragraph)]
    opened = [at for at, paragraph in enumerate(paragraphs) if opens.match(levelled(paragraph))]
    if len(opened) < 2:  # noqa: PLR2004 - a single `First,` opens nothing
        return []
    ends = [*opened[1:], len(paragraphs)]
    return ["\n\n".join(paragraphs[start:end]) for start, end in zip(opened, ends, strict=True)]


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        if paragraph.strip():
            yield paragraph.strip()


def _begun(paragraph: str) -> Iterator[str]:
    """Yield a paragraph, parted where its sentences open matters: `First, … Second, …`."""
    run: list[str] = []
    for sentence in sentences_of(paragraph):
        if run and COUNTED.match(levelled(sentence)):
            yield " ".join(run)
            run = []
        run.append(sentence)
    yield " ".join(run)


def _apart(parts: Sequence[str]) -> bool:
    """Tell whether every part says something, and no two say it of the same thing."""
    words = [frozenset(terms_in(part)) for part in parts]
    if not all(words) or any(len(part) < SHORTEST for part in parts):
        return False
    terms = [rest for rest in (stems - COMMON_STEMS for stems in words) if rest]
    pairs = ((one, other) for at, one in enumerate(terms) for other in terms[at + 1 :])
    return all(len(one & other) < ALIKE * min(len(one), len(other)) for one, other in pairs)
