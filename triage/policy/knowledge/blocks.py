"""Cuts an article's Markdown into headings, paragraphs, lists, tables and code, as plain text that a person can read.

Marks of layout, images and tags of HTML are removed; it works line by line, in time linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import unescape
from itertools import zip_longest
from typing import Final

from triage.domain.text.visible import visible


class ArticleBlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class ArticleBlock:
    """A part of an article that is never cut where a reader would not."""

    kind: ArticleBlockKind
    text: str
    """One line per item of a list and per row of a table, which is an item, too; a paragraph is one line."""
    level: int = 0
    """Of a heading, from 1."""


LONGEST_LINE: Final = 20_000
"""Characters of a line that are read; a longer one is data."""
MOST_TAG_LINES: Final = 30
FENCE: Final = re.compile(r" {0,3}(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,})")
HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)(.*)")
TRAILING_HASHES: Final = re.compile(r"(?:^|[ \t])#+[ \t]*$|\{#[\w-]{1,80}\}[ \t]*$")
UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
ITEM: Final = re.compile(r"([ \t]*)([-*+•]|\d{1,3}[.)])[ \t]+(.*)")
ROW: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
ROW_RULE: Final = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?$")
QUOTED: Final = re.compile(r" {0,3}>[ \t]?(.*)")
ADMONITION: Final = re.compile(r"[ \t]*(?::::*|!!!|\?\?\?\+?)[ \t]*(?:\w+)?[ \t]*(.*)$")
MODULE: Final = re.compile(r"(?:import|export)\s.*(?:\sfrom\s|=).*$|import\s+['\"][^'\"]*['\"];?\s*$")
REFERENCE: Final = re.compile(r" {0,3}\[[^\]]{1,200}\]:\s")
TABLE_CELL: Final = re.compile(r"(?<!\\)\|")
TAG_HEADING: Final = re.compile(r"[ \t]*<h([1-6])\b[^<>]{0,500}>(.*?)(</h[1-6]>)?[ \t]*$", re.IGNORECASE)
END_OF_HEADING: Final = re.compile(r"[ \t]*(.*?)</h[1-6]>[ \t]*$", re.IGNORECASE)
HTML: Final = (
    "a|abbr|address|article|aside|b|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|details|dfn|div|dl"
    "|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main"
    "|mark|meta|nav|ol|option|p|path|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub"
    "|summary|sup|svg|table|tbody|td|tfoot|th|thead|time|title|tr|u|ul|var|video|wbr"
)
TAG: Final = re.compile(rf"</?(?:(?i:{HTML})|[A-Z][A-Za-z.]{{1,60}})(?:\s[^<>]{{0,2000}})?/?>")
INLINE: Final = re.compile(
    r"</?(?:a|abbr|b|code|em|i|kbd|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,2000})?>", re.IGNORECASE
)
"""Tags that part no words."""
LIST_TAG: Final = re.compile(r"([ \t]*)<li(?:\s[^<>]{0,2000})?>[ \t]*(?=\S)", re.IGNORECASE)
OPEN_TAG: Final = re.compile(rf"[ \t]*</?(?:(?i:{HTML})|[A-Z][A-Za-z.]{{1,60}})(?:\s[^<>]{{0,2000}})?$")
CODE_SPAN: Final = re.compile(r"(`{1,2})([^`\n]{1,500})\1(?!`)")
IMAGE: Final = re.compile(r"!\[[^\[\]]{0,500}\]\([^()\s]{0,1000}(?:\s[^()]{0,300})?\)")
LINK: Final = re.compile(
    r"\[([^\[\]]{0,500})\](?:\([^()\s]{0,1000}(?:\([^()]{0,200}\)[^()\s]{0,200})?(?:\s[^()]{0,300})?\)|\[[^\[\]]{0,200}\])"
)
AUTOLINK: Final = re.compile(r"<(https?://[^<>\s]{1,1000}|[\w.+-]{1,80}@[\w.-]{1,200})>")
STRONG: Final = re.compile(r"\*\*|(?<!\w)__|__(?!\w)")
EMPHASIS: Final = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_\n]{1,500}?)(?<=[^\s\\])\1(?![\w*])")
ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
MARK: Final = re.compile(r"[\\`*_\[<&]")
"""Begins whatever a line shows otherwise than it is written."""
MODULE_LETTERS: Final = "ei"
"""Letters that `import` and `export` begin with."""


def blocks_of(text: str) -> tuple[ArticleBlock, ...]:
    return tuple(_Reader(visible(text).split("\n")).blocks())


def plain_line(text: str) -> str:
    """Return a line of Markdown without marks of layout; what stands between back ticks stays as it is."""
    if not MARK.search(text):
        return " ".join(text.split())
    shown, at = [], 0
    for code in CODE_SPAN.finditer(text):
        shown += [_plain_run(text[at : code.start()]), code[2]]
        at = code.end()
    return " ".join("".join((*shown, _plain_run(text[at:]))).split())


def _plain_run(text: str) -> str:
    """Remove links, tags and emphasis of a run without code."""
    if "[" in text:
        text = LINK.sub(r"\1", IMAGE.sub("", text))
        text = LINK.sub(r"\1", text)  # a linked image has become a link around nothing
    if "<" in text:
        text = TAG.sub(" ", INLINE.sub("", AUTOLINK.sub(r"\1", text)))
    if "*" in text or "_" in text:
        text = EMPHASIS.sub(r"\2", STRONG.sub("", text))
    return unescape(ESCAPED.sub(r"\1", text) if "\\" in text else text)


class _Reader:
    """Reads lines one after the other and collects blocks."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = _behind_front_matter(lines)
        self._last_comment = max((at for at, line in enumerate(lines) if "-->" in line), default=-1)
        self._kind = ArticleBlockKind.PARAGRAPH
        self._open: list[str] = []
        """Lines of the block that has begun; of a list, its items."""

    def blocks(self) -> Iterator[ArticleBlock]:
        while self._at < len(self._lines):
            line = self._lines[self._at][:LONGEST_LINE]
            self._at += 1
            if not line or (_is_prose(line) and "<!--" not in line):
                yield from self._line(line)
                continue
            if fence := FENCE.match(line):
                yield from self._ended()
                yield from self._code(fence[1])
                continue
            line = self._uncommented(line)
            if (heading := self._heading(line)) is not None:
                yield from self._ended()
                if heading.text:
                    yield heading
            elif UNDERLINE.match(line) and self._kind is ArticleBlockKind.PARAGRAPH and len(self._open) == 1:
                title, self._open = plain_line(self._open[0]), []
                yield ArticleBlock(ArticleBlockKind.HEADING, title, 1 if "=" in line else 2)
            else:
                yield from self._line(line)
        yield from self._ended()

    def _uncommented(self, line: str) -> str:
        """Return the line without comments of HTML, which no reader sees, and skip the lines of a long one."""
        while "<!--" in line and self._last_comment >= self._at - 1:
            head, _, tail = line.partition("<!--")
            while "-->" not in tail and self._at <= self._last_comment:
                tail = self._lines[self._at][:LONGEST_LINE]
                self._at += 1
            line = head + tail.partition("-->")[2]
        return line

    def _line(self, line: str) -> Iterator[ArticleBlock]:
        """Add a line to the block that is open, or begin another one."""
        kind, text = _kind_of(line)
        if kind is None:
            if not (self._kind is ArticleBlockKind.LIST and not line.strip() and self._goes_on()):
                yield from self._ended()
            return
        if kind is ArticleBlockKind.PARAGRAPH and OPEN_TAG.match(text):
            text = self._rest_of_tag(text)
        if kind is not self._kind and not (kind is ArticleBlockKind.PARAGRAPH and self._open and self._continues(line)):
            yield from self._ended()
            self._kind = kind
        if self._kind is ArticleBlockKind.LIST and kind is ArticleBlockKind.PARAGRAPH:
            self._open[-1] += f" {text.strip()}"
        else:
            self._open.append(text)

    def _continues(self, line: str) -> bool:
        """Whether a plain line belongs to the list or quote before it: indented, or without a blank line between."""
        return self._kind in {ArticleBlockKind.LIST, ArticleBlockKind.QUOTE} and (
            line[:1] in " \t" or bool(self._lines[self._at - 2].strip())
        )

    def _goes_on(self) -> bool:
        """Whether a list goes on behind a blank line: with an item, or an indented line."""
        after = next((line for line in self._lines[self._at : self._at + 3] if line.strip()), "")
        return bool(self._open) and (bool(ITEM.match(after)) or after[:2].isspace()) and not FENCE.match(after)

    def _heading(self, line: str) -> ArticleBlock | None:
        """Return the heading that the line is, in Markdown or HTML; empty text if nothing is left of it."""
        if found := HEADING.match(line):
            return ArticleBlock(ArticleBlockKind.HEADING, plain_line(TRAILING_HASHES.sub("", found[2])), len(found[1]))
        if not (found := TAG_HEADING.match(line)):
            return None
        lines = [found[2]]
        for ahead in range(self._at, min(self._at + 6, len(self._lines)) if not found[3] else self._at):
            if end := END_OF_HEADING.match(self._lines[ahead][:LONGEST_LINE]):
                lines, self._at = [*lines, *self._lines[self._at : ahead], end[1]], ahead + 1
                break
        return ArticleBlock(ArticleBlockKind.HEADING, plain_line(" ".join(lines)), int(found[1]))

    def _code(self, fence: str) -> Iterator[ArticleBlock]:
        """Yield the code up to the fence's end, as it stands."""
        begun = self._at
        while self._at < len(self._lines) and not self._lines[self._at].lstrip(" \t>").startswith(fence):
            self._at += 1
        code = "\n".join(self._lines[begun : self._at]).strip("\n")
        self._at += 1
        if code.strip():
            yield ArticleBlock(ArticleBlockKind.CODE, code)

    def _rest_of_tag(self, text: str) -> str:
        """Return the line joined with those that follow, up to the end of the tag that it opens."""
        for ahead in range(self._at, min(self._at + MOST_TAG_LINES, len(self._lines))):
            if ">" in self._lines[ahead]:
                inside = " ".join(line[:LONGEST_LINE].strip() for line in self._lines[self._at : ahead + 1])
                self._at = ahead + 1
                return f"{text} {inside}"
        return text

    def _ended(self) -> Iterator[ArticleBlock]:
        """Yield the block that was open, if anything of it can be seen."""
        is_table = self._kind is ArticleBlockKind.TABLE
        lines = _rows(self._open) if is_table else [shown for line in self._open if (shown := _shown(self._kind, line))]
        joined = " " if self._kind in {ArticleBlockKind.PARAGRAPH, ArticleBlockKind.QUOTE} else "\n"
        if lines:
            yield ArticleBlock(self._kind, joined.join(lines))
        self._kind, self._open = ArticleBlockKind.PARAGRAPH, []


