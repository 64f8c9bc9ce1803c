"""Classifies the lines of a body: author's text, quote, or start of history."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from integrations.mime.reply.answered import NOTHING_KNOWN, Answered, is_announced
from integrations.mime.reply.attribution import (
    ADDRESS,
    COLONS,
    LONGEST,
    QUOTED,
    SHORT,
    TIME,
    attribution_above,
    dated,
    is_attribution,
    proven,
)
from integrations.mime.reply.desk_notice import ASKED
from integrations.mime.reply.footer.device_lines import is_device_line
from integrations.mime.reply.notes_header import columns_block
from integrations.mime.reply.quote_patterns import ASKED_ABOVE, FORWARDED, ORIGINAL, ROLES, SHOWS_HEADER, WROTE


class BodyLine(StrEnum):
    """The kind of a line, as one letter."""

    BLANK = "b"
    QUOTE = "q"
    TEXT = "t"
    CODE = "c"
    RULE = "d"
    """Only dashes, stars and the like."""
    SIGNATURE = "s"
    """The `-- ` above a signature."""
    DEVICE = "m"
    ATTRIBUTION = "a"
    HEADERS = "h"
    """From, Date, To and Subject of an older mail."""
    ORIGINAL = "o"
    FORWARD = "f"


EMPTY: Final = frozenset({BodyLine.BLANK, BodyLine.RULE})
_MAY_LEAD: Final = frozenset({BodyLine.TEXT, BodyLine.BLANK, BodyLine.QUOTE})
"""Kinds of lines that may belong to an attribution which ends below them."""
WINDOW: Final = 12
"""Lines below a separator within which the older mail must name its sender or date."""
MOST_OF_A_KIND: Final = 4
"""Most fields of one role in a header block; Cc, Reply-To, Importance and Attachments share one role."""
OUTLOOK_RULE: Final = 32 * "_"
"""What Outlook draws above a header, so that one field of it is enough."""
ALIKE: Final = 10
"""Characters in which two lines of a log begin alike."""
_RULE: Final = re.compile(r"\s*(?:[-_=*#~+·•—–―ー─━═＝＊－～〜◆◇■□●○◎★☆※]\s?){3,}\s*|\s*ᐧ\s*")
_SIGNATURE: Final = re.compile(r"\s{0,2}(?:--|—|––|- -) ?\s*")
_CELLS: Final = re.compile(r"\s*(?:\|\s*)?([^|:：]{1,24}?)\s*\|(.*)")
"""NetEase writes the header of the older mail as a table."""
_FENCE: Final = re.compile(r"\s{0,3}(```|~~~)")
_LABEL: Final = re.compile(r"[\s*>|_]*([^\W\d_][^:：]{0,24}?)[\s*_]*[:：][\s*_]*(.*)")
_SMALL_LABEL: Final = re.compile(r"[\s*>|_]*[a-zß-öø-ÿа-я]")
"""Programs write labels with a capital; `from: ada@example.com` is a setting."""
_SEPARATOR: Final = re.compile(r"[\s*>]*(?:[-‐‑–—_=#~]{2,}|—)[\s*]*(.{4,90}?)[\s*:]*(?:[-‐‑–—_=#~]{2,}|—)[\s*]*")
_BRACKETED: Final = re.compile(r"\s?<[^<>]*>")
_DRAWN: Final = re.compile(r"\s*[-‐‑–—_=*]{3,}[^-‐‑–—_=*].{0,60}?[-‐‑–—_=*]{3,}\s*")
"""Words between two rules, in whatever language."""
_LEADS_TO: Final = frozenset({BodyLine.HEADERS, BodyLine.ORIGINAL, BodyLine.ATTRIBUTION})
_HISTORY: Final = _LEADS_TO | {BodyLine.QUOTE}
_LINK_ALONE: Final = re.compile(r"\s*[<(\[]?https?://\S{1,200}\s*")

_ELIDED: Final = re.compile(r"\s*(?:\[\s?(?:\.\.\.|…|snip)\s?\]|<\s?snip\s?>|\(\.\.\.\))\s*", re.IGNORECASE)
"""`[...]` below a quote: the rest of it was left out."""
_LINK_END: Final = re.compile(r"\s{0,2}\S{1,200}[)>\]]\s*")
_DATED_NAME: Final = re.compile(
    r"\d{4}[/-]\d{1,2}[/-]\d{1,2}(?: \d\d:\d\d GMT[+-]\d\d:\d\d [^\W\d_][^,.:;!?]{1,60}| [^,.:;!?<>]{1,60}<[^<>\s]+@[^<>\s]+>)\s*"
)
"""What Gmail wrote above quotes for years: `2013/10/2 Ada <ada@example.com>`, `2016-03-03 17:21 GMT+01:00 Ada`."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines with their kinds; the methods return shortened copies."""

    text: tuple[str, ...]
    kinds: tuple[BodyLine, ...]

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, part: slice) -> "Lines":
        return Lines(self.text[part], self.kinds[part])

    def __add__(self, other: "Lines") -> "Lines":
        return Lines(self.text + other.text, self.kinds + other.kinds)

    @property
    def has_text(self) -> bool:
        """Tell whether any line has text of an author."""
        return any(kind in {BodyLine.TEXT, BodyLine.CODE} for kind in self.kinds)

    def find(self, *wanted: BodyLine, start: int = 0) -> int:
        """Return the first line of these kinds, else the number of lines."""
        return next((n for n in range(start, len(self)) if self.kinds[n] in wanted), len(self))

    def without(self, *unwanted: BodyLine) -> "Lines":
        """Return the lines without those of these kinds."""
        kept = [(t, k) for t, k in zip(self.text, self.kinds, strict=True) if k not in unwanted]
        return Lines(tuple(t for t, _ in kept), tuple(k for _, k in kept))

    def paragraphs(self) -> list[str]:
        """Return the text between blank lines and rules, each of its lines cut to `LONGEST` characters."""
        lines = ("" if kind in EMPTY else text[:LONGEST] for text, kind in zip(self.text, self.kinds, strict=True))
        return [one for one in re.split(r"\n{2,}", "\n".join(lines).strip("\n")) if one]

    def stripped(self) -> "Lines":
        """Remove blank lines at both ends, and rules at the end."""
        start, end = 0, len(self.kinds)
        while end and self.kinds[end - 1] in EMPTY:
            end -= 1
        while start < end and self.kinds[start] is BodyLine.BLANK:
            start += 1
        return self[start:end]

    def __str__(self) -> str:
        return "\n".join(self.text).strip("\n").rstrip()


