"""Frames between parent and isolated child: bytes in, JSON out, checked by the parent."""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from struct import Struct
from typing import Any, Final

from triage.domain.mail import MailView, Message

HEAD: Final = Struct("!cI")
"""Header of every frame: one byte of kind, and the number of bytes that follow (32 bits)."""

WHOLE: Final = b"W"
"""To the child: read this mail."""
BRIEF: Final = b"B"
"""To the child: read only the headers and the first text of this mail."""
FILES: Final = b"F"
"""To the child: extract the attachments whose SHA-256 the first line names from the mail that follows."""
VIEW: Final = b"V"
"""To the child: show the mail that follows the first line, which has labels of words, as a person reads it."""
READY: Final = b"R"
"""From the child: isolated and ready for mail."""
MESSAGE: Final = b"M"
"""From the child: the parsed mail, as JSON."""
VIEWED: Final = b"S"
"""From the child: the view of a mail, as JSON."""
CONTENTS: Final = b"C"
"""From the child: a line of JSON with names and sizes, then the bytes of each file."""
NO_MAIL: Final = b"N"
"""From the child: why the bytes are not a mail."""
BROKEN: Final = b"X"
"""From the child: where parsing failed, as its last frame."""


def packed(message: Message | MailView) -> bytes:
    """A message or a view as JSON; with pickle, a compromised child could run code in the parent."""
    return json.dumps(message, default=_plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def wish(wanted: Collection[str], raw: bytes) -> bytes:
    """The payload of `FILES`."""
    return " ".join(wanted).encode() + b"\n" + raw


def wished(payload: bytes) -> tuple[list[str], bytes]:
    """Decode the payload of `FILES`: the SHA-256 names and the raw mail."""
    names, _, raw = payload.partition(b"\n")
    return names.decode().split(), raw


def look(labels: Mapping[str, str], raw: bytes, *, plain: bool) -> bytes:
    """The payload of `VIEW`."""
    return json.dumps([dict(labels), plain]).encode() + b"\n" + raw


def view_request(payload: bytes) -> tuple[dict[str, str], bool, bytes]:
    """Decode the payload of `VIEW`: the labels, whether plain text is preferred, and the raw mail."""
    head, _, raw = payload.partition(b"\n")
    labels, plain = json.loads(head)
    return labels, plain, raw


def encode_files(contents: Mapping[str, bytes]) -> bytes:
    sizes = [[name, len(content)] for name, content in contents.items()]
    return b"\n".join((json.dumps(sizes).encode(), b"".join(contents.values())))


def decode_files(payload: bytes) -> dict[str, bytes]:
    """Decode the payload of `CONTENTS`. Raises `ValueError`, or `TypeError` for JSON of another shape."""
    head, _, rest = payload.partition(b"\n")
    contents, start = {}, 0
    for name, size in json.loads(head):
        contents[str(name)] = rest[start : start + size]
        start += size
    if start != len(rest):
        raise ValueError("sizes that do not add up")
    return contents


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return {field.name: getattr(value, field.name) for field in fields(value)}
