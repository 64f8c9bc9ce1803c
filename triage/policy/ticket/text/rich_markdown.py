"""Renders lines, lists, tables and code of a mail as Markdown in which only their structure is active."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from triage.domain.mail import RichLine, TextMark
from triage.policy.ticket.markdown import PUNCTUATION
from triage.policy.ticket.text.blocks import Block, BlockKind
from triage.policy.ticket.text.code_lines import language_of, shortened
from triage.policy.ticket.text.list_items import item_of, letter_of, number_of

MOST_LINES: Final = 60
"""Lines of a log that the ticket shows; the mail itself has the rest."""
MOST_ROWS: Final = 30
LONGEST_LINE: Final = 500
DEEPEST: Final = 4
_FENCES: Final = re.compile(r"`{3,}")
_URL: Final = re.compile(r"https?://[^\s<>\"'`]{1,300}[^\s<>\"'`.,;:!?)\]}]", re.IGNORECASE)
_COLON: Final = re.compile(r"[:\uff1a]|\s*=\s")
_LANGUAGE: Final = re.compile(r"[a-z]{2,12}")


def markdown_of(block: Block) -> str:
    match block.kind:
        case BlockKind.CODE:
            return fenced_code([line.text for line in block.lines], block.language)
        case BlockKind.TABLE:
            return "\n".join(_table(block.lines))
        case BlockKind.LIST:
            return "\n".join(_items(block))
        case BlockKind.FIELDS:
            return "\n".join(f"- {_field(line)}" for line in block.lines)
        case BlockKind.QUOTE:
            return "\n".join(f"> {inline(line)}  " for line in block.lines)
        case _:
            return "  \n".join(inline(line) for line in block.lines)


def inline(line: RichLine) -> str:
    """Render one line: bold, code and links are active, all other signs are text."""
    return "".join(_linked(target, part) for target, part in _by_link(line)).strip()


def fenced_code(lines: Sequence[str], language: str = "") -> str:
    """Render a code block, its language detected where the mail does not name it; a long one around its first error."""
    code_language = language.lower() if _LANGUAGE.fullmatch(language.lower()) else language_of(lines)
    shown = shortened(lines, MOST_LINES, LONGEST_LINE)
    fence = "`" * (1 + max([2, *(len(run) for line in shown for run in _FENCES.findall(line))]))
    return "\n".join((f"{fence}{code_language}", *shown, fence))


def escaped(text: str) -> str:
    """Render text without markup; blanks at its ends stay."""
    return PUNCTUATION.sub(r"\\\1", re.sub(r"\s+", " ", text))


def _by_link(line: RichLine) -> Iterator[tuple[str, RichLine]]:
    """Yield the parts of a line with their link's address; addresses that stand in the text link themselves."""
    links = [mark for mark in line.marks if "://" in mark.kind or mark.kind.startswith("mailto:")]
    taken = [(mark.start, mark.end) for mark in links]
    links += [
        TextMark(*found.span(), found[0])
        for found in _URL.finditer(line.text)
        if not any(start < found.end() and found.start() < end for start, end in taken)
    ]
    at = 0
    for mark in sorted(links, key=lambda one: one.start):
        if mark.start < at:
            continue
        yield "", line.part(at, mark.start)
        yield mark.kind, line.part(mark.start, mark.end)
        at = mark.end
    yield "", line.part(at, len(line.text))


def _linked(target: str, part: RichLine) -> str:
    if not target:
        return _marked(part)
    label = part.text.removesuffix(f"({target})").rstrip()
    href = re.sub(r"[<>\\\s]", "", target)
    if label == target or not label:
        return f"<{href}>"
    return f"[{_marked(part.part(0, len(label)))}](<{href}>)"


def _marked(part: RichLine) -> str:
    """Render bold and code."""
    cuts = sorted({0, len(part.text), *(place for mark in part.marks for place in (mark.start, mark.end))})
    signs = [(_sign(part, start), part.text[start:end]) for start, end in pairwise(cuts)]
    marked = ((sign, "".join(text for _, text in group)) for sign, group in groupby(signs, key=lambda one: one[0]))
    return "".join(_wrapped(sign, text) for sign, text in marked)


def _sign(part: RichLine, at: int) -> str:
    kinds = {mark.kind for mark in part.marks if mark.start <= at < mark.end}
    return "`" if "code" in kinds else "**" if "strong" in kinds else ""


def _wrapped(sign: str, text: str) -> str:
    core = text.strip()
    if not sign or not core or (sign == "`" and "`" in core):
        return escaped(text)
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{sign}{core if sign == '`' else escaped(core)}{sign}{after}"


def _items(block: Block) -> Iterator[str]:
    """Render items; those of a numbered list get their numbers in order, from the first one's on: code may part a list."""
    first = min((item_of(line)[0] for line in block.lines), default=0)
    number = max(0, int(number_of(block.lines[0]) or 1) - 1)
    for line in block.lines:
        depth, rest = item_of(line)
        depth = min(max(0, depth - first), DEEPEST)
        number += depth == 0
        sign = f"{number}." if block.numbered and not depth else "-"
        yield f"{'   ' * depth}{sign} {escaped(letter_of(line))}{inline(rest)}"


def _field(line: RichLine) -> str:
    colon = _COLON.search(line.text)
    name, start = (line.text[: colon.start()], colon.end()) if colon else ("", 0)
    return f"**{escaped(name.strip())}:** {inline(line.part(start, len(line.text)))}"


def _table(lines: Sequence[RichLine]) -> Iterator[str]:
    """Render rows of the same width; the first one is the head."""
    rows = [list(_cells(line)) for line in lines[: MOST_ROWS + 1]]
    width = max(map(len, rows))
    for at, row in enumerate(rows):
        yield f"| {' | '.join([*row, *[''] * (width - len(row))])} |"
        if at == 0:
            yield f"|{' --- |' * width}"
    if len(lines) > len(rows):
        yield f"| {' | '.join(['[…]', *[''] * (width - 1)])} |"


def _cells(line: RichLine) -> Iterator[str]:
    start = 0
    for cell in line.text.split(" | "):
        yield inline(line.part(start, start + len(cell)))
        start += len(cell) + len(" | ")
