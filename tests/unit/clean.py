"""What a mail's fields must not have in them: signs that are not seen, and a second line where there is one."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from triage.domain.mail import Message

UNSEEN = (
    "".join(map(chr, (*range(9), *range(11, 32), *range(127, 160))))  # C0 and C1, tab and line feed apart
    + "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067\u2068\u2069\ufeff\ufff9"
    + "\u3164\u115f\u1160\uffa0\u2800\u2028\u2029"
    + "".join(map(chr, (*range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0))))
)
"""Controls, direction marks, joiners without anything to join, fillers, tags, variation selectors of the supplement."""
MANY_LINES = ("text", "reply", "quoted")


def strings(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every string in it, with its place."""
    match value:
        case str():
            yield place, value
        case dict():
            for name, inner in value.items():
                yield from strings(inner, f"{place}.{name}".strip("."))
        case list() | tuple():
            for inner in value:
                yield from strings(inner, place)


def unclean(message: Message) -> list[tuple[str, list[str]]]:
    """Fields with something in them that should not be there."""
    found = []
    for place, text in strings(asdict(message)):
        line = {"\n"} if place == "rich.text" else {"\n", "\t"}
        bad = set(UNSEEN) | (set() if place in MANY_LINES else line)
        if signs := sorted(map(hex, map(ord, bad & set(text)))):
            found.append((place, signs))
    return found
