"""Finds `On Monday, Ada <ada@example.com> wrote:` above quoted mail, on one line or broken across several."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from integrations.mime.reply.quote_patterns import LEADS, MONTHS, SELF, WROTE

LONGEST: Final = 600
"""Characters; a longer line is prose."""
SHORT: Final = 120
"""Characters of a short attribution: name, address and verb."""
COLONS: Final = (":", "：")
MARKUP: Final = " \t*_"
"""Signs around a line that a program shows in bold."""
MAX_LINES: Final = 5
"""Most lines over which mail programs break an attribution."""
MAX_WORDS: Final = 8
"""Most words in small letters, without dates and addresses; prose has more."""
MAX_NAMED: Final = 12
"""The same where date and address stand above quoted lines: names have such words, too (`Ana de la Cruz`)."""
MAX_BETWEEN: Final = 2
"""Most such words between date and address where there is no verb: `9 мар. 2026 г. в 17:02, Ada <ada@example.com>:`."""

QUOTED: Final = re.compile(r"\s{0,3}(?:[A-ZÀ-ÖØ-ÞĀ-ŽА-Я]{1,3}(?=>\s|>$))?[>＞]")
ADDRESS: Final = re.compile(r"[\w.+'=&-]{1,80}@[\w.-]{2,80}")
TIME: Final = re.compile(r"(?<![\d.])\b\d{1,2}\s?[:.h]\s?\d{2}\b(?!\s?[./-]\s?\d)|[上下]午\s?\d|오[전후]\s?\d")
"""A time of day; `6.10.2025` has none."""
DATE: Final = re.compile(
    r"\b\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}\b|\b\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}\b"
    r"|\d{4}\s?[年년]\s?\d|\d\s?[月월]\s?\d"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|[.ºª]|er)?,?\s(?:(?:de|di|of)\s)?(?:{MONTHS})|\b(?:{MONTHS})[^\W\d_]*\.?\s\d{{1,2}}\b",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:19|20|٢٠|۲۰)\d{2}\b")
_LOGGED: Final = re.compile(r"\W?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?!.{0,6}[,，]\s*[\"“]?\w)")
"""A line of a log."""
_LINK: Final = re.compile(r"[<\[(]mailto:[^\s<>\])]*[>\])]", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"\s*[(\[][^()\[\]]{1,40}[)\]]$")
"""A department behind a name."""
_CUT_SHORT: Final = re.compile(r"\s[^\W\d_]{1,4}\.$")
"""A line that ends in a short word cut with a point, as days and months are."""
_ENDS_IN_VERB: Final = re.compile(rf"(?:{WROTE.pattern})[\s()]*$", re.IGNORECASE)
_LEAD: Final = re.compile(LEADS, re.IGNORECASE)
_BEGUN: Final = re.compile(rf"(?:{LEADS})\b|\W{{0,2}}(?:[^\W\d_]{{1,14}}[.,،]{{0,2}}\s+){{0,2}}\W?\d|在", re.IGNORECASE)
_HEADLESS: Final = re.compile(
    rf"[<(>)\[,]|(?:19|20)\d{{2}}(?!\d|\s?[./年년-]\s?\d)|\d{{1,2}}[:.h]\d{{2}}\b(?![./]\d)|(?:{MONTHS})[^\W\d_]*\.?\s(?:19|20)\d\d",
    re.IGNORECASE,
)
"""The beginning of a line that continues another one: a date, an address or the end of either."""
_RULED: Final = re.compile(
    r"[^\W\d_].{1,100}?\s?---\s?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b.{0,20}---"
    r"|>>> [^>].{1,150}\d.{0,60} >>>\s*$|>>> \S.{1,60} in message <|>{4,5} \".{1,40}\" == .{1,150}[:：]\s*$"
)
"""HCL Notes: `Ada Byron ---09.03.2026 17:02:11---The first words`; GroupWise: `>>> Ada Byron 09.03.2026 17:02 >>>`,
`>>> On 3/9/2026 at 5:02 PM, in message <1@example.com>, Ada Byron`; Emacs: `>>>>> "AB" == Ada Byron <ada@example.com> writes:`."""


def attribution_above(lines: Sequence[str], end: int) -> int | None:
    """Return the first line of the attribution that ends in this line, None if there is none."""
    if ("---" in lines[end] or lines[end].startswith((">>> ", ">>>>"))) and _RULED.match(lines[end][:LONGEST]):
        return end
    if not may_end(lines, end):
        return None
    quote = quote_follows(lines, end + 1)
    found, loose = None, None
    for start in range(end, max(-1, end - MAX_LINES), -1):
        if start < end and not _reaches_down(lines, start):
            break
        window = " ".join(line.strip() for line in lines[start : end + 1]).rstrip(MARKUP)
        if len(window) > LONGEST:
            break
        if found is not None and not _adds(lines[start], lines[start + 1 : end + 1]):
            continue
        if is_attribution(window, quote_follows=quote):
            loose = start
            if not _headless(window):
                found = start
                if dated(window) and (ADDRESS.search(window) or WROTE.search(window)):
                    break
    return loose if found is None else found


def is_attribution(text: str, *, quote_follows: bool) -> bool:
    """Tell whether a text has enough of date, address, name and verb, and little else."""
    if len(text) > LONGEST or (_LOGGED.match(text) and not quote_follows):
        return False
    verb = next(reversed(list(WROTE.finditer(text))), None)
    most = MAX_NAMED if quote_follows and proven(text) else MAX_WORDS
    if small_words(text) > most or "://" in text:
        return False
    if verb is None:
        return text.endswith(COLONS) and _is_bare(text, quote_follows=quote_follows)
    return (quote_follows or not SELF.search(text[: verb.start()])) and _is_said(
        text, verb, quote_follows=quote_follows
    )


def _is_bare(text: str, *, quote_follows: bool) -> bool:
    """Recognise an attribution without a verb: date and address, or one of them right above a quote."""
    address, dated = ADDRESS.search(text), bool(DATE.search(text))
    if address and dated and begins(text) and _closes(text, address):
        return True
    return quote_follows and len(text) < SHORT and bool(dated or address)


def _is_said(text: str, verb: re.Match[str], *, quote_follows: bool) -> bool:
    """Recognise one with a verb: with a date or an address, or right above a quote."""
    address = ADDRESS.search(text)
    dated = bool(DATE.search(text) or _YEAR.search(text))
    if address:
        signed = text[address.start() - 1 : address.start()] in {"<", ""} or text.startswith(('"', "'"))
        return bool(dated or (len(text) < SHORT and (quote_follows or signed)))
    if quote_follows:
        return bool(dated or TIME.search(text) or len(text) < SHORT)
    return bool((dated or TIME.search(text)) and _named(text, verb))


def proven(text: str) -> bool:
    """Tell whether a text has an address and a date."""
    return bool(ADDRESS.search(text) and (DATE.search(text) or _YEAR.search(text)))


def dated(text: str) -> bool:
    """Tell whether a text has a date."""
    return bool(DATE.search(text) or _YEAR.search(text))


def may_end(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line can end an attribution: in a colon, dashes behind words, or the verb."""
    tail = lines[at][-40:].rstrip(MARKUP)
    verb = tail[-1:].isalpha() and _ENDS_IN_VERB.search(tail[-24:])
    if not tail.strip(" -") or not (tail.endswith((*COLONS, "--")) or verb):
        return False
    return not QUOTED.match(lines[at]) or (_open(lines, at) and len(lines[at]) < SHORT)


