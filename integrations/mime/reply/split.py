"""Separates the author's text from quoted history, signature and appended footers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import Final

from integrations.mime.reply.answered import NOTHING_KNOWN, Answered
from integrations.mime.reply.attribution import ADDRESS, COLONS, is_attribution
from integrations.mime.reply.desk_notice import newest_comment
from integrations.mime.reply.footer.disclaimers import is_banner
from integrations.mime.reply.footer.signature import MailAuthor
from integrations.mime.reply.joined_lines import parts_of
from integrations.mime.reply.lines import EMPTY, BodyLine, Lines, header_block, kinds_of, proven_below, separator
from integrations.mime.reply.names import Names, names_of
from integrations.mime.reply.quote_patterns import CLOSING, FORWARDED
from triage.config.word_lists import word_lists

# ruff: noqa: RUF001 - signs of every alphabet are the point

MOST: Final = 600
"""Characters of a text that points to the answers below it."""
LEAST: Final = 2
"""Questions below which a marked line stands."""
_INLINE: Final = re.compile(word_lists().alternatives("reply.inline_patterns"), re.IGNORECASE)
_MARK: Final = re.compile(r"\s*(\*{2,}|#{2,}|[=-]{1,3}>|→|»|//|\[[^\W\d_]{1,12}\]|[^\W\d_a-zß-öø-ÿ]{2,3}:)\s*[^\W_]")
"""What people put before their answers: `*** 14 mm`, `==> yes`, `[AB] no`, `AB: no`; bullets of a list are none."""
_ASKED: Final = ("?", "？", "?*")

MAX_LINES: Final = 5_000

_HISTORY: Final = frozenset({BodyLine.HEADERS, BodyLine.ORIGINAL, BodyLine.FORWARD})


@dataclass(frozen=True, slots=True)
class Split:
    """A body split into reply and history."""

    reply: str
    quoted: str
    forward: bool = False
    """The history is a forwarded mail."""


def split(
    text: str,
    marks: frozenset[int] = frozenset(),
    *,
    first: bool = False,
    sender: str = "",
    answered: Answered = NOTHING_KNOWN,
    signature: frozenset[str] = frozenset(),
) -> Split:
    """Split a body into reply and history; `marks` are lines where markup says that history begins.

    In the `first` mail of a thread history needs a proof, and a forwarded text stays in the reply: it may be the matter.
    `sender` holds name and address, by which a signature is recognised; `answered` what the header tells of the history,
    `signature` the `words_of` the lines that the markup of a mail program names a signature.
    """
    names = names_of(sender)
    lines, marks = (text.split("\n"), marks) if first else _broken(text.split("\n"), marks, names)
    body = _classified(lines[:MAX_LINES], marks, first=first, answered=answered)
    top, history, forward = _parted(body, first=first)
    if not first and history.kinds[:1] == (BodyLine.HEADERS,):
        top = _without_last_address(top)
    author = MailAuthor(first, names, signature)
    own = _own_words(top, author)
    tail = "\n".join(lines[MAX_LINES:])
    if not first and _answered_within(own, top, history):
        # Colour or a mark alone tells the answers from what they answer: all of it is the author's mail.
        return Split(text.strip(), "", forward)
    if (comment := newest_comment(body.text)) is not None:
        newest = replace(author, first=False).unsigned(body[comment])
        above, below = (str(one) for one in (body[: comment.start], body[comment.stop :]))
        return Split(str(newest), f"{above}\n\n{below}\n{tail}".strip(), forward)
    if signed := not first and bool(len(history)) and author.only_signs(own):
        own = own[:0]
    if not own.has_text:
        # The author added no text: the forwarded mail is the matter.
        only_history = not first and not forward and (signed or (BodyLine.QUOTE in top.kinds and _attributed(top)))
        return Split("" if only_history else text.strip(), text.strip() if forward or only_history else "", forward)
    if tail and not len(history):
        own_text, quoted = f"{own}\n{tail}".strip(), _quoted(top, own, history, "")
    else:
        own_text, quoted = str(own), _quoted(top, own, history, tail)
    return Split(own_text, quoted, forward or (first and bool(quoted)))


def _broken(lines: list[str], marks: frozenset[int], names: Names) -> tuple[list[str], frozenset[int]]:
    """Break lines on which a program left out the end of a line; return all lines, and the marks of the new ones."""
    parts = [
        parts_of(lines, at, names) if at < MAX_LINES and at not in marks else (line,) for at, line in enumerate(lines)
    ]
    starts = list(accumulate(map(len, parts), initial=0))
    return list(chain.from_iterable(parts)), frozenset(starts[mark] for mark in marks if mark < len(lines))


def _classified(lines: list[str], marks: frozenset[int], *, first: bool, answered: Answered) -> Lines:
    kinds = kinds_of(lines, first=first, answered=answered)
    for mark in sorted(mark for mark in marks if mark < len(lines)):
        if not first or proven_below(lines, mark):
            _apply_mark(lines, kinds, mark)
    return Lines(tuple(lines), tuple(kinds))


def _apply_mark(lines: list[str], kinds: list[BodyLine], mark: int) -> None:
    """Apply a mark of the markup: above a quote it marks the attribution, elsewhere all that follows is history."""
    mark = next((n for n in range(mark, min(mark + 3, len(lines))) if kinds[n] not in EMPTY), mark)
    if kinds[mark] is not BodyLine.TEXT:
        return
    ahead = next((n for n in range(mark, min(mark + 6, len(lines))) if kinds[n] is BodyLine.QUOTE), None)
    if ahead is None:
        kinds[mark] = BodyLine.ORIGINAL
        return
    for number in range(mark, ahead):
        if kinds[number] is BodyLine.TEXT:
            kinds[number] = BodyLine.ATTRIBUTION


def _parted(body: Lines, *, first: bool) -> tuple[Lines, Lines, bool]:
    """Return the lines that may be the author's, those that are history, and whether they are a forwarded mail."""
    cut = body.find(*_HISTORY)
    if closed := _closed_forward(body, cut):
        return closed
    if not first and (answered := _answered_below(body, cut)):
        return answered
    top, rest = body[:cut], body[cut:]
    in_quote = _forwards_in_quote(top)
    forward = BodyLine.FORWARD in rest.kinds[:1] or in_quote
    if in_quote and not first and (apart := _around_quote(top)):
        return apart[0], apart[1] + rest, forward
    attribution = top.find(BodyLine.ATTRIBUTION)
    if attribution < len(top) and top[:attribution].has_text and not _quoted_below(top, attribution):
        # History without quote marks takes all that follows.
        top, rest = top[:attribution], top[attribution:] + rest
    return top, rest, forward


