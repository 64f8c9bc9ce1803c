"""Recognises history by what the answer's own header tells of it, in languages that no list knows."""

# ruff: noqa: RUF001 - colons of every alphabet are the point

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from integrations.mime.reply.attribution import ADDRESS, COLONS, LONGEST, MAX_WORDS, QUOTED, TIME, small_words

MOST_FIELDS: Final = 9
"""Most lines of an older mail's header block."""
LEAST_FIELDS: Final = 3
MOST_LINES: Final = 3
"""Most lines over which an attribution is broken that only the addressee proves."""
_PREFIX: Final = re.compile(r"\s*(?:\[[^\]]{1,40}\]\s*)?[^\W\d_]{1,5}\s?(?:[\[(]\d{1,3}[\])])?\s?[:：]")
_FIELD: Final = re.compile(r"[\s*]*[^\W\d_][^:：<>@]{0,24}?[\s*]*[:：][\s*]*(\S.*)")
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
"""Years of every calendar, in the digits of every script."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the header of an answer tells of the mail that it answers."""

    subject: str = ""
    """The subject without `Re:`, see `bare_subject`."""
    people: frozenset[str] = frozenset()
    """Addresses that the answer goes to, in small letters; the older mail's author is among them."""

    def block(self, lines: Sequence[str], at: int) -> int:
        """Return the number of lines of a header block with our subject and a moment; 0 if there is none here."""
        if not self.subject or not _field(lines[at]) or is_announced(lines, at):
            return 0
        values: list[str] = []
        for line in lines[at : at + MOST_FIELDS]:
            value = _field(line)
            if not value:
                break
            values.append(value)
        end = at + len(values)
        ends = end >= len(lines) or not lines[end].strip()
        named = any(bare_subject(value) == self.subject for value in values)
        is_block = len(values) >= LEAST_FIELDS and named and any(map(_is_timestamp, values))
        return len(values) if ends and is_block else 0

    def differs(self, lines: Sequence[str], start: int, end: int) -> bool:
        """Tell whether the fields of these lines are shown by the author: announced or on top, and without our subject.

        Where no subject is known, a moment tells the header of a mail from other fields.
        """
        if not is_announced(lines, start) and any(line.strip() for line in lines[:start]):
            return False
        values = [_field(line) for line in lines[start:end]]
        return self.subject not in map(bare_subject, values) if self.subject else not any(map(_is_timestamp, values))

    def attribution_above(self, lines: Sequence[str], end: int) -> int | None:
        """Return the first line of a sentence that ends here in a colon and has a moment and an addressee's address."""
        if not self.people or not lines[end].rstrip().endswith(COLONS):
            return None
        for start in range(end, max(-1, end - MOST_LINES), -1):
            if not lines[start].strip() or QUOTED.match(lines[start]):
                return None
            words = " ".join(line.strip() for line in lines[start : end + 1])
            if len(words) > LONGEST:
                return None
            if words.startswith("<") or not _is_timestamp(words):  # the name stands above its address
                continue
            addresses = {found.lower().rstrip(".") for found in ADDRESS.findall(words)}
            if not addresses.isdisjoint(self.people) and small_words(words) <= MAX_WORDS:
                return start
        return None


NOTHING_KNOWN: Final = Answered()


def bare_subject(subject: str) -> str:
    """Return a subject without `Re:` and the like in any language, in small letters."""
    rest = subject[:LONGEST]
    while found := _PREFIX.match(rest):
        rest = rest[found.end() :]
    return " ".join(rest.split()).casefold().strip(" ;")


def is_announced(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line in front announces this one, or is a field of the same form: the author shows something."""
    above = next((line for line in reversed(lines[max(0, at - 2) : at]) if line.strip()), "")
    return above.rstrip().endswith(COLONS) or bool(at and _field(lines[at - 1]))


def _field(line: str) -> str:
    """Return the value of a line `Label: value`, else nothing."""
    sought = len(line) <= LONGEST and any(sign in line[:30] for sign in COLONS)
    found = _FIELD.fullmatch(line) if sought else None
    return found[1] if found else ""


def _is_timestamp(text: str) -> bool:
    """Tell whether a text has a year and a time of day."""
    return bool(_YEAR.search(text) and TIME.search(text))