def _is_prose(line: str) -> bool:
    """Whether the line begins with a letter, as no mark of layout does: most lines do, and no pattern is asked about them."""
    first = line[:1]
    return first.isalpha() and first not in MODULE_LETTERS


def _kind_of(line: str) -> tuple[ArticleBlockKind | None, str]:
    """Return what kind of block a line belongs to, and its text; None for a line between blocks."""
    return (ArticleBlockKind.PARAGRAPH, line) if _is_prose(line) else _marked(line)


def _marked(line: str) -> tuple[ArticleBlockKind | None, str]:
    """Return the same of a line that may begin with a mark of layout."""
    if not line.strip() or RULE.match(line) or REFERENCE.match(line) or MODULE.match(line):
        return None, ""
    if ROW.match(line) or (ROW_RULE.match(line) and "|" in line):
        return ArticleBlockKind.TABLE, line
    if item := ITEM.match(LIST_TAG.sub(r"\1- ", line) if "<" in line else line):
        mark = item[2] if item[2][0].isdigit() else "-"
        return ArticleBlockKind.LIST, f"{'  ' * min(3, len(item[1].expandtabs(4)) // 2)}{mark} {item[3]}"
    if quote := QUOTED.match(line):
        return ArticleBlockKind.QUOTE, quote[1]
    if found := ADMONITION.match(line):
        return (ArticleBlockKind.PARAGRAPH, found[1]) if found[1] else (None, "")
    return ArticleBlockKind.PARAGRAPH, line