def _closed_forward(body: Lines, cut: int) -> tuple[Lines, Lines, bool] | None:
    """Return the parts of a mail with text below a forwarded one that a second separator ends: `----- End forwarded message -----`."""
    if body.kinds[cut : cut + 1] != (BodyLine.FORWARD,):
        return None
    drawn = (
        n
        for n in range(len(body) - 1, cut, -1)
        if body.text[n][:1] == "-" and separator(body.text[n]) is BodyLine.FORWARD
    )
    end = next(drawn, cut) + 1
    below = body[end:].stripped()
    if end == cut + 1 or not below.has_text or header_block(list(below.text), 0):
        return None
    return body[:cut] + below, body[cut:end], True


def _answered_below(body: Lines, cut: int) -> tuple[Lines, Lines, bool] | None:
    """Return the parts of a mail that quotes the older one with marks below its header and goes on below the quote.

    Of a forward the quote is history; in an answer it stays where it is until all answers are known.
    """
    end = next((n for n in range(cut, len(body)) if body.kinds[n] not in {*_HISTORY, *EMPTY}), len(body))
    below = body[end:]
    quoted, rest = below[: below.find(*_HISTORY)], below[below.find(*_HISTORY) :]
    if quoted.kinds[:1] != (BodyLine.QUOTE,) or not quoted.has_text:
        return None
    if BodyLine.FORWARD in body.kinds[cut:end]:
        quotes = quoted.without(*(kind for kind in BodyLine if kind is not BodyLine.QUOTE))
        return body[:cut] + quoted.without(BodyLine.QUOTE).stripped(), body[cut:end] + quotes + rest, True
    sign = Lines(body.text[cut:end], (BodyLine.ATTRIBUTION,) * (end - cut))
    return body[:cut] + sign + quoted, rest, False


