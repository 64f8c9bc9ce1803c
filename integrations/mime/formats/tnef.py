"""Converts a `winmail.dat` (MS-OXTNEF) to MIME parts."""

import base64
import re
import struct
from collections.abc import Iterator, Mapping
from typing import Final

TYPES: Final = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
SIGNATURE: Final = 0x223E9F78
MAX_ATTRIBUTES: Final = 2000
MAX_PROPERTIES: Final = 2000

_BODY, _PROPERTIES = 0x0002800C, 0x00069003
_NEW_FILE, _TITLE, _DATA, _FILE_PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_TEXT, _HTML, _LONG_NAME, _FILE_TYPE, _FILE_ID, _FILE_DATA = 0x1000, 0x1013, 0x3707, 0x370E, 0x3712, 0x3701
_FIXED: Final = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_STRING, _UNICODE = 0x1E, 0x1F
_VARIABLE: Final = frozenset({_STRING, _UNICODE, 0x0D, 0x102})
_MANY: Final = 0x1000
_NAMED: Final = 0x8000
_BOUNDARY: Final = "winmail-part"
_SAFE_TYPE: Final = re.compile(r"[a-z]{1,20}/[\w.+-]{1,60}", re.IGNORECASE)

Values = dict[int, bytes | str]


def mail_in(data: bytes, odd: set[str]) -> bytes | None:
    """Convert to a multipart; None if it cannot be read. The outer mail's header holds for both."""
    try:
        own, files = _read(data)
    except (struct.error, IndexError, ValueError):
        odd.add("bad-tnef")
        return None
    parts = [_text_part(own), *(_file_part(one) for one in files)]
    body = "".join(f"\r\n--{_BOUNDARY}\r\n{part}" for part in parts if part)
    if not body:
        return None
    head = f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"\r\n'
    return f"{head}{body}\r\n--{_BOUNDARY}--\r\n".encode("utf-8", "replace")


def _read(data: bytes) -> tuple[Values, list[Values]]:
    """Return the properties of the mail and of each attached file."""
    if struct.unpack_from("<I", data)[0] != SIGNATURE:
        raise ValueError("no TNEF")
    own: Values = {}
    files: list[Values] = []
    for key, value in _attributes(data):
        if key == _NEW_FILE:
            files.append({})
        now = files[-1] if files else own
        if key == _BODY:
            own.setdefault(_TEXT, _narrow(value))
        elif key in {_PROPERTIES, _FILE_PROPERTIES}:
            now.update(_properties(value))
        elif key == _TITLE:
            now.setdefault(_LONG_NAME, _narrow(value))
        elif key == _DATA:
            now[_FILE_DATA] = value
    return own, files


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each attribute with its bytes, without the check sum behind it."""
    at = 6
    for _ in range(MAX_ATTRIBUTES):
        if at + 9 > len(data):
            return
        _, key, length = struct.unpack_from("<BII", data, at)
        yield key, data[at + 9 : at + 9 + length]
        at += 9 + length + 2


def _properties(data: bytes) -> Values:
    """Return the MAPI properties of bytes and strings by id."""
    found: Values = {}
    (count,) = struct.unpack_from("<I", data)
    at = 4
    for _ in range(min(count, MAX_PROPERTIES)):
        kind, key = struct.unpack_from("<HH", data, at)
        at += 4
        if key >= _NAMED:
            at = _behind_name(data, at)
        many, kind = bool(kind & _MANY), kind & ~_MANY
        values = 1
        if many or kind in _VARIABLE:
            (values,) = struct.unpack_from("<I", data, at)
            at += 4
        if kind in _FIXED:
            at += values * _FIXED[kind]
            continue
        if kind not in _VARIABLE or values > MAX_PROPERTIES:
            raise ValueError(kind)
        for _ in range(values):
            (length,) = struct.unpack_from("<I", data, at)
            content = data[at + 4 : at + 4 + length]
            found[key] = {_STRING: _narrow, _UNICODE: _wide}.get(kind, bytes)(content)
            at += 4 + length + (-length % 4)
    return found


def _behind_name(data: bytes, at: int) -> int:
    """Skip the name of a named property: a GUID, then a number or a string."""
    (kind,) = struct.unpack_from("<I", data, at + 16)
    if kind == 0:
        return at + 24
    (length,) = struct.unpack_from("<I", data, at + 20)
    return int(at + 24 + length + (-length % 4))


def _narrow(data: bytes) -> str:
    return data.split(b"\0")[0].decode("cp1252", "replace")


def _wide(data: bytes) -> str:
    return data.decode("utf-16-le", "replace").rstrip("\0")


def _text_part(own: Mapping[int, bytes | str]) -> str:
    text, html = own.get(_TEXT, ""), own.get(_HTML, b"")
    if isinstance(text, str) and text.strip():
        return _part("text/plain; charset=utf-8", text.encode("utf-8", "replace"))
    return _part("text/html", html) if isinstance(html, bytes) and html.strip() else ""


def _file_part(one: Mapping[int, bytes | str]) -> str:
    data, name = one.get(_FILE_DATA), str(one.get(_LONG_NAME) or "attachment")
    if not isinstance(data, bytes):
        return ""
    kind = str(one.get(_FILE_TYPE) or "")
    safe = re.sub(r"[\"\r\n\\]", "_", name)
    placed = f'Content-Disposition: attachment; filename="{safe}"\r\n'
    cid = re.sub(r"[<>\s]", "", str(one.get(_FILE_ID) or ""))
    placed += f"Content-ID: <{cid}>\r\n" if cid else ""
    return _part(kind if _SAFE_TYPE.fullmatch(kind) else "application/octet-stream", data, placed)


def _part(kind: str, content: bytes, placed: str = "") -> str:
    encoded = base64.encodebytes(content).decode("ascii")
    return f"Content-Type: {kind}\r\n{placed}Content-Transfer-Encoding: base64\r\n\r\n{encoded}"
