"""Extracts the mail inside an opaque-signed S/MIME part."""

from collections.abc import Iterator
from typing import Final

TYPES: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
MAX_DEPTH: Final = 8
MAX_ELEMENTS: Final = 20_000
"""Most elements of one structure; large contents are split into pieces of a few kilobytes."""

_SIGNED: Final = bytes.fromhex("2a864886f70d010702")
_ENVELOPED: Final = (
    bytes.fromhex("2a864886f70d010703"),
    bytes.fromhex("2a864886f70d01091001" + "17"),
    bytes.fromhex("2a864886f70d010706"),
)
"""EnvelopedData, AuthEnvelopedData and EncryptedData (RFC 5652, RFC 5083)."""
_SEQUENCE, _OID, _OCTETS, _CONSTRUCTED, _FIRST = 0x30, 0x06, 0x04, 0x20, 0xA0
_INDEFINITE: Final = 0x80


def signed_content(data: bytes, odd: set[str]) -> bytes | None:
    """Return the signed mail; None, with a flag, if it is encrypted, and None if it cannot be found."""
    try:
        return _content(data, odd)
    except (IndexError, ValueError, RecursionError):
        odd.add("bad-smime")
        return None


def _content(data: bytes, odd: set[str]) -> bytes | None:
    kind, inner = _typed(data)
    if kind in _ENVELOPED:
        odd.add("encrypted")
    if kind != _SIGNED or inner is None:
        return None
    fields = [body for tag, body in _elements(_only(inner, _SEQUENCE)) if tag == _SEQUENCE]
    for field in fields:
        _, content = _typed_fields(field)
        if content is not None:
            return _octets(content)
    return None


def _typed(data: bytes) -> tuple[bytes, bytes | None]:
    """Parse ContentInfo: its type and its content."""
    return _typed_fields(_only(data, _SEQUENCE))


def _typed_fields(fields: bytes) -> tuple[bytes, bytes | None]:
    found = dict(reversed(list(_elements(fields))))
    return found.get(_OID, b""), found.get(_FIRST)


def _only(data: bytes, tag: int) -> bytes:
    """Return the body of the first element. Raises `ValueError` if its tag differs."""
    found, body = next(_elements(data), (0, b""))
    if found != tag:
        raise ValueError(found)
    return body


def _octets(data: bytes, depth: int = 0) -> bytes:
    """Return an OCTET STRING, joined from its pieces if it has any."""
    if depth > MAX_DEPTH:
        raise ValueError(depth)
    pieces = []
    for tag, body in _elements(data):
        if tag == _OCTETS:
            pieces.append(body)
        elif tag == _OCTETS | _CONSTRUCTED:
            pieces.append(_octets(body, depth + 1))
    return b"".join(pieces)


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield tag and body of each element (X.690), also of those with indefinite length."""
    at = 0
    for _ in range(MAX_ELEMENTS):
        if at >= len(data) or data[at : at + 2] == b"\x00\x00":
            return
        tag, start, length = _head(data, at)
        end = start + length if length >= 0 else _end(data, start)
        yield tag, data[start:end]
        at = end if length >= 0 else end + 2


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """Return tag, start of the body and its length; the length is -1 where it is indefinite."""
    tag, first = data[at], data[at + 1]
    if first < _INDEFINITE:
        return tag, at + 2, first
    if first == _INDEFINITE:
        return tag, at + 2, -1
    count = first & 0x7F
    if count > 4:  # noqa: PLR2004 - bytes: no mail is longer than they can count
        raise ValueError(count)
    return tag, at + 2 + count, int.from_bytes(data[at + 2 : at + 2 + count], "big")


def _end(data: bytes, at: int) -> int:
    """Find the end mark of a body with indefinite length."""
    open_ones = 1
    for _ in range(MAX_ELEMENTS):
        if data[at : at + 2] == b"\x00\x00":
            open_ones -= 1
            if not open_ones:
                return at
            at += 2
            continue
        _, start, length = _head(data, at)
        open_ones += length < 0
        at = start if length < 0 else start + length
    raise ValueError(at)
