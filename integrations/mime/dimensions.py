"""Reads how many pixels a picture has from the beginning of its file, without decoding it."""

from collections.abc import Iterator
from typing import Final, Literal

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG's frame, which holds its height and width."""


def pixels_of(content: bytes) -> int:
    """Return width times height of a PNG, GIF, BMP or JPEG; 0 for anything else, and for what is cut off."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR":
        return _product(content[16:20], content[20:24], "big")
    if content[:6] in {b"GIF87a", b"GIF89a"}:
        return _product(content[6:8], content[8:10], "little")
    if content[:2] == b"BM":
        return _product(content[18:22], content[22:26], "little")
    return next((_product(frame[3:5], frame[1:3], "big") for frame in _frames(content)), 0)


def _product(width: bytes, height: bytes, order: Literal["big", "little"]) -> int:
    return int.from_bytes(width, order) * int.from_bytes(height, order)


def _frames(content: bytes) -> Iterator[bytes]:
    """Yield the frame headers of a JPEG, each without marker and length."""
    at = 2 if content[:2] == b"\xff\xd8" else len(content)
    while content[at : at + 1] == b"\xff":
        marker, length = content[at + 1 : at + 2], int.from_bytes(content[at + 2 : at + 4])
        if marker and marker[0] in _FRAMES:
            yield content[at + 4 : at + 2 + length]
        at += 2 + max(length, 2)