def _answered_within(own: Lines, top: Lines, history: Lines) -> bool:
    """Tell whether the answers stand within the older mail: the author says so, or marks them."""
    if answers_inside(str(own)):
        return bool(len(history) or BodyLine.QUOTE in top.kinds)
    start = history.find(BodyLine.TEXT)
    return answers_marked(history.text[start : history.find(*_HISTORY, BodyLine.ATTRIBUTION, start=start)])


def _forwards_in_quote(top: Lines) -> bool:
    start = top.find(BodyLine.QUOTE)
    return start < len(top) and bool(FORWARDED.match(top.text[start].strip("> *-").removesuffix(":")))


def _around_quote(lines: Lines) -> tuple[Lines, Lines] | None:
    """Return the text around the only quote and the quote, where text stands below it."""
    start = lines.find(BodyLine.QUOTE)
    end = lines.find(*(kind for kind in BodyLine if kind not in {BodyLine.QUOTE, *EMPTY}), start=start)
    below = lines[end:]
    return None if BodyLine.QUOTE in below.kinds or not below.has_text else (lines[:start] + below, lines[start:end])


def _quoted_below(lines: Lines, attribution: int) -> bool:
    """Tell whether the attribution stands above lines with quote marks."""
    after = lines.find(
        *(kind for kind in BodyLine if kind not in {BodyLine.BLANK, BodyLine.ATTRIBUTION}), start=attribution
    )
    return after < len(lines) and lines.kinds[after] is BodyLine.QUOTE


def _attributed(top: Lines) -> bool:
    """Tell whether an attribution stands above the quote, or in its first line."""
    quote = top.find(BodyLine.QUOTE)
    return BodyLine.ATTRIBUTION in top.kinds[:quote] or _attribution_in_quote(top, quote)


def _attribution_in_quote(lines: Lines, start: int) -> bool:
    """Tell whether the quote begins with its attribution, which telephones quote, too."""
    four = lines[start : start + 4]
    bare = [text.lstrip(" >\uff1e") for text in four.text[: four.find(*set(BodyLine) - {BodyLine.QUOTE})]]
    if not bare:
        return False
    openings = (" ".join(bare[:length]).strip() for length in range(1, len(bare) + 1))
    return any(is_attribution(one, quote_follows=True) for one in openings) or bool(header_block(bare, 0))


def _own_words(top: Lines, author: MailAuthor) -> Lines:
    """Return the lines around quotes; quotes stay where answers stand between them."""
    if author.first:
        return author.unsigned(_without_tail_quotes(author.unsigned(top), first=True)).stripped()
    above = _without_closed_quote(author.unsigned(_without_banner(top)))
    lines = author.unsigned(_without_tail_quotes(above, first=False))
    first = lines.find(*(kind for kind in BodyLine if kind not in EMPTY))
    attributed = lines.find(BodyLine.ATTRIBUTION) == first < len(lines) or (
        lines.kinds[first : first + 1] == (BodyLine.QUOTE,) and _attribution_in_quote(lines, first)
    )
    lines = lines.without(BodyLine.ATTRIBUTION)
    return (_without_head_quote(lines) if attributed else lines).stripped()


def _without_tail_quotes(lines: Lines, *, first: bool) -> Lines:
    """Remove a quote at the end, unless the text announces it with a colon or it has no attribution."""
    lines = lines.stripped()
    end = len(lines)
    while end and lines.kinds[end - 1] in {BodyLine.QUOTE, BodyLine.ATTRIBUTION, *EMPTY}:
        end -= 1
    if end in {0, len(lines)}:
        return lines
    attribution = lines.find(BodyLine.ATTRIBUTION, start=end)
    introduced = attribution < len(lines)
    if (
        introduced and BodyLine.QUOTE in lines.kinds[end:attribution] and BodyLine.QUOTE in lines.kinds[attribution:]
    ):  # what the author shows, above what the program quotes
        return lines[:attribution]
    introduced = introduced or _attribution_in_quote(lines, lines.find(BodyLine.QUOTE, start=end))
    leads = lines.text[end - 1].rstrip().endswith(COLONS)
    return lines if not introduced and (leads or first) else lines[:end]


