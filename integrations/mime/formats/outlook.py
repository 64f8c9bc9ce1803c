"""Turns an Outlook .msg file into a mail: text, header and attachments, as far as they can be found."""

import base64
import re
import struct
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from olefile import OleFileIO

from triage.domain.errors import NotAMail

OUTLOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of every compound file (MS-CFB)."""

_MAX_ENTRIES: Final = 20_000
_PROPERTY: Final = re.compile(r"__substg1\.0_([0-9A-F]{4})(?:001F|0102)")
_BOUNDARY: Final = "outlook-msg-part"
_MIME_FIELD: Final = re.compile(r"(?im)^(?:content-[a-z-]+|mime-version):.*(?:\r?\n[ \t].*)*\r?\n?")

# Property ids of MS-OXPROPS.
_HEADER: Final = "007d"
_BODY: Final = "1000"
_HTML: Final = "1013"
_SYNTHETIC: Final = {"From": ("0c1a", "5d01"), "To": ("0e04",), "Cc": ("0e03",), "Subject": ("0037",)}
_MESSAGE_ID: Final = "1035"
_FILE_NAMES: Final = ("3707", "3704")
_FILE: Final = "3701"
_FILE_TYPE: Final = "370e"
_FILE_ID: Final = "3712"
_IMAGE: Final = re.compile(r"image/[\w.+-]{1,50}")


def mail_of(data: bytes) -> bytes:
    """Convert the file to MIME. Raises `NotAMail` for other compound files, such as Word documents."""
    try:
        streams = _streams(data)
    except (OSError, struct.error, IndexError, ValueError, OverflowError, RecursionError) as e:
        raise NotAMail("it is a damaged Outlook or Office file") from e
    own = streams.get("", {})
    if not own.keys() & {_HEADER, _BODY, _HTML, *_SYNTHETIC["Subject"]}:
        raise NotAMail("it is an Office file of some other kind")
    parts = [_text_part(own), *(_file_part(one) for name, one in streams.items() if name)]
    head = _header(own) + f'\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\r\n'
    body = "".join(f"\r\n--{_BOUNDARY}\r\n{part}" for part in parts if part)
    return f"{head}{body}\r\n--{_BOUNDARY}--\r\n".encode("utf-8", "replace")


def _header(own: Mapping[str, bytes]) -> str:
    """Return the transport header, else a header made from Outlook's own properties."""
    transported = _MIME_FIELD.sub("", _text(own.get(_HEADER, b""))).strip()
    if transported:
        return transported
    lines = []
    for name, ids in _SYNTHETIC.items():
        values = [" ".join(_text(own.get(one, b"")).split()) for one in ids]
        if any(values):
            lines.append(f"{name}: {values[0]}" + "".join(f" <{value}>" for value in values[1:] if value))
    if own.get(_MESSAGE_ID):
        lines.append(f"Message-ID: {' '.join(_text(own[_MESSAGE_ID]).split())}")
    return "\r\n".join(lines) or "X-Outlook: msg"


def _text_part(own: Mapping[str, bytes]) -> str:
    body, html = _text(own.get(_BODY, b"")), own.get(_HTML, b"")
    if body.strip() or not html:
        return _part("text/plain; charset=utf-8", body.encode("utf-8", "replace"))
    return _part("text/html", html)


def _file_part(own: Mapping[str, bytes]) -> str:
    name = next((_text(own[one]) for one in _FILE_NAMES if own.get(one)), "attachment")
    safe = re.sub(r"[\"\r\n\\]", "_", name)
    image = _IMAGE.fullmatch(_text(own.get(_FILE_TYPE, b"")))
    cid = re.sub(r"[<>\s]", "", _text(own.get(_FILE_ID, b"")))
    kind = image[0] if image else "application/octet-stream"
    return _part(kind, own[_FILE], name=safe, cid=cid) if own.get(_FILE) else ""


def _part(kind: str, content: bytes, name: str = "", cid: str = "") -> str:
    placed = f'Content-Disposition: attachment; filename="{name}"\r\n' if name else ""
    placed += f"Content-ID: <{cid}>\r\n" if cid else ""
    encoded = base64.encodebytes(content).decode("ascii")
    return f"Content-Type: {kind}\r\n{placed}Content-Transfer-Encoding: base64\r\n\r\n{encoded}"


def _text(data: bytes) -> str:
    """Decode a string property; current files use UTF-16."""
    return data.decode("utf-16-le", "replace").rstrip("\0")


def _streams(data: bytes) -> dict[str, dict[str, bytes]]:
    """Return properties by id: the mail's under the empty name, each attachment's under the name of its storage."""
    found: dict[str, dict[str, bytes]] = {}
    left = 2 * len(data)  # entries can share bytes, so that all of them together exceed the file: a bomb
    with OleFileIO(BytesIO(data)) as compound:
        for entry in compound.listdir()[:_MAX_ENTRIES]:
            *folders, name = entry
            match = _PROPERTY.fullmatch(name)
            if match and (not folders or (len(folders) == 1 and folders[0].startswith("__attach"))):
                left -= compound.get_size(entry)
                if left < 0:
                    raise ValueError(left)
                content = compound.openstream(entry).read()
                found.setdefault("".join(folders), {})[match[1].lower()] = content
    return found
