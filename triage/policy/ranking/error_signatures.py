"""Finds error messages that two texts share line by line, whatever numbers, times and quotation marks stand in them."""

import re
from collections.abc import Iterator
from typing import Final

from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import CODE

LINES: Final = 400
"""Lines of a text that are read."""
LONGEST_LINE: Final = 400
LETTERS: Final = 40
"""Fewest letters of a line, and of all shared lines together three times as many: shorter ones are shared by chance."""
LEADING: Final = re.compile(r"^[\s>|*`#-]+")
DATA: Final = re.compile(r"\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b|\d+", re.IGNORECASE)
"""Numbers, addresses, identifiers and times: they differ from case to case."""
SIGNS: Final = re.compile(r"[^\w#]+")
FRAME: Final = re.compile(r"^(?:at [\w$.<>]+\(|File \"[^\"]+\", line \d+|\s*#\d+\s+0x)")
"""A line of a stack trace in Java, Python or C."""
NAMED: Final = re.compile(r"\w(?:Exception|Error|Fault)\b|\b(?:ERROR|FATAL|Traceback|SQLSTATE|errno)\b")


def error_lines(text: str) -> frozenset[str]:
    """Return the long lines with an error code, the name of an error or a stack frame, without what differs by case."""
    return frozenset(line for line in _normal(text) if sum(map(str.isalpha, line)) >= LETTERS)


def same_error(one: frozenset[str], other: frozenset[str]) -> str:
    """Return the longest error line that both texts have, if they are about one error; empty if not.

    Most of the error lines of each must stand in the other, and they must be long enough together.
    """
    shared = one & other
    enough = sum(map(len, shared)) >= 3 * LETTERS and 2 * len(shared) > max(len(one), len(other))
    return max(shared, key=lambda line: (len(line), line)) if enough else ""


def _normal(text: str) -> Iterator[str]:
    for line in text.splitlines()[:LINES]:
        bare = LEADING.sub("", line[:LONGEST_LINE])
        if FRAME.match(bare) or NAMED.search(bare) or CODE.search(bare):
            yield SIGNS.sub(" ", DATA.sub("#", plain(bare))).strip()
