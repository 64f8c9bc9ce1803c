"""Separates what the sender wrote now from the history, the signature and what programs append."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

from integrations.mime.reply_lines import COLONS, LONGEST, Line, kinds_of
from integrations.mime.reply_words import CLOSING, FOOTER, FORWARDED

MAX_LINES: Final = 5_000
MAX_WINDOW: Final = 240
MAX_TRIES: Final = 10
"""How much of a mail, and how often, mail-parser-reply is asked about."""
MAX_SIGNATURE: Final = 12

_HISTORY: Final = frozenset({Line.HEADERS, Line.ORIGINAL, Line.FORWARD})
_EMPTY: Final = frozenset({Line.BLANK, Line.RULE})
_OPENINGS: Final = EmailMessage(text="", languages=list(MAIL_LANGUAGES)).HEADER_REGEX
_MAY_OPEN: Final = re.compile(r"(?=.*[\d@]).*[:：]\s*$", re.DOTALL)
_CONTACT: Final = re.compile(r"@|https?:|www\.|\+?\d[\d ()/.-]{6,}")


@dataclass(frozen=True, slots=True)
class Split:
    """A body in two."""

    reply: str
    quoted: str
    forward: bool = False
    """The history is a mail passed on."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines with their kinds; steps return shorter ones."""

    text: tuple[str, ...]
    kinds: tuple[Line, ...]

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, part: slice) -> "_Lines":
        return _Lines(self.text[part], self.kinds[part])

    def __add__(self, other: "_Lines") -> "_Lines":
        return _Lines(self.text + other.text, self.kinds + other.kinds)

    @property
    def said(self) -> bool:
        """Somebody wrote something in them."""
        return any(kind in {Line.TEXT, Line.CODE} for kind in self.kinds)

    def find(self, *wanted: Line, start: int = 0) -> int:
        """The first line of these kinds, else the number of lines."""
        return next((n for n in range(start, len(self)) if self.kinds[n] in wanted), len(self))

    def without(self, *unwanted: Line) -> "_Lines":
        """All lines but those of these kinds."""
        kept = [(t, k) for t, k in zip(self.text, self.kinds, strict=True) if k not in unwanted]
        return _Lines(tuple(t for t, _ in kept), tuple(k for _, k in kept))

    def stripped(self) -> "_Lines":
        """Without blank lines and rules around."""
        solid = [n for n, kind in enumerate(self.kinds) if kind not in _EMPTY]
        first = self.find(*(kind for kind in Line if kind is not Line.BLANK))
        return self[min(first, solid[0]) : solid[-1] + 1] if solid else self[:0]

    def __str__(self) -> str:
        return "\n".join(self.text).strip("\n").rstrip()


def split(text: str, marks: frozenset[int] = frozenset()) -> Split:
    """The reply and the history; `marks` are lines where markup says that history begins."""
    lines = text.split("\n")
    body = _classified(lines[:MAX_LINES], marks)
    top, history, forward = _parted(body)
    own = _own_words(top)
    if len(own) and not len(history) and Line.QUOTE not in top.kinds:
        top = _second_opinion(top)
        own, history = _own_words(top), body[len(top) :]
    tail = "\n".join(lines[MAX_LINES:])
    if not own.said:
        # Nothing of the sender's own: what was passed on is what he has to say.
        return Split(text.strip(), text.strip() if forward else "", forward)
    if tail and not len(history):
        return Split(f"{own}\n{tail}".strip(), _quoted(top, own, history, ""), forward)
    return Split(str(own), _quoted(top, own, history, tail), forward)


def _classified(lines: list[str], marks: frozenset[int]) -> _Lines:
    kinds = kinds_of(lines)
    for mark in sorted(mark for mark in marks if mark < len(lines)):
        _apply_mark(lines, kinds, mark)
    return _Lines(tuple(lines), tuple(kinds))


def _apply_mark(lines: list[str], kinds: list[Line], mark: int) -> None:
    """Markup is certain: a few lines above a quote are its attribution, anything else is history from here on."""
    if kinds[mark] is not Line.TEXT:
        return
    ahead = next((n for n in range(mark, min(mark + 6, len(lines))) if kinds[n] is Line.QUOTE), None)
    if ahead is None:
        kinds[mark] = Line.ORIGINAL
        return
    for number in range(mark, ahead):
        if kinds[number] is Line.TEXT:
            kinds[number] = Line.ATTRIBUTION


def _parted(body: _Lines) -> tuple[_Lines, _Lines, bool]:
    """What may hold own words, what is history for sure, and whether it is a forwarded mail."""
    cut = body.find(*_HISTORY)
    top, rest = body[:cut], body[cut:]
    forward = Line.FORWARD in rest.kinds[:1] or _forwards_in_quote(top)
    attribution = top.find(Line.ATTRIBUTION)
    if attribution < len(top) and top[:attribution].said and not _quoted_below(top, attribution):
        # History that nobody marked line by line: all that follows.
        top, rest = top[:attribution], top[attribution:] + rest
    return top, rest, forward


def _forwards_in_quote(top: _Lines) -> bool:
    start = top.find(Line.QUOTE)
    return start < len(top) and bool(FORWARDED.match(top.text[start].strip("> *-").removesuffix(":")))


def _quoted_below(lines: _Lines, attribution: int) -> bool:
    """The attribution stands above lines with quote marks."""
    after = lines.find(*(kind for kind in Line if kind not in {Line.BLANK, Line.ATTRIBUTION}), start=attribution)
    return after < len(lines) and lines.kinds[after] is Line.QUOTE


