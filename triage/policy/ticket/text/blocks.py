"""Parts a mail's lines into blocks: paragraphs, lists, tables, code, and labels with what stands under them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import groupby, pairwise
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import Untrusted
from triage.policy.text.sentences import WRAPPED
from triage.policy.text.word_patterns import levelled, sentence_spans
from triage.policy.ticket.text.code_lines import is_code, joined
from triage.policy.ticket.text.code_runs import lines_of_runs
from triage.policy.ticket.text.letter import is_picture
from triage.policy.ticket.text.line_wraps import LINKED, joined_line, stripped, unwrapped
from triage.policy.ticket.text.list_items import INDENT, ITEM, RULED, begins_list, is_item, item_of, number_of
from triage.policy.ticket.text.table_rows import CELLS, rows_of, table_end

LONGEST_LABEL: Final = 40
SECTIONS: Final = (
    *("happens", "steps", "expected", "impact", "since", "environment", "evidence"),
    *("wanted", "why", "for_whom", "by_when", "question"),
)
_FENCE: Final = re.compile(
    r"\s{0,3}(?:`{3,}\s*(?P<language>\w*)|~{3,}|\{(?:code|noformat)(?::(?:lang(?:uage)?=)?(?P<jira>\w+)(?![\w=]))?[^}]{0,40}\})\s*$"
)
_POINT: Final = re.compile(r"(?:^|(?<=\s))(?P<number>\d{1,2})[.)]\s+(?=[^\W\d])")
LEAST_POINTS: Final = 3
_LABEL: Final = re.compile(
    r"(?:\s*(?:[#*_>•-]{1,4}|h[1-6]\.|\d{1,2}[.)]))?\s*[*_]{0,2}(?P<label>[^:\uff1a=]{1,40}?)[*_]{0,2}\s*[:\uff1a][*_]{0,2}\s*"
)
_HEADING: Final = re.compile(
    r"\s*(?:#{1,6}\s+|h[1-6]\.\s+|\*{1,2}(?=\w)|【)(?P<label>[^:*】]{1,40}?)\s*(?:\*{1,2}|#{1,6}|】)?\s*$"
)
_HASHED: Final = re.compile(r"\s*(?:#{2,6}|h[1-6]\.)\s+(?=\S)")
_PAIR: Final = re.compile(
    r"\s*(?P<name>[^\W\d_][\w/()-]{0,20}(?: [\w/()-]{1,20}){0,2}?)\s*(?P<sign>[:\uff1a=])\s+(?P<value>\S.*)$"
)
CLOSING: Final = "\"'\u201d\u00bb"
_MESSAGE: Final = re.compile(r"(?=.*(?:\d{2}|[A-Z]{3}|[Ee]rror|[\"'\u201e\u201c\u300c]))\S")
LEAST_PAIRS: Final = 3
"""From so many lines `name: value` or `name = value` in a row they are fields, not sentences."""
MOST_FIELDS: Final = 60
"""Lines that are looked at to tell whether they are fields: with more, each line would be read as often as there are lines."""
NAMED: Final = frozenset({"environment", "since", "for_whom", "by_when", "impact"})
"""Sections whose lines keep their label: `Browser: Firefox 144`."""
INLINE: Final = frozenset({"steps", "impact", "expected"})
"""Sections whose labels also stand within a paragraph; other words with a colon are fields of a sentence."""
LONGEST_MESSAGE: Final = 160


class BlockKind(StrEnum):
    """What a block is."""

    TEXT = "text"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    FIELDS = "fields"
    PICTURE = "picture"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that belong together."""

    kind: BlockKind
    lines: tuple[RichLine, ...]
    """Of a list one per item, with its sign; of a text one per line that its author ended."""
    section: str = ""
    """The heading that a label in the mail puts it under."""
    language: str = ""
    numbered: bool = False

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


def blocks_of(lines: Sequence[RichLine]) -> tuple[Block, ...]:
    """Return the blocks in order, with the sections that labels open."""
    return tuple(_labelled(list(_blocks(lines))))