def _shown(kind: ArticleBlockKind, line: str) -> str:
    if kind is ArticleBlockKind.LIST:
        depth = len(line) - len(line.lstrip(" "))
        mark, _, text = line.lstrip(" ").partition(" ")
        return f"{line[:depth]}{mark} {shown}" if (shown := plain_line(text)) else ""
    return plain_line(line)


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the rows of a table as items that each say what their cells are: `- Size S: weight 2 kg; price 4 euros`."""
    rows = [[plain_line(cell) for cell in TABLE_CELL.split(line.strip().strip("|"))] for line in lines]
    rules = [at for at, line in enumerate(lines) if ROW_RULE.match(line)]
    names = rows[0] if rules == [1] and len(rows) > 2 else []  # noqa: PLR2004 - names, rule, a row
    filled = [row for at, row in enumerate(rows) if at not in rules and row is not names and any(row)]
    return [f"- {_row(row, names)}" for row in filled]


def _row(cells: Sequence[str], names: Sequence[str]) -> str:
    named = [" ".join(filter(None, pair)) for pair in zip_longest(names, cells, fillvalue="") if pair[1]]
    return ": ".join(filter(None, (named[0], "; ".join(named[1:]))))


def _behind_front_matter(lines: list[str]) -> int:
    """Return the number of the first line behind the YAML at the beginning; 0 if there is none."""
    begun = next((at for at, line in enumerate(lines[:5]) if line.strip()), 0)
    if not lines or lines[begun].rstrip() != "---":
        return 0
    for at in range(begun + 1, min(len(lines), begun + 200)):
        if lines[at].rstrip() in {"---", "..."}:
            return at + 1
    return 0