def kinds_of(lines: list[str], *, first: bool = False, answered: Answered = NOTHING_KNOWN) -> list[BodyLine]:
    """Return the kind of each line; a sign over several lines gives all of them its kind.

    In the first mail of a thread a sign of history counts only if it names an author or a date; in an answer what its
    header tells of the mail that it answers is a sign, too.
    """
    kinds = [BodyLine.TEXT] * len(lines)
    fence, at = "", 0
    while at < len(lines):
        mark = _FENCE.match(lines[at])
        if fence or (mark and _closes(lines, at, mark[1])):
            kinds[at] = BodyLine.CODE
            fence = "" if fence and mark and mark[1] == fence else fence or (mark[1] if mark else "")
            at += 1
            continue
        start, kind, end = _sign_at(lines, at, first=first, answered=answered)
        start = next((n + 1 for n in range(at - 1, start - 1, -1) if kinds[n] not in _MAY_LEAD), start)
        kinds[start:end] = [kind] * (end - start)
        at = end
    _mark_neighbours(lines, kinds, first=first)
    if not first:
        _add_last(lines, kinds)
        _add_leads(lines, kinds)
        _drop_shown(lines, kinds, answered)
    return kinds


def _mark_neighbours(lines: list[str], kinds: list[BodyLine], *, first: bool) -> None:
    """Give lines of text the kind of what stands right above or below them, where they belong to it."""
    for at in range(1, len(lines)):
        if kinds[at] is not BodyLine.TEXT:
            continue
        between = kinds[at + 1 : at + 2] == [BodyLine.QUOTE]
        if kinds[at - 1] is BodyLine.QUOTE and (_ELIDED.fullmatch(lines[at]) or (between and _wrapped(lines, at))):
            kinds[at] = BodyLine.QUOTE
        elif not first and _above_quote(kinds, at) and _DATED_NAME.fullmatch(lines[at]):
            kinds[at] = BodyLine.ATTRIBUTION
        elif kinds[at - 1] is BodyLine.DEVICE and _LINK_ALONE.fullmatch(lines[at]):
            kinds[at] = BodyLine.DEVICE


