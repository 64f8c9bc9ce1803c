"""Prepares text for Jira: cleaned, cut to Jira's limits, Markdown parsed."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Final, TypeVar
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from triage.domain.visible import visible

SUMMARY_LIMIT: Final = 255
TEXT_LIMIT: Final = 32_767
CUT_NOTE: Final = "[Cut here: Jira takes no longer text.]"

_ADDRESS: Final = re.compile(r"(?:https?://|mailto:|www\.)\S+", re.IGNORECASE)
_LINKABLE: Final = frozenset({"http", "https", "mailto"})

_Rendered = TypeVar("_Rendered")


def length(text: str) -> int:
    """As Java counts: a character outside the basic plane is two."""
    return len(text) + sum(char > "\uffff" for char in text)


def one_line(text: str, limit: int = SUMMARY_LIMIT) -> str:
    """A summary: no line ends, and no longer than Jira takes."""
    line = " ".join(visible(text).split())
    if length(line) <= limit:
        return line
    line = line[: limit - 1]
    while length(line) >= limit:
        line = line[:-1]
    return line.rstrip() + "…"


def fitted(
    markdown: str, limit: int, render: Callable[[str, str], _Rendered], size: Callable[[_Rendered], int]
) -> _Rendered:
    """The Markdown rendered, with a note where it had to be cut: markup and escapes count, so only trying tells."""
    text = visible(markdown)
    rendered = render(text[:limit], CUT_NOTE if len(text) > limit else "")
    room = min(len(text), limit)
    while (taken := size(rendered)) > limit and room:
        room = min(room * limit // taken, room - 1)
        rendered = render(text[:room], CUT_NOTE)
    return rendered


@dataclass(frozen=True, slots=True)
class TextRun:
    """Some words that look alike; a line break is a run of its own."""

    text: str
    strong: bool = False
    em: bool = False
    code: bool = False
    link: str = ""

    @property
    def breaks(self) -> bool:
        """It is a line break."""
        return self.text == "\n"


def blocks(markdown: str) -> Sequence[Token]:
    """Markdown as a flat row of block tokens; HTML stays text."""
    return _parser().parse(markdown)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False})


def runs(inline: Token) -> list[TextRun]:
    """The words of one block. Flat, since emphasis can be nested as deep as a mail is long."""
    found: list[TextRun] = []
    for run in _honest(list(_runs(inline.children or []))):
        if found and not (run.breaks or found[-1].breaks) and replace(run, text="") == replace(found[-1], text=""):
            found[-1] = replace(run, text=found[-1].text + run.text)
        elif run.text:
            found.append(run)
    return found


def _runs(children: Sequence[Token]) -> Iterator[TextRun]:
    strong = em = 0
    link = ""
    for token in children:
        match token.type:
            case "strong_open" | "strong_close":
                strong += token.nesting
            case "em_open" | "em_close":
                em += token.nesting
            case "link_open":
                link = linkable(str(token.attrGet("href") or ""))
            case "link_close":
                link = ""
            case "softbreak" | "hardbreak":
                yield TextRun("\n")
            case "code_inline":
                yield TextRun(_words(token), strong=strong > 0, em=em > 0, code=True, link=link)
            case "image":
                yield TextRun(_picture(token), strong=strong > 0, em=em > 0, link=link)
            case _:
                yield TextRun(_words(token), strong=strong > 0, em=em > 0, link=link)


def _words(token: Token) -> str:
    """Cleaned once more: an entity such as `&#x202e;` is a character only now."""
    return visible(token.content).replace("\n", " ")


def _picture(token: Token) -> str:
    """An image as words: nothing is fetched when somebody opens the ticket."""
    source = str(token.attrGet("src") or "")
    words = "".join(_words(child) for child in token.children or []) or "image"
    return f"{words} ({source})" if linkable(source) else words


def linkable(href: str) -> str:
    """The address, or nothing where a click on it could do more than open a page or a mail."""
    try:
        scheme = urlsplit(href).scheme.lower()
    except ValueError:
        return ""
    return href if scheme in _LINKABLE else ""


def _honest(found: list[TextRun]) -> Iterator[TextRun]:
    """Runs in which no link hides where it leads: its host stands behind it unless its words are the address.

    Words that name another address are no link at all; the host behind them is.
    """
    for link, group in groupby(found, key=lambda run: run.link):
        label = list(group)
        words = "".join(run.text for run in label).strip()
        if not link or _bare(words) in {_bare(link), _bare(host_of(link))}:
            yield from label
        elif _ADDRESS.search(words):
            yield from (replace(run, link="") for run in label)
            yield from (TextRun(" ("), TextRun(host_of(link), link=link), TextRun(")"))
        else:
            yield from label
            yield TextRun(f" ({host_of(link)})")


def host_of(link: str) -> str:
    """Whom a click would reach: the server of a page, the address of a mail."""
    parts = urlsplit(link)
    return parts.hostname or parts.path


def _bare(address: str) -> str:
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", address.lower()).rstrip("/.,;:!?)")