def _open(lines: Sequence[str], at: int) -> bool:
    """Tell whether a bracket of the lines above is open; programs break lines on both sides of `<ada@example.com>`."""
    above = list(takewhile(lambda line: line.strip() and not QUOTED.match(line), reversed(lines[max(0, at - 3) : at])))
    return sum(line.count("<") - line.count(">") for line in above) > 0


def _reaches_down(lines: Sequence[str], at: int) -> bool:
    """Tell whether the line continues in the next one."""
    line, below = lines[at].rstrip(), lines[at + 1].lstrip()
    if not line.strip():
        return below.startswith("<") and at > 0 and begins(lines[at - 1])
    if QUOTED.match(lines[at]) and not _open(lines, at):
        return False
    if not line.endswith((".", "!", "?")) or re.search(r"\d\.$", line) or (begins(line) and dated(line)):
        return True
    return bool((dated(line) or ADDRESS.search(line)) and _CUT_SHORT.search(line))


def begins(line: str) -> bool:
    """Tell whether the line begins like an attribution with the date in front: `On Mon, Mar 9`, `pon., 9 mar 2026`."""
    return bool(_BEGUN.match(line.lstrip()))


def _adds(line: str, below: Sequence[str]) -> bool:
    """Tell whether the line belongs to the attribution below it: it has the date, or name and verb before the date."""
    rest = " ".join(below)
    if dated(line):
        return begins(line) or bool(ADDRESS.search(line) and not ADDRESS.search(rest))
    return dated(rest) and bool(ADDRESS.search(line) or WROTE.search(line))


def _headless(text: str) -> bool:
    """Tell whether the text is only the end of an attribution."""
    if _HEADLESS.match(text) or (WROTE.match(text) and not proven(text)):
        return True
    date = dated(text[:30])
    return text[:1].islower() and not (date and begins(text))


def small_words(text: str) -> int:
    """Count the words in small letters outside addresses."""
    words = ADDRESS.sub(" ", _LINK.sub(" ", text)).split()
    return sum(word[:1].islower() for word in words)


def _closes(text: str, address: re.Match[str]) -> bool:
    """Tell whether only brackets follow the address, and few words stand between date and address."""
    rest = ADDRESS.sub(" ", _LINK.sub(" ", text[address.end() :]))
    date = DATE.search(text)
    between = text[date.end() if date else 0 : address.start()]
    return not re.search(r"\w{5,}", rest) and small_words(between) <= MAX_BETWEEN


def _named(text: str, verb: re.Match[str]) -> bool:
    """Tell whether a name stands beside the verb; `the daemon wrote:` has none."""
    before = _BRACKETED.sub("", DATE.sub(" ", text[: verb.start()]).rstrip(" ,:")).rstrip(" ,:").split()
    after = text[verb.end() :].removeprefix("(a)").strip(" :()-").split()
    behind = bool(after) and bool(_LEAD.fullmatch(after[0]))  # `Ada Byron/Sales/Acme wrote on 09.03.2026 17:02:11:`
    beside = before[-1:] if behind and before else (after or before[-1:])[:1]
    if any(word[:1].isupper() or word in {"you", "du"} for word in beside):
        return True
    alone = behind and len(before) == 1 and dated(text)  # `acme schrieb am 9. März 2026 um 17:02:`
    return bool(TIME.search(text)) and (alone or any(not word[:1].islower() for word in beside))


def quote_follows(lines: Sequence[str], at: int) -> bool:
    """Tell whether the next line with text, of three from this one, has a quote mark."""
    for line in lines[at : at + 3]:
        if line.strip():
            return bool(QUOTED.match(line))
    return False