def _add_last(lines: list[str], kinds: list[BodyLine]) -> None:
    """Give a last line the kind of an attribution that stands below what it quotes: `> Yes`, then `On Monday Ada wrote`."""
    last = next((n for n in range(len(lines) - 1, 0, -1) if kinds[n] not in EMPTY), 0)
    above = next((n for n in range(last - 1, -1, -1) if kinds[n] is not BodyLine.BLANK), last)
    text = lines[last].strip(" .")
    if kinds[last] is BodyLine.TEXT and kinds[above] is BodyLine.QUOTE and dated(text[:LONGEST]) and WROTE.search(text):
        kinds[last] = BodyLine.ATTRIBUTION if is_attribution(text, quote_follows=True) else BodyLine.TEXT


def _drop_shown(lines: list[str], kinds: list[BodyLine], answered: Answered) -> None:
    """Give a header block that the author announces back to the text, where the program's history stands elsewhere."""
    history, at = sum(kind in _HISTORY for kind in kinds), 0
    while at < len(lines):
        end = next((n for n in range(at, len(lines)) if kinds[n] is not BodyLine.HEADERS), len(lines))
        above = next((kind for kind in reversed(kinds[:at]) if kind is not BodyLine.BLANK), None)
        led = above in {BodyLine.FORWARD, BodyLine.ORIGINAL}
        if history > end - at > 0 and not led and answered.differs(lines, at, end):
            kinds[at:end] = [BodyLine.TEXT] * (end - at)
            history -= end - at
        at = max(end, at + 1)
    _drop_prose(lines, kinds)


def _drop_prose(lines: list[str], kinds: list[BodyLine]) -> None:
    """Give `On Monday Ada wrote:` in prose back to the text: programs write a time or an address, and theirs stands below."""
    last = max((at for at, kind in enumerate(kinds) if kind in _LEADS_TO), default=0)
    for at in range(last):
        around = kinds[max(0, at - 1) : at] + kinds[at + 1 : at + 2]
        below = next((kind for kind in kinds[at + 1 : at + 3] if kind is not BodyLine.BLANK), None)
        alone = kinds[at] is BodyLine.ATTRIBUTION and BodyLine.ATTRIBUTION not in around and below is BodyLine.TEXT
        if alone and not (ADDRESS.search(lines[at]) or TIME.search(lines[at])):
            kinds[at] = BodyLine.TEXT


def _add_leads(lines: list[str], kinds: list[BodyLine]) -> None:
    """Give words between rules, and fields, right above a sign of history the kind of that sign."""
    for at in range(len(lines) - 2, -1, -1):
        below = next((n for n in range(at + 1, min(at + 3, len(lines))) if kinds[n] is not BodyLine.BLANK), at)
        if kinds[at] is not BodyLine.TEXT or kinds[below] not in _LEADS_TO:
            continue
        field = below == at + 1 and kinds[below] is BodyLine.ATTRIBUTION and _role(lines[at])
        if field or _DRAWN.fullmatch(lines[at]):
            kinds[at:below] = [kinds[below]] * (below - at)


def proven_below(lines: list[str], at: int) -> bool:
    """Tell whether author and date of an older mail stand within `WINDOW` lines."""
    words = "\n".join(line[:LONGEST] for line in lines[at : at + WINDOW])
    return proven(words)


def _above_quote(kinds: list[BodyLine], at: int) -> bool:
    """Tell whether a quote begins below a line, perhaps with a blank line between."""
    below = kinds[at + 1 : at + 3]
    return below[:1] == [BodyLine.QUOTE] or below == [BodyLine.BLANK, BodyLine.QUOTE]


