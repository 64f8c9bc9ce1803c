"""Turns attached pictures into `data:` addresses, so that a page shows them and asks nobody for them."""

import base64
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote, urlsplit

from integrations.mime.headers import ids_of
from integrations.mime.parts import content_of
from integrations.mime.tree import MimePart

MAX_PICTURE: Final = 3_000_000
MAX_PICTURES: Final = 12_000_000
"""Bytes of one picture, and of all that one mail shows."""
INLINE: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{1,4200000}")
"""Addresses that a page may have: pictures made of points, never of markup."""

_KINDS: Final = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))


class InlinePictures:
    """The attached pictures of one mail by their Content-ID."""

    def __init__(self, parts: Iterable[MimePart]) -> None:
        self._parts: dict[str, MimePart] = {}
        self._left = MAX_PICTURES
        for part in parts:
            for name in ids_of(part.get("content-id"))[:1]:
                self._parts.setdefault(name, part)

    def address(self, source: str) -> str:
        """Return the `data:` address of an `img`; empty where the mail holds no such picture."""
        source = source.strip()
        if source[:5].lower() == "data:":
            bare = re.sub(r"\s", "", source[: 2 * MAX_PICTURE])
            return bare if INLINE.fullmatch(bare) and self._fits(len(bare)) else ""
        part = self._parts.get(unquote(source[4:])) if source[:4].lower() == "cid:" else None
        data = content_of(part, set()) if part else b""
        kind = kind_of(data)
        if not kind or not self._fits(len(data)):
            return ""
        return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"

    def _fits(self, size: int) -> bool:
        """Tell whether there is room for one more, and take it."""
        if size > min(MAX_PICTURE, self._left):
            return False
        self._left -= size
        return True


def kind_of(data: bytes) -> str:
    """Return `png`, `jpeg`, `gif` or `webp` by what the bytes are, whatever they are called; empty for all else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((kind for start, kind in _KINDS if data.startswith(start)), "")


def host_of(source: str) -> str:
    """Return the host that an address asks; empty if it asks none."""
    text = source.strip()
    if text.startswith("//"):
        text = f"https:{text}"
    try:
        parts = urlsplit(text)
        return parts.hostname or "" if parts.scheme.lower() in {"http", "https", "ftp"} else ""
    except ValueError:
        return ""