def _without_last_address(lines: Lines) -> Lines:
    """Remove an address that stands alone right above the older mail's header, as Foxmail writes it."""
    lines = lines.stripped()
    alone = lines.kinds[-2:-1] == (BodyLine.BLANK,) and ADDRESS.fullmatch(lines.text[-1].strip())
    above = lines[:-1].stripped()
    return above if alone and not above.text[-1].rstrip().endswith(COLONS) else lines


def _without_banner(lines: Lines) -> Lines:
    """Remove the first paragraphs of an answer that a mail server wrote above it, and a telephone's line alone on top."""
    lines = lines[lines.find(*(kind for kind in BodyLine if kind is not BodyLine.BLANK)) :]
    if lines.kinds[:2] == (BodyLine.DEVICE, BodyLine.BLANK) and lines.has_text:
        return _without_banner(lines[1:])
    end = lines.find(*(kind for kind in BodyLine if kind is not BodyLine.TEXT))
    if not 0 < end < len(lines) or not lines[end:].has_text or not is_banner(" ".join(lines.text[:end])):
        return lines
    return _without_banner(lines[end:])


def _without_closed_quote(lines: Lines) -> Lines:
    """Remove a quote between the answer and its closing formula: nothing below answers it."""
    start = lines.find(BodyLine.ATTRIBUTION, BodyLine.QUOTE)
    end = next((n + 1 for n in range(len(lines) - 1, start, -1) if lines.kinds[n] is BodyLine.QUOTE), start)
    below = lines[end:].without(*EMPTY)
    if start == end or not lines[:start].has_text or not 0 < len(below) <= 3:  # noqa: PLR2004 - formula, name and firm
        return lines
    line = below.text[0].strip()
    formula = CLOSING.match(line)
    closed = formula and not (formula[0][-1:].isalnum() and line[formula.end() :][:1].isalnum())
    between = lines[start:end].without(BodyLine.ATTRIBUTION, BodyLine.QUOTE, *EMPTY)
    return lines[:start] + lines[end:] if closed and not between.has_text else lines


def _without_head_quote(lines: Lines) -> Lines:
    """Remove a single quote above a single answer; several quotes with answers between them stay.

    Lines with a quote mark that the answer announces are its own and answer nothing.
    """
    start = lines.find(*(kind for kind in BodyLine if kind not in EMPTY))
    if start >= len(lines) or lines.kinds[start] is not BodyLine.QUOTE:
        return lines
    end = lines.find(*(kind for kind in BodyLine if kind not in {BodyLine.QUOTE, *EMPTY}), start=start)
    rest = lines[end:]
    second = rest.find(BodyLine.QUOTE)
    shown = "".join(rest[:second].stripped().text[-1:]).rstrip().endswith(COLONS)
    return rest if rest.has_text and (second == len(rest) or shown) else lines


def _quoted(top: Lines, own: Lines, history: Lines, tail: str) -> str:
    """Return the history: quotes that were not kept with their attributions, and all below the cut."""
    mine = set(own.text)
    around = [
        text
        for text, kind in zip(top.text, top.kinds, strict=True)
        if kind is BodyLine.ATTRIBUTION or (kind is BodyLine.QUOTE and text not in mine)
    ]
    return "\n".join([*around, *history.text, tail]).strip()


def answers_inside(text: str) -> bool:
    """Tell whether an author says that the answers stand within the quoted mail: `see my comments in red`."""
    return len(text) <= MOST and bool(_INLINE.search(text))


def answers_marked(lines: Sequence[str]) -> bool:
    """Tell whether the same mark begins a line right below several questions."""
    marks: Counter[str] = Counter()
    above = ""
    for line in lines:
        if (found := _MARK.match(line)) and above.endswith(_ASKED):
            marks[found[1]] += 1
        above = line.strip() or above
    return max(marks.values(), default=0) >= LEAST
