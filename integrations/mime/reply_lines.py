"""Tells what each line of a mail body is: words of the sender, a quote, or a sign that history begins."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from enum import StrEnum
from typing import Final

from integrations.mime.reply_words import DEVICE, FORWARDED, ORIGINAL, ROLES, WROTE

LONGEST: Final = 600
"""A longer line is prose, whatever it looks like."""
SHORT: Final = 120
"""A name, an address and a verb are not longer."""
COLONS: Final = (":", "：")
MAX_WINDOW: Final = 5


class Line(StrEnum):
    """What a line is, as one letter."""

    BLANK = "b"
    QUOTE = "q"
    TEXT = "t"
    CODE = "c"
    RULE = "d"
    """Nothing but dashes, stars and the like."""
    SIGNATURE = "s"
    """The `-- ` above a signature."""
    DEVICE = "m"
    ATTRIBUTION = "a"
    HEADERS = "h"
    """From, Date, To and Subject of an older mail."""
    ORIGINAL = "o"
    FORWARD = "f"


_QUOTED: Final = re.compile(r"\s{0,3}(?:[A-Z]{1,2}(?=>\s|>$))?>")
_RULE: Final = re.compile(r"\s*(?:[-_=*#~+·•—–]\s?){3,}\s*|\s*ᐧ\s*")
_SIGNATURE: Final = re.compile(r"\s{0,2}(?:--|—|––|- -) ?\s*")
_FENCE: Final = re.compile(r"\s{0,3}(```|~~~)")
_LABEL: Final = re.compile(r"[\s*>|_]*([^\W\d_][^:：]{0,24}?)[\s*_]*[:：][\s*_]*(.*)")
_ADDRESS: Final = re.compile(r"[\w.+'=&-]{1,80}@[\w.-]{2,80}")
_TIME: Final = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d{2}\b|[上下]午\s?\d|오[전후]\s?\d")
_DAY: Final = re.compile(
    r"\b\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}\b|\b\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}\b|\b(?:19|20)\d{2}\b|\d年\s?\d|\d년\s?\d"
)
_ENDS_IN_VERB: Final = re.compile(rf"(?:{WROTE.pattern})[\s()]*$", re.IGNORECASE)
_LOGGED: Final = re.compile(r"\W?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
"""A line of a log rather than of a mail program."""
_SEPARATOR: Final = re.compile(r"[\s*>]*[-_=#~]{2,}[\s*]*(.{4,60}?)[\s*]*[-_=#~]{2,}[\s*]*")


def kinds_of(lines: list[str]) -> list[Line]:
    """One kind for each line; a sign that spans lines gives its kind to all of them."""
    kinds: list[Line] = []
    fence = ""
    while len(kinds) < len(lines):
        at = len(kinds)
        mark = _FENCE.match(lines[at])
        if fence or (mark and _closes(lines, at, mark[1])):
            kinds.append(Line.CODE)
            fence = "" if fence and mark and mark[1] == fence else fence or (mark[1] if mark else "")
            continue
        kind, length = _sign_at(lines, at)
        kinds += [kind] * length
    for at in range(1, len(lines) - 1):
        if kinds[at] is Line.TEXT and kinds[at - 1] is kinds[at + 1] is Line.QUOTE and _wrapped(lines, at):
            kinds[at] = Line.QUOTE
    return kinds


def _wrapped(lines: list[str], at: int) -> bool:
    """A quoted line was broken by a program that set no mark before its second half."""
    return len(lines[at - 1]) >= 60 and lines[at][:1].islower()  # noqa: PLR2004 - programs break at 72 to 80


def _closes(lines: list[str], at: int, fence: str) -> bool:
    return any(line.lstrip().startswith(fence) for line in lines[at + 1 : at + 500])


def _sign_at(lines: list[str], at: int) -> tuple[Line, int]:
    """What begins at a line and how many lines it takes."""
    alone = _sign_alone(lines[at])
    if alone:
        return alone, 1
    headers = header_block(lines, at)
    if headers:
        return Line.HEADERS, headers
    said = attribution(lines, at)
    return (Line.ATTRIBUTION, said) if said else (Line.TEXT, 1)


def _sign_alone(line: str) -> Line | None:
    """What a line is by itself, None where its neighbours have to be asked."""
    tests = (
        (Line.BLANK, not line.strip()),
        (Line.QUOTE, _QUOTED.match(line)),
        (Line.TEXT, len(line) > LONGEST),
        (Line.SIGNATURE, _SIGNATURE.fullmatch(line)),
        (Line.RULE, _RULE.fullmatch(line)),
    )
    for kind, holds in tests:
        if holds:
            return kind
    return _separator(line) or (Line.DEVICE if _is_device(line.strip()) else None)


def _is_device(line: str) -> bool:
    return len(line) < SHORT and bool(DEVICE.fullmatch(line))


def _separator(line: str) -> Line | None:
    """`-----Original Message-----` and its brothers."""
    match = _SEPARATOR.fullmatch(line)
    words = match[1] if match else line.strip(" *>").removesuffix(":")
    if FORWARDED.match(words) and (match or line.rstrip().endswith(COLONS)):
        return Line.FORWARD
    return Line.ORIGINAL if match and ORIGINAL.match(words) else None


def header_block(lines: list[str], at: int) -> int:
    """How many lines the headers of an older mail take from here on; 0 where there are none."""
    if _role(lines[at]) not in {"from", "date", "subject", "to"}:
        return 0
    roles: list[str] = []
    values: list[str] = []
    end = at
    for number in range(at, min(len(lines), at + 30)):
        role = _role(lines[number])
        if role:
            roles.append(role)
            values.append(lines[number])
            end = number + 1
        elif number - end >= 2 or not _goes_on(lines, number):  # noqa: PLR2004 - one folded or blank line, or two
            break
    found = set(roles) - {"other"}
    text = " ".join(values)
    proof = _ADDRESS.search(text) or _TIME.search(text) or _DAY.search(text)
    enough = len(found) >= 3 or (len(found) == 2 and "from" in found and proof)  # noqa: PLR2004 - of from, date, to, subject
    return end - at if enough and len(roles) <= 3 * len(found) else 0


def _role(line: str) -> str:
    match = _LABEL.match(line) if len(line) <= LONGEST else None
    return ROLES.get(match[1].strip(" *\xa0").lower(), "") if match else ""


def _goes_on(lines: list[str], at: int) -> bool:
    """The line is a blank one or a folded value between two header lines."""
    ahead = lines[at + 1 : at + 3]
    return any(_role(line) for line in ahead) and len(lines[at]) < 200  # noqa: PLR2004 - a longer one is text


def attribution(lines: list[str], at: int) -> int:
    """How many lines `On Monday, Ada wrote:` takes from here on; 0 where it is something else."""
    ends = [_may_end(line) for line in lines[at : at + MAX_WINDOW]]
    if not any(ends):
        return 0
    early = _digit_early(lines[at])
    for length, may_end in enumerate(ends, start=1):
        if length > 1 and not _may_follow(lines, at + length - 1, early=early):
            return 0
        window = " ".join(line.strip() for line in lines[at : at + length])
        follows = _quote_follows(lines, at + length)
        if may_end and _is_attribution(window, early=early, quote_follows=follows):
            return length
    return 0


def _may_end(line: str) -> bool:
    """A colon, dashes or the verb stand at its end."""
    tail = line.rstrip()[-40:]
    return tail.endswith((*COLONS, "--")) or bool(_ENDS_IN_VERB.search(tail))


def _digit_early(line: str) -> bool:
    """A date stands among the first words: `On Thu, Jun 20`, `30.09.2017, 18.30`, `Le lun. 15 nov`."""
    return any(sign.isdigit() for word in line.split(maxsplit=6)[:6] for sign in word)


def _may_follow(lines: list[str], at: int, *, early: bool) -> bool:
    """A line may go on with an attribution begun above."""
    line, before = lines[at], lines[at - 1]
    if not line.strip():
        return early and at + 1 < len(lines) and lines[at + 1].lstrip().startswith("<")
    if line.lstrip().startswith("<") or before.rstrip().endswith("<"):
        return True
    if _QUOTED.match(line):
        # A wrapped address can leave its bracket at the start of the line: `> wrote:`.
        return bool(WROTE.search(line)) and len(line) < 80  # noqa: PLR2004 - no quote is so short and so said
    return early and not before.rstrip().endswith((".", "!", "?")) and not _digit_early_and_lead(line)


def _digit_early_and_lead(line: str) -> bool:
    return _digit_early(line) and bool(_DAY.search(line) or _TIME.search(line)) and line[:1].isupper()


def _is_attribution(text: str, *, early: bool, quote_follows: bool) -> bool:
    """Of date, address and verb enough are there, in a line that ends as such lines do."""
    if len(text) > LONGEST or (_LOGGED.match(text) and not quote_follows):
        return False
    verb = next(reversed(list(WROTE.finditer(text))), None)
    dated = early and bool(_TIME.search(text) or _DAY.search(text))
    addressed = bool(_ADDRESS.search(text))
    if verb is None:
        return (dated and addressed) or (quote_follows and (dated or addressed) and text.endswith(COLONS))
    if addressed:
        return early or len(text) < SHORT
    if quote_follows:
        return dated or len(text) < SHORT
    return dated and _named(text, verb)


def _named(text: str, verb: re.Match[str]) -> bool:
    """Somebody is named beside the verb: not `the daemon wrote:`."""
    before = text[: verb.start()].rstrip(" ,:").split()
    after = text[verb.end() :].strip(" :()a-").split()
    beside = (after or before[-1:])[:1]
    return any(word[:1].isupper() or not word[:1].isalpha() or word in {"you", "du", "Sie"} for word in beside)


def _quote_follows(lines: list[str], at: int) -> bool:
    for line in lines[at : at + 3]:
        if line.strip():
            return bool(_QUOTED.match(line))
    return False