def section_of(label: str) -> str:
    """Return the section that a label names; empty for any other word."""
    return _labels().get(" ".join(levelled(label).strip("?\uff1f\u00bf ").split()), "")


@cache
def _labels() -> dict[str, str]:
    lists = word_lists()
    return {levelled(entry): name for name in reversed(SECTIONS) for entry in lists[f"field.{name}"]}


@dataclass(frozen=True, slots=True)
class _Label:
    """A line that only names a section."""

    section: str


def _blocks(lines: Sequence[RichLine]) -> Iterator[Block | _Label]:
    """Yield blocks, and labels where they stand alone."""
    for kind, group in groupby(_kinds(lines), key=lambda one: one[0]):
        own = [line for _, line in group]
        match kind[0]:
            case "code":
                yield Block(kind=BlockKind.CODE, lines=_undented(own), language=kind[1])
            case "table":
                yield Block(kind=BlockKind.TABLE, lines=tuple(own))
            case "picture" | "quote":
                yield Block(kind=BlockKind(kind[0]), lines=tuple(own))
            case _:
                yield from _prose(own)


def _kinds(lines: Sequence[RichLine]) -> Iterator[tuple[tuple[str, str], RichLine]]:
    """Yield each line with what it is of; code has its language, and blank lines between code count as code."""
    fenced = _fenced(lines)
    blank = [not line.text.strip() for line in lines]
    runs = lines_of_runs([line.text for line in lines])
    code = joined([at in runs or _is_code(lines, at) for at in range(len(lines))], blank)
    for at, line in enumerate(lines):
        if at in fenced:
            if (language := fenced[at]) is not None:
                yield ("code", language), line
        elif line.kind in {"row", "head"} and CELLS.search(line.text):
            yield ("table", ""), line
        elif line.kind == "quote":
            yield ("quote", ""), line
        elif code[at]:
            yield ("code", ""), line
        elif is_picture(line):
            yield ("picture", ""), line
        else:
            yield ("prose", ""), line


def _fenced(lines: Sequence[RichLine]) -> dict[int, str | None]:
    """Return the lines between fences with their language, and None for the fences."""
    found: dict[int, str | None] = {}
    start, language = None, ""
    for at, line in enumerate(lines):
        if not (fence := _FENCE.match(line.text)) or line.code:
            continue
        if start is None:
            start, language = at, fence["language"] or fence["jira"] or ""
        else:
            found |= dict.fromkeys(range(start + 1, at), language) | {start: None, at: None}
            start = None
    return found