def _own_words(top: _Lines) -> _Lines:
    """The lines above, below and between quotes; quotes stay where answers stand between them."""
    lines = _unsigned(_without_tail_quotes(_unsigned(top)))
    attributed = lines.find(Line.ATTRIBUTION)
    first = lines.find(*(kind for kind in Line if kind not in _EMPTY))
    lines = lines.without(Line.ATTRIBUTION)
    if attributed == first < len(lines) + 1:
        lines = _without_head_quote(lines)
    return lines.stripped()


def _without_head_quote(lines: _Lines) -> _Lines:
    """One quote above one answer goes; several with answers between them are a talk that stays."""
    start = lines.find(*(kind for kind in Line if kind not in _EMPTY))
    if start >= len(lines) or lines.kinds[start] is not Line.QUOTE:
        return lines
    end = lines.find(*(kind for kind in Line if kind not in {Line.QUOTE, *_EMPTY}), start=start)
    rest = lines[end:]
    return rest if rest.said and rest.find(Line.QUOTE) == len(rest) else lines


def _without_tail_quotes(lines: _Lines) -> _Lines:
    """A quote under the text is history, unless the text leads up to it with a colon."""
    lines = lines.stripped()
    end = len(lines)
    while end and lines.kinds[end - 1] in {Line.QUOTE, Line.ATTRIBUTION, *_EMPTY}:
        end -= 1
    if end in {0, len(lines)}:
        return lines
    leads = lines.text[end - 1].rstrip().endswith(COLONS)
    attributed = lines.find(Line.ATTRIBUTION, start=end) < len(lines)
    return lines if leads and not attributed else lines[:end]


def _unsigned(lines: _Lines) -> _Lines:
    """Without signature, device line and footers at the end."""
    lines = lines.stripped()
    for place in (_signature_at, _device_at, _footer_at, _closing_at):
        at = place(lines)
        if at < len(lines) and lines[:at].said:
            lines = lines[:at].stripped()
    return lines


def _signature_at(lines: _Lines) -> int:
    """The first `-- ` with nothing but a signature under it."""
    found, below = len(lines), 0
    for at in range(len(lines) - 1, -1, -1):
        kind = lines.kinds[at]
        if kind in {Line.QUOTE, Line.ATTRIBUTION}:
            break
        if kind is Line.SIGNATURE and (below <= MAX_SIGNATURE or lines.text[at] == "-- "):
            found = at
        below += kind not in _EMPTY
    return found


def _device_at(lines: _Lines) -> int:
    """A device line ends what a person typed; what follows it without a quote mark was typed before."""
    at = lines.find(Line.DEVICE)
    return at if lines.find(Line.QUOTE, Line.ATTRIBUTION, start=at) == len(lines) else len(lines)


def _footer_at(lines: _Lines) -> int:
    """A rule with a few lines of contact or list data under it, or a last paragraph of legal words."""
    for at in range(len(lines) - 1, max(0, len(lines) - 2 * MAX_SIGNATURE), -1):
        kind, below = lines.kinds[at], lines[at + 1 :]
        if kind is Line.QUOTE:
            break
        words = "\n".join(text[:LONGEST] for text in below.text)
        if kind is Line.RULE and below.said and _is_card(lines.text[at], below, words):
            return at
        if kind is Line.BLANK and Line.BLANK not in below.kinds and FOOTER.search(words):
            return at
    return len(lines)


def _is_card(rule: str, below: _Lines, words: str) -> bool:
    """Data rather than a section: a name, a list, an address."""
    signs = set(rule.strip())
    short = len(below.without(*_EMPTY)) <= 6  # noqa: PLR2004 - lines of such a card
    contact = bool(signs <= {"-", "–", " "} and _CONTACT.search(words))
    return bool(FOOTER.search(words)) or (short and (signs <= {"_", "—", " "} or contact))


def _closing_at(lines: _Lines) -> int:
    """`Regards,` over a name and what the name's owner is; a name alone belongs to the letter."""
    for at in range(len(lines) - 1, max(0, len(lines) - MAX_SIGNATURE), -1):
        if lines.kinds[at] is Line.TEXT and CLOSING.fullmatch(lines.text[at].strip()):
            below = lines[at + 1 :].without(*_EMPTY)
            card = 2 <= len(below) <= 8 and all(len(text) < 80 for text in below.text)  # noqa: PLR2004 - name and title at least
            return at if card else len(lines)
    return len(lines)


def _second_opinion(top: _Lines) -> _Lines:
    """Where our signs find no history, mail-parser-reply may: it reads programs and languages that we do not.

    Only its cut between mails is taken: its signatures end a mail at the first list item. And it sees a few lines at
    a time only, since its expressions take minutes on a page of the wrong words.
    """
    tries = 0
    for at in range(top.find(Line.TEXT, Line.CODE) + 1, len(top)):
        if top.kinds[at] is not Line.TEXT:
            continue
        window = "\n".join(line.strip() for line in takewhile(str.strip, top.text[at : at + 4]))
        if len(window) > MAX_WINDOW or not _MAY_OPEN.search(window):
            continue
        tries += 1
        if tries > MAX_TRIES:
            break
        if _OPENINGS.match(window):
            return top[:at]
    return top


def _quoted(top: _Lines, own: _Lines, history: _Lines, tail: str) -> str:
    """What is history: quotes and their attributions that were not kept, and all below the cut."""
    mine = set(own.text)
    around = [
        text
        for text, kind in zip(top.text, top.kinds, strict=True)
        if kind is Line.ATTRIBUTION or (kind is Line.QUOTE and text not in mine)
    ]
    return "\n".join([*around, *history.text, tail]).strip()
