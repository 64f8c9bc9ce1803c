"""Cuts text that people judge into pieces, so that links and invisible characters stand out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.text.visible import visible

LONGEST: Final = 200_000
"""Characters of a text that are shown."""
_LINK: Final = re.compile(r"(?:https?://|mailto:|www\.)[^\s<>\"'\])]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text."""

    text: str
    kind: str = ""
    """`link`, or `hidden` for the code of a character that shows nothing; empty: plain text."""


def pieces(text: str) -> tuple[TextPiece, ...]:
    """Cut a text; a character that shows nothing becomes its code, such as `U+202E`."""
    cut = text[:LONGEST]
    parts = tuple(_hidden(cut)) if visible(cut) != cut else (TextPiece(cut),)
    found_pieces = tuple(found for part in parts for found in (_links(part.text) if not part.kind else (part,)))
    return (
        found_pieces
        if len(text) <= LONGEST
        else (*found_pieces, TextPiece(f"… {len(text) - LONGEST:,} more characters"))
    )


def _hidden(text: str) -> Iterator[TextPiece]:
    """Yield runs of visible text, and each other character by its code; the joiners that a script needs stay."""
    plain = ""
    for sign in text:
        if visible(sign) == sign or sign == "\r":
            plain += sign
            continue
        yield from (TextPiece(plain),) if plain else ()
        yield TextPiece(f"U+{ord(sign):04X}", "hidden")
        plain = ""
    yield from (TextPiece(plain),) if plain else ()


def _links(text: str) -> Iterator[TextPiece]:
    at = 0
    for found in _LINK.finditer(text):
        yield from (TextPiece(text[at : found.start()]),) if found.start() > at else ()
        yield TextPiece(found[0], "link")
        at = found.end()
    yield from (TextPiece(text[at:]),) if at < len(text) else ()
