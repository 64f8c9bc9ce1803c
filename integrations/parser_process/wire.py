"""Frames between parent and isolated child: bytes in, JSON out, checked by the parent."""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from struct import Struct
from typing import Any, Final

from triage.domain.mail import Message

HEAD: Final = Struct("!cI")
"""Before every frame: what it is, and how many bytes follow."""

WHOLE: Final = b"W"
"""To the child: read this mail."""
BRIEF: Final = b"B"
"""To the child: read only the head and the first text of it."""
FILES: Final = b"F"
"""To the child: cut the attachments named in the first line out of the mail behind it."""
READY: Final = b"R"
"""From the child: I am shut in and wait for mail."""
MESSAGE: Final = b"M"
"""From the child: what the mail says."""
CONTENTS: Final = b"C"
"""From the child: a line of JSON with names and sizes, then the bytes of one after the other."""
NO_MAIL: Final = b"N"
"""From the child: why it is no mail."""
BROKEN: Final = b"X"
"""From the child: where reading failed; its last words."""


def packed(message: Message) -> bytes:
    """A message as JSON. No pickle: what comes back from behind the glass must not be able to run."""
    return json.dumps(message, default=_plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def wish(wanted: Collection[str], raw: bytes) -> bytes:
    """What is asked with `FILES`."""
    return " ".join(wanted).encode() + b"\n" + raw


def wished(payload: bytes) -> tuple[list[str], bytes]:
    """The same on the other side."""
    names, _, raw = payload.partition(b"\n")
    return names.decode().split(), raw


def crate(contents: Mapping[str, bytes]) -> bytes:
    """What is answered with `CONTENTS`."""
    sizes = [[name, len(content)] for name, content in contents.items()]
    return b"\n".join((json.dumps(sizes).encode(), b"".join(contents.values())))


def crated(payload: bytes) -> dict[str, bytes]:
    """The same on the other side. Raises `ValueError` for what is no such thing."""
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