def _is_code(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether a line is code by its markup, by its words, or as an indented message behind a colon."""
    line = lines[at]
    if line.kind:
        return line.code
    return is_code(line.text) or _is_set_off(lines, at) or _is_announced(lines, at)


def _is_announced(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether a line stands alone below one that ends with a colon or comma, and shows a code: `504 Time-out`."""
    text = lines[at].text.strip()
    if (
        not _MESSAGE.match(text)
        or len(text) > LONGEST_MESSAGE
        or text.rstrip(CLOSING).endswith((".", "?", ",", ":", "\u3002", "\uff1f", "\uff0c", "\uff1a"))
    ):
        return False
    around = [lines[near].text.strip() if 0 <= near < len(lines) else "" for near in (at - 1, at + 1)]
    above = next((one.text.strip() for one in reversed(lines[max(0, at - 2) : at]) if one.text.strip()), "")
    return not any(around) and above.endswith((":", ",", "\uff1a", "\u3001"))


def _is_set_off(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether a line is indented below lines that are not, as people set off what a screen shows."""
    text = lines[at].text.expandtabs(INDENT)
    if not text.startswith(" " * INDENT) or not text.strip() or ITEM.match(text):
        return False
    above = next((one.text for one in reversed(lines[max(0, at - INDENT) : at]) if one.text.strip()), "")
    return bool(above) and (not above.startswith((" ", "\t")) or _is_set_off(lines, at - 1)) and not ITEM.match(above)


def _undented(lines: Sequence[RichLine]) -> tuple[RichLine, ...]:
    """Remove the indent that all lines share, and blank lines at both ends."""
    texts = [line.text.expandtabs(INDENT) for line in lines]
    solid = [at for at, text in enumerate(texts) if text.strip()]
    indent = min((len(texts[at]) - len(texts[at].lstrip()) for at in solid), default=0)
    return (
        tuple(RichLine(Untrusted(text[indent:].rstrip()), "code") for text in texts[solid[0] : solid[-1] + 1])
        if solid
        else ()
    )


def _prose(lines: Sequence[RichLine]) -> Iterator[Block | _Label]:
    """Yield paragraphs, lists and fields of lines without code."""
    apart = [part for line in lines for one in _counted(line) for part in _apart(one)]
    for filled, group in groupby(apart, key=lambda line: bool(line.text.strip()) and not RULED.match(line.text)):
        if filled:
            yield from _paragraph(list(group))


def _counted(line: RichLine) -> Iterator[RichLine]:
    """Yield the points of a line that counts three or more of them: `Steps: 1) open the plan 2) choose 3) save`."""
    found = [one.start("number") for one in _POINT.finditer(line.text)]
    numbers = [int(one["number"]) for one in _POINT.finditer(line.text)]
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < LEAST_POINTS:
        yield line
        return
    if line.text[: found[0]].strip():
        yield line.part(0, found[0])
    yield from (line.part(start, end) for start, end in pairwise((*found, len(line.text))))


def _apart(line: RichLine) -> Iterator[RichLine]:
    """Yield the parts of a line in whose midst a sentence begins with a label: `It crashes. Steps:`."""
    start = 0
    labels = {_label_in(line)[0]} & INLINE
    for begins, ends in sentence_spans(line.text)[1:]:
        if (label := _label_in(line.part(begins, ends))[0]) in (INLINE | {"happens"} if labels else INLINE):
            yield line.part(start, begins)
            start = begins
            labels.add(label)
    yield line.part(start, len(line.text)) if start else line


def _paragraph(lines: list[RichLine]) -> Iterator[Block | _Label]:
    """Yield the parts of lines without a blank one: labels, lists, fields, tables, running text."""
    at = 0
    while at < len(lines):
        end = _same(lines, at)
        part = lines[at:end]
        if is_item(lines[at]):
            yield _list(part)
        elif label := _label_alone(lines[at]):
            yield _Label(label)
        elif len(part) > 1 and table_end(part, 0) == len(part):
            yield Block(kind=BlockKind.TABLE, lines=rows_of(part))
        elif _are_fields(part):
            yield Block(kind=BlockKind.FIELDS, lines=tuple(part))
        else:
            yield from _labelled_text(part)
        at = end


def _same(lines: Sequence[RichLine], start: int) -> int:
    """Return the end of the part that begins at `start`."""
    if _label_alone(lines[start]) and not is_item(lines[start]):
        return start + 1
    if is_item(lines[start]):
        return next((at for at in range(start + 1, len(lines)) if _leaves_list(lines, at)), len(lines))
    if (end := table_end(lines, start)) > start + 1:
        return end
    end = _run(lines, start, _is_pair)
    if _are_fields(lines[start:end]):
        return end
    return next((at for at in range(start + 1, len(lines)) if _begins(lines, at)), len(lines))


def _are_fields(lines: Sequence[RichLine]) -> bool:
    """Tell whether lines are `name: value` and no template with labels of several sections."""
    found = [one for line in lines if (one := _PAIR.match(line.text))]
    if not len(lines) == len(found) >= LEAST_PAIRS:
        return False
    if any(one["sign"] == "=" for one in found):
        return True  # people write no labels of a report so
    return {section_of(one["name"]) for one in found} <= {"", *NAMED, "evidence"}


def _is_pair(line: RichLine) -> bool:
    return bool(_PAIR.match(line.text))


def _run(lines: Sequence[RichLine], start: int, fits: Callable[[RichLine], bool]) -> int:
    end = min(len(lines), start + MOST_FIELDS)
    return next((at for at in range(start, end) if not fits(lines[at])), end)


def _begins(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether something else than running text begins here."""
    label = _label_alone(lines[at]) or _label_in(lines[at])[0]
    return begins_list(lines[at]) or bool(label) or table_end(lines, at) > at + 1 or _begins_fields(lines, at)


def _begins_fields(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether fields follow the text of one: `Description: …`, and below it `Group: …`, `Opened by: …`, `Opened: …`."""
    return bool(_PAIR.match(lines[at].text)) and _are_fields(lines[at : _run(lines, at, _is_pair)])


def _leaves_list(lines: Sequence[RichLine], at: int) -> bool:
    """Tell whether a line is no item and does not continue one: an item goes on indented, or in a wrapped line."""
    text = lines[at].text
    if is_item(lines[at]):
        return False
    if text.startswith((" ", "\t")):
        return bool(_label_in(lines[at])[0])
    return len(lines[at - 1].text) < WRAPPED or bool(LINKED.match(text)) or bool(_label_in(lines[at])[0])


def _label_alone(line: RichLine) -> str:
    """Return the section of a line that is only a label: with a colon, as a heading, or of several words (`Steps to reproduce`)."""
    section, rest = _label_in(line)
    if section and not rest.text.strip(" *_"):
        return section
    if found := _HEADING.match(line.text):
        return section_of(found["label"])
    bare = line.text.strip(" *:_")
    strong = any(mark.kind == "strong" and mark.end - mark.start >= len(line.text.strip()) for mark in line.marks)
    return section_of(bare) if strong or " " in bare or bare.isupper() else ""


def _label_in(line: RichLine) -> tuple[str, RichLine]:
    """Return the section that the line's label names, and the rest of the line."""
    found = _LABEL.match(line.text)
    section = section_of(found["label"].strip(" *_")) if found else ""
    return (section, line.part(found.end(), len(line.text))) if found and section else ("", line)


def _labelled_text(lines: list[RichLine]) -> Iterator[Block | _Label]:
    lines = [_titled(lines[0]), *lines[1:]]
    section, rest = _label_in(lines[0])
    if section in NAMED:
        yield Block(kind=BlockKind.FIELDS, lines=unwrapped([lines[0]]), section=section)
        lines, section = lines[1:], ""
    elif section == "evidence" and len(rest.text) <= LONGEST_MESSAGE:
        yield Block(kind=BlockKind.CODE, lines=_undented([rest]), section=section)
        lines, section = lines[1:], ""
    elif section:
        lines = [rest, *lines[1:]]
    if lines:
        yield Block(kind=BlockKind.TEXT, lines=unwrapped(lines), section=section)


def _titled(line: RichLine) -> RichLine:
    """Make a heading of Markdown or wiki markup bold: a ticket's own headings stand above it."""
    found = _HASHED.match(line.text)
    if found is None or len(line.text) > LONGEST_LABEL:
        return line
    rest = line.part(found.end(), len(line.text))
    return RichLine(rest.text, rest.kind, (TextMark(0, len(rest.text), "strong"),))


def _list(lines: Sequence[RichLine]) -> Block:
    items: list[RichLine] = []
    for line in lines:
        if is_item(line):
            items.append(line)
        else:
            items[-1] = joined_line(items[-1], stripped(line))
    outer = min(item_of(item)[0] for item in items)
    top = [bool(number_of(item)) for item in items if item_of(item)[0] == outer]
    return Block(kind=BlockKind.LIST, lines=tuple(items), numbered=2 * sum(top) > len(top))


def _labelled(parts: Sequence[Block | _Label]) -> Iterator[Block]:
    """Put the blocks under a label that stands alone into its section: up to the next label where a mail has several.

    Text below a list or below what a program said is about more than that.
    """
    labels = sum(isinstance(one, _Label) or bool(one.section) for one in parts)
    section, below = "", False
    for one in parts:
        if isinstance(one, _Label):
            section = one.section
        elif one.section:
            yield one
            section = ""
        else:
            section = "" if below and one.kind is BlockKind.TEXT else section
            yield replace(one, section=section)
            section = section if labels > 1 or one.kind is BlockKind.CODE else ""
        below = isinstance(one, Block) and one.kind in {BlockKind.LIST, BlockKind.CODE}