def _wrapped(lines: list[str], at: int) -> bool:
    """Tell whether the line is the second half of a quoted line, or a link of it, that a program wrapped without a mark."""
    half = len(lines[at - 1]) >= 60 and lines[at][:1].islower()  # noqa: PLR2004 - programs break at 72 to 80
    link = "http" in lines[at - 1] and _LINK_END.fullmatch(lines[at])
    return bool(half or link or _LINK_ALONE.fullmatch(lines[at].rstrip(" >")))


def _closes(lines: list[str], at: int, fence: str) -> bool:
    return any(line.lstrip().startswith(fence) for line in lines[at + 1 : at + 500])


def _sign_at(lines: list[str], at: int, *, first: bool, answered: Answered) -> tuple[int, BodyLine, int]:
    """Return first line, kind and end of the sign that begins or ends in this line."""
    start = attribution_above(lines, at)
    if start is None and not first:
        start = answered.attribution_above(lines, at)
    if start is not None and not (first and _unproven(lines, start, at)):
        return start, BodyLine.ATTRIBUTION, at + 1
    alone = _sign_alone(lines, at, first=first)
    if alone:
        return at, alone, at + 1
    headers = header_block(lines, at, first=first)
    if not headers and not first:
        headers = answered.block(lines, at) or columns_block(lines, at)
    if headers and _is_shown_header(lines, at):
        return at, BodyLine.TEXT, at + headers
    return (at, BodyLine.HEADERS, at + headers) if headers else (at, BodyLine.TEXT, at + 1)


def _is_shown_header(lines: list[str], at: int) -> bool:
    """Tell whether the author announces the header of a mail: `These are the headers:`."""
    above = [line for line in lines[max(0, at - 3) : at] if line.strip()][-2:]
    return bool(above) and above[-1].rstrip().endswith(COLONS) and bool(SHOWS_HEADER.search(" ".join(above)[-LONGEST:]))


def _unproven(lines: list[str], start: int, end: int) -> bool:
    """Tell whether an attribution may be prose: it has no address and date, nor a date above quoted lines."""
    words = " ".join(line.strip() for line in lines[start : end + 1])
    below = next((line for line in lines[end + 1 : end + 4] if line.strip()), "")
    return not proven(words) and not (QUOTED.match(below) and (dated(words) or ADDRESS.search(words)))


def _sign_alone(lines: list[str], at: int, *, first: bool) -> BodyLine | None:
    """Return the kind of a line by itself; None if it depends on its neighbours."""
    line = lines[at]
    tests = (
        (BodyLine.BLANK, not line.strip()),
        (BodyLine.QUOTE, QUOTED.match(line)),
        (BodyLine.TEXT, len(line) > LONGEST),
        (BodyLine.SIGNATURE, _SIGNATURE.fullmatch(line) and not _between_alike(lines, at)),
        (BodyLine.RULE, _RULE.fullmatch(line)),
    )
    for kind, holds in tests:
        if holds:
            return kind
    found = separator(line) or _bare_separator(lines, at, first=first)
    if found and not (first and not proven_below(lines, at)):
        return found
    return BodyLine.DEVICE if is_device_line(line.strip()) else None


def _between_alike(lines: list[str], at: int) -> bool:
    """Tell whether the lines around begin alike, digits apart: `grep` puts `--` between stretches of a log."""
    around = [lines[n][:ALIKE] if 0 <= n < len(lines) else "" for n in (at - 1, at + 1)]
    above, below = (re.sub(r"\d", "0", line) for line in around)
    return len(above) == ALIKE and above == below and "0" in above


def separator(line: str) -> BodyLine | None:
    """Recognise `-----Original Message-----`, `----- Forwarded message from Ada <ada@example.com> -----` and the like."""
    match = _SEPARATOR.fullmatch(line)
    words = _BRACKETED.sub("", match[1]).strip() if match else line.strip(" *>").removesuffix(":")
    if (match or (line.rstrip().endswith((":", "：")) and len(line) < SHORT)) and FORWARDED.match(words):
        return BodyLine.FORWARD
    asked = ASKED.fullmatch(line) or (match and (ORIGINAL.match(words) or WROTE.search(words)))
    return BodyLine.ORIGINAL if asked else None


