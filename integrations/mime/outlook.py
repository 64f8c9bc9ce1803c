"""Turns an Outlook .msg file into a mail: text, header and attachments, as far as they can be found."""

import base64
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.errors import NotAMail

OUTLOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of every compound file (MS-CFB)."""

_END: Final = 0xFFFFFFFA
"""From here on a sector number is a mark, not a place."""
_ENTRY: Final = 128
_STREAM: Final = 2
_MAX_ENTRIES: Final = 20_000
_SMALL: Final = 4096
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
    """The same mail as MIME. Raises `NotAMail` where the file holds none, as a Word document does."""
    try:
        streams = _Compound.opened(data).streams()
    except (struct.error, IndexError, ValueError) as e:
        raise NotAMail("it is a damaged Outlook or Office file") from e
    own = streams.get("", {})
    if not own.keys() & {_HEADER, _BODY, _HTML, *_SYNTHETIC["Subject"]}:
        raise NotAMail("it is an Office file of some other kind")
    parts = [_text_part(own), *(_file_part(one) for name, one in streams.items() if name)]
    head = _header(own) + f'\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\r\n'
    body = "".join(f"\r\n--{_BOUNDARY}\r\n{part}" for part in parts if part)
    return f"{head}{body}\r\n--{_BOUNDARY}--\r\n".encode("utf-8", "replace")


def _header(own: Mapping[str, bytes]) -> str:
    """The header as it was transported, else one made of what Outlook shows."""
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
    """A string property: UTF-16 in files of this century."""
    return data.decode("utf-16-le", "replace").rstrip("\0")


@dataclass(frozen=True, slots=True)
class _Compound:
    """The little file system inside the file: sectors in chains, a directory, small streams packed into one."""

    data: bytes
    shift: int
    chains: tuple[int, ...]
    directory: int
    small_chains: tuple[int, ...]

    @classmethod
    def opened(cls, data: bytes) -> "_Compound":
        """Read the header and the chain tables."""
        (shift,) = struct.unpack_from("<H", data, 30)
        if not 9 <= shift <= 12:  # noqa: PLR2004 - 512 or 4096 bytes; anything else is damage
            raise ValueError(shift)
        (directory,) = struct.unpack_from("<I", data, 48)
        first_small, _, first_table, _ = struct.unpack_from("<4I", data, 60)
        tables = list(struct.unpack_from("<109I", data, 76))
        bare = cls(data, shift, (), directory, ())
        size = (1 << shift) // 4
        seen: set[int] = set()
        while first_table < _END and first_table not in seen:
            seen.add(first_table)
            *more, following = struct.unpack_from(f"<{size}I", data, bare.place(first_table))
            tables += more
            first_table = following
        chains = tuple(
            number
            for table in tables
            if table < _END and bare.place(table) + 4 * size <= len(data)
            for number in struct.unpack_from(f"<{size}I", data, bare.place(table))
        )
        whole = cls(data, shift, chains, directory, ())
        small = whole.chain(first_small)
        return cls(data, shift, chains, directory, struct.unpack(f"<{len(small) // 4}I", small[: len(small) // 4 * 4]))

    def place(self, sector: int) -> int:
        """Where a sector begins."""
        return (sector + 1) << self.shift

    def chain(self, sector: int) -> bytes:
        """All sectors of one chain."""
        places = _followed(sector, self.chains)
        return b"".join(self.data[self.place(number) : self.place(number + 1)] for number in places)

    def streams(self) -> dict[str, dict[str, bytes]]:
        """Properties by id, of the mail itself under the empty name and of each attachment under its storage's."""
        raw = self.chain(self.directory)
        entries = [_Entry.read(raw, at) for at in range(0, min(len(raw), _MAX_ENTRIES * _ENTRY) - _ENTRY + 1, _ENTRY)]
        packed = self.chain(entries[0].start) if entries else b""
        found: dict[str, dict[str, bytes]] = {}
        for folder, entry in _walked(entries):
            match = re.fullmatch(r"__substg1\.0_([0-9A-F]{4})(?:001F|0102)", entry.name)
            if match and entry.kind == _STREAM and (not folder or folder.startswith("__attach")):
                found.setdefault(folder, {})[match[1].lower()] = self._content(entry, packed)
        return found

    def _content(self, entry: "_Entry", packed: bytes) -> bytes:
        if entry.size >= _SMALL:
            return self.chain(entry.start)[: entry.size]
        pieces = (packed[number * 64 : number * 64 + 64] for number in _followed(entry.start, self.small_chains))
        return b"".join(pieces)[: entry.size]


def _followed(start: int, table: tuple[int, ...]) -> Iterator[int]:
    """The numbers of a chain; a circle ends it."""
    seen: set[int] = set()
    while start < _END and start < len(table) and start not in seen:
        seen.add(start)
        yield start
        start = table[start]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the directory: a tree of brothers left and right, children below."""

    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int

    @classmethod
    def read(cls, raw: bytes, at: int) -> "_Entry":
        """One entry."""
        length, kind = struct.unpack_from("<HB", raw, at + 64)
        left, right, child = struct.unpack_from("<3I", raw, at + 68)
        start, size = struct.unpack_from("<2I", raw, at + 116)
        name = raw[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
        return cls(name, kind, left, right, child, start, size)


def _walked(entries: list[_Entry]) -> Iterator[tuple[str, _Entry]]:
    """Each entry with the name of the folder directly above it, the mail's own folder being empty."""
    waiting = [("", entries[0].child)] if entries else []
    seen: set[int] = set()
    while waiting:
        folder, number = waiting.pop()
        if number >= len(entries) or number in seen:
            continue
        seen.add(number)
        entry = entries[number]
        yield folder, entry
        waiting += [(folder, entry.right), (folder, entry.left), (entry.name, entry.child)]
