"""Gives a summary its form: shouted words small, no signs at its ends, cut at a clause or a word where it is too long."""

import re
from itertools import pairwise
from typing import Final

from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.text.technologies import NAMES
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.word_patterns import levelled, one_of, words_in

LONGEST: Final = 80
LONGEST_PLACE: Final = 40
"""Characters of a link's host and path that are shown."""
SHOUTED: Final = 0.7
"""From so many capitals among its letters a line is shouted."""
_URL: Final = re.compile(r"https?://(?:www\.)?([^\s?#<>()]+)[^\s<>()]*")
OPENING: Final = " \t-\u2013\u2014:;,|*~#>="
SIGNS: Final = ".,;:!?()\"'"
_PLAIN: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?:-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ce))?[,:;.!?]?")
"""In French also a verb before its subject: `serait-il`."""
_CAPITALS: Final = re.compile(r"(?<![\w-])[^\W\d_a-z]{2,}(?![\w-])")
CODE: Final = re.compile(
    r"\b(?=[\w-]*\d)[A-Z][A-Z0-9]*[-_][A-Z0-9_-]*\d[A-Z0-9]*\b|\b(?:HTTP )?(?<![\d.,(])(?<!\d[ /-])[45]\d\d(?![\w.,]\d|[ /-]\d)\b|\b0x[0-9A-Fa-f]{4,}\b"
)
CLAUSE: Final = re.compile(r"\s*(?:[;:]\s|,\s|\s[-\u2013\u2014]\s|[\u3001])\s*")
THAT: Final = lazy_pattern(lambda: rf"{one_of('said.that')}[\s']\s*(?=\S)")
_PARENTHESIS: Final = re.compile(r"\s*\([^()]*\)")


def is_plain_word(word: str) -> bool:
    """Tell whether a word is one that a line may begin with a capital: `it's`, no `iPad`, `db-2` or `x=1`."""
    return bool(_PLAIN.fullmatch(word)) and word.islower()


def unshouted(line: str, text: str) -> str:
    """Write shouted words small, in the case that the text has them in; short names and codes stay."""
    letters = [sign for sign in line if sign.isalpha() and sign.lower() != sign.upper()]
    loud = len(letters) > len("SHOUT") and sum(sign.isupper() for sign in letters) >= SHOUTED * len(letters)
    cased = _cased(text) if _CAPITALS.search(line) else {}
    return _CAPITALS.sub(lambda found: _small(found[0], cased, loud=loud), line)


def _cased(text: str) -> dict[str, str]:
    """Return how a text writes its words where they begin no sentence; small letters win."""
    words = text.split()
    inside = [word.strip(SIGNS) for before, word in pairwise(words) if before[-1] not in ".!?:"]
    named = {word.casefold(): word for word in inside if not word.isupper()}
    return named | {word: word for word in inside if word.islower()}


def _small(word: str, cased: dict[str, str], *, loud: bool) -> str:
    own = cased.get(word.casefold(), "")
    if own and (loud or (own.islower() and len(own) > len("PDF"))):
        return own
    if not loud:
        return word
    name = NAMES.get((word.lower(),), "")
    if name.casefold() == word.casefold():
        return name
    short = len(word) <= len("PDF") and not words_in("search.stop_words").fullmatch(levelled(word))
    return word if short and not words_in("said.empty").fullmatch(levelled(word)) else word.lower()


def tidied(line: str) -> str:
    """Remove repeated and final signs, and begin with a capital where a plain word stands first."""
    line = _URL.sub(lambda found: found[1][:LONGEST_PLACE].rstrip("/."), line)
    line = re.sub(r"([!?])[!?]+", r"\1", line).replace("!", "").lstrip(OPENING)
    bare = line.rstrip(f"{OPENING}._\u3002")
    closes = line[len(bare) :].startswith(">") and bare.count("<") > bare.count(">")
    line = re.sub(r"\s+", " ", f"{bare}>" if closes else bare).strip()
    return line[:1].upper() + line[1:] if is_plain_word(line.split(" ", 1)[0]) else line


def without_parentheses(line: str) -> str:
    """Return a line without what stands in brackets."""
    return _PARENTHESIS.sub("", line)


def in_quotation(before: str) -> bool:
    """Tell whether what follows this text stands within quotation marks."""
    return before.count('"') % 2 == 1 or before.count("\u00ab") > before.count("\u00bb")


def clause_ends(line: str) -> list[int]:
    """Return where clauses end that say something by themselves: not in a quotation, nor where `that …` says it."""
    found = ((cut.start(), cut.end()) for cut in CLAUSE.finditer(line))
    return [at for at, end in found if not in_quotation(line[:at]) and not THAT.match(levelled(line[end:]))]


def _ended(head: str, least: int) -> str:
    """Return the beginning of a line without the articles and prepositions at its end, whose nouns are cut off: short words."""
    while (
        least <= (cut := head.rfind(" ")) and len(head) - cut <= len(" the") and levelled(head[cut + 1 :]) in STOP_WORDS
    ):
        head = head[:cut].rstrip(" ,;:-\u2013\u2014(")
    return head


def shortened(line: str, longest: int = LONGEST) -> str:
    """Cut what stands in brackets, then at a clause, then at a word; a code that would be lost stands at the end."""
    if len(line) <= longest:
        return line
    line = without_parentheses(line)
    code = next((found[0] for found in CODE.finditer(line) if found.end() >= longest), "")
    ends = [cut for cut in clause_ends(line) if longest // 2 <= cut <= longest]
    if len(line) <= longest or (ends and not code):
        return line if len(line) <= longest else line[: ends[-1]]
    room = longest - 1 - (len(code) + 1 if code else 0)
    head = line[:room]
    if not line[room : room + 1].isspace() and " " in head:
        head = head[: head.rindex(" ")]
    head = _ended(head.rstrip(" ,;:-\u2013\u2014("), longest // 2)
    return f"{head}… {code}" if code and code not in head else f"{head}…"