def _bare_separator(lines: list[str], at: int, *, first: bool) -> BodyLine | None:
    """Recognise the same without dashes, above a header block, and `Reply above this line` beside a rule."""
    words = lines[at].strip(" *>:")
    if any(map(_RULE.fullmatch, (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]))) and ASKED_ABOVE.fullmatch(
        words
    ):
        return BodyLine.ORIGINAL
    if not 0 < len(words) <= SHORT or not header_block(lines, at + 1, first=first):
        return None
    return BodyLine.FORWARD if FORWARDED.match(words) else BodyLine.ORIGINAL if ORIGINAL.match(words) else None


def header_block(lines: list[str], at: int, *, first: bool = False) -> int:
    """Return the number of lines of an older mail's header block; 0 if there is none."""
    if at >= len(lines) or _role(lines[at]) not in {"from", "date", "subject", "to"} or _SMALL_LABEL.match(lines[at]):
        return 0
    roles: list[str] = []
    values: list[str] = []
    end = at
    for number in range(at, min(len(lines), at + 30)):
        role = _role(lines[number])
        if role and roles.count(role) >= MOST_OF_A_KIND:
            return 0
        if role:
            roles.append(role)
            values.append(lines[number])
            end = number + 1
        elif number - end >= 2 or not _goes_on(lines, number):  # noqa: PLR2004 - one folded or blank line, or two
            break
        else:
            values.append(lines[number])
    if roles[0] in roles[1:]:
        return 0  # a field of the author's above the block
    found = set(roles) - {"other"}
    form = first and (_is_form(lines, at - 1) or _is_form(lines, end))
    bare = not first and _is_bare_block(lines, at, end, found)
    return end - at if not form and (bare or _is_block(found, " ".join(values), first=first)) else 0


def _is_bare_block(lines: list[str], at: int, end: int, found: set[str]) -> bool:
    """Tell whether few fields are a block: below Outlook's rule, or one like it and with an address, or at the end of the text."""
    rule = lines[at - 1] if at and _role(lines[at]) == "from" else ""
    if rule == OUTLOOK_RULE or (rule.strip("_") == "" < rule and ADDRESS.search(lines[at][:LONGEST])):
        return True
    last = not any(line.strip() for line in lines[end:])
    return last and {"from", "subject"} < found and not is_announced(lines, at)


def _is_form(lines: list[str], at: int) -> bool:
    """Tell whether a line is one more field: forms have other fields beside those of mails."""
    field = _LABEL.match(lines[at]) if 0 <= at < len(lines) and len(lines[at]) <= SHORT else None
    return bool(field and field[2].strip() and not _role(lines[at]))


def _is_block(found: set[str], text: str, *, first: bool) -> bool:
    """Tell whether enough of From, Date, To and Subject are present, and an address or a time beside them."""
    address, moment = ADDRESS.search(text), dated(text) and TIME.search(text)
    if first:
        return {"from", "date", "subject"} <= found and bool(address or ("to" in found and moment))
    if len(found) >= 3:  # noqa: PLR2004 - of from, date, to, subject
        return bool(address or (len(found) == 4 and dated(text)))  # noqa: PLR2004 - all of them
    return len(found) == 2 and "from" in found and bool(address)  # noqa: PLR2004 - the same


def _role(line: str) -> str:
    if len(line) > LONGEST:
        return ""
    match = ("|" in line[:30] and _CELLS.match(line)) or _LABEL.match(line)
    return ROLES.get(match[1].strip(" *\xa0").lower(), "") if match else ""


def _goes_on(lines: list[str], at: int) -> bool:
    """Tell whether a line is blank or folded between two header lines."""
    ahead = lines[at + 1 : at + 3]
    return any(_role(line) for line in ahead) and len(lines[at]) < 200  # noqa: PLR2004 - a longer one is text
