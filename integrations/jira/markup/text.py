"""Prepares text for Jira: cleans it, cuts it to Jira's limits, parses Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Final, TypeVar
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from triage.domain.text.visible import visible

SUMMARY_LIMIT: Final = 255
TEXT_LIMIT: Final = 32_767
CUT_NOTE: Final = "[Cut here: Jira takes no longer text.]"

_ADDRESS: Final = re.compile(r"(?:https?://|mailto:|www\.)\S+", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_PLAIN: Final = re.compile(rf"(?:[^\n\\`*_!\[\]<&]|{_ESCAPED.pattern})+")
_LINKABLE: Final = frozenset({"http", "https", "mailto"})

_Rendered = TypeVar("_Rendered")


def length(text: str) -> int:
    """Return the length as Java counts it: a character outside the basic plane counts as two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def one_line(text: str, limit: int = SUMMARY_LIMIT) -> str:
    """Return a summary: one line of at most `limit` characters."""
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
    """Render the Markdown, cut and with a note if it is too long; cuts until it fits, since markup counts, too."""
    text = visible(markdown)
    rendered = render(text[:limit], CUT_NOTE if len(text) > limit else "")
    room = min(len(text), limit)
    while (taken := size(rendered)) > limit and room:
        room = min(room * limit // taken, room - 1)
        rendered = render(text[:room], CUT_NOTE)
    return rendered


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text with one formatting; a line break is a run of its own."""

    text: str
    strong: bool = False
    em: bool = False
    code: bool = False
    link: str = ""

    @property
    def breaks(self) -> bool:
        """Whether this run is a line break."""
        return self.text == "\n"


def blocks(markdown: str) -> Sequence[Token]:
    """Parse Markdown into a flat list of block tokens; HTML stays text."""
    return _parser().parse(markdown)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.inline.ruler.before("text", "plain", _plain)
    return parser


def _plain(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - its caller gives it so
    """Read text up to the next sign that means anything, escaped signs included: a token for each took half of the time."""
    found = _PLAIN.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.append_pending(_ESCAPED.sub(r"\1", found[0]))
    state.pos = found.end()
    return True


def runs(inline: Token) -> list[TextRun]:
    """Return the text runs of one block; no recursion, since a mail can nest emphasis to any depth."""
    found: list[TextRun] = []
    for run in _honest(list(_runs(inline.children or []))):
        if found and not (run.breaks or found[-1].breaks) and replace(run, text="") == replace(found[-1], text=""):
            found[-1] = replace(run, text=found[-1].text + run.text)
        elif run.text:
            found.append(run)
    return found


def _runs(children: Sequence[Token]) -> Iterator[TextRun]:
    strong, em, link = 0, 0, ""
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
            case kind:
                words = _picture(token) if kind == "image" else _words(token)
                yield TextRun(words, strong=strong > 0, em=em > 0, code=kind == "code_inline", link=link)


def _words(token: Token) -> str:
    """Clean the text again, since the parser has just decoded entities such as `&#x202e;`."""
    return visible(token.content).replace("\n", " ")


def _picture(token: Token) -> str:
    """Return an image as text, so that opening the ticket fetches nothing."""
    source = str(token.attrGet("src") or "")
    words = "".join(_words(child) for child in token.children or []) or "image"
    return f"{words} ({source})" if linkable(source) else words


def linkable(href: str) -> str:
    """Return the address if it is http, https or mailto, else an empty string."""
    try:
        scheme = urlsplit(href).scheme.lower()
    except ValueError:
        return ""
    return href if scheme in _LINKABLE else ""


def _honest(found: list[TextRun]) -> Iterator[TextRun]:
    """Yield runs in which every link shows its target: adds the host in brackets unless the text is the address.

    If the text names another address, only the host is linked, not the text. `https://bank.example@evil.example` looks like one.
    """
    for link, group in groupby(found, key=lambda run: run.link):
        label = list(group)
        words = "".join(run.text for run in label).strip()
        if not link or (_bare(words) in {_bare(link), _bare(host_of(link))} and not urlsplit(link).username):
            yield from label
        elif _ADDRESS.search(words):
            yield from (replace(run, link="") for run in label)
            yield from (TextRun(" ("), TextRun(host_of(link), link=link), TextRun(")"))
        else:
            yield from label
            yield TextRun(f" ({host_of(link)})")


def host_of(link: str) -> str:
    """Return the target of a link: the host of a page, the address of a mail."""
    parts = urlsplit(link)
    return parts.hostname or parts.path


def _bare(address: str) -> str:
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", address.lower()).rstrip("/.,;:!?)")
