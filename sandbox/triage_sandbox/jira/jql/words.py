"""Converts a JQL text search (`text ~ "…"`) to a query of SQLite's full-text search."""

import re
from typing import Final

_PART: Final = re.compile(r'"([^"]*)"|(\w+)([*?]?)')
_STOP_WORDS: Final = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
was will with
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
"""Words that Jira's English analyser leaves out on both sides."""


def match(text: str) -> str | None:
    """Return the FTS5 query of a text: words are ANDed, `"a b"` is a phrase, a final `*` a prefix. None if no word is left.

    None where nothing is left to look for: such a query finds nothing.
    """
    parts = [_part(*found.groups()) for found in _PART.finditer(re.sub(r"\\[^\w\s]", " ", text))]
    return " AND ".join(part for part in parts if part) or None


def _part(phrase: str | None, word: str | None, wildcard: str) -> str:
    if phrase is not None:
        words = re.findall(r"[^\W_]+", phrase)
        return f'"{" ".join(words)}"' if words else ""
    pieces = re.findall(r"[^\W_]+", word or "")
    if not pieces or (word or "").casefold() in _STOP:
        return ""
    return f'"{" ".join(pieces)}"' + ("*" if wildcard else "")
