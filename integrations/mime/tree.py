"""Splits raw bytes into a tree of MIME parts in linear time, within limits of depth and width.

The standard library's parser recurses without a limit, takes seconds on hostile nesting, parameters and headers, and
needs four times the mail's memory. This parser leaves out what exceeds its limits and sets a flag.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from integrations.mime.formats import smime, tnef
from integrations.mime.headers import parameters_of, text_of_bytes
from integrations.mime.transfer import transferred

MAX_HEADER_BYTES: Final = 100_000
MAX_FIELDS: Final = 1000
MAX_FIELD_BYTES: Final = 40_000
MAX_PARTS: Final = 300
MAX_DEPTH: Final = 20

Fields = tuple[tuple[str, str], ...]
"""Fields in order: names in lower case, values unfolded but not decoded."""

_FIELD: Final = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
_KNOWN: Final = (
    rb"(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|in-reply-to|references|received|return-path|"
    rb"delivered-to|envelope-to|mime-version|content-[a-z-]+|x-[a-z0-9-]+|dkim-signature|list-[a-z-]+|precedence|"
    rb"auto-submitted|authentication-results|user-agent|organization|importance|resent-[a-z-]+|status|arc-[a-z-]+)"
)
_KNOWN_FIELD: Final = re.compile(_KNOWN + rb"[ \t]*:", re.IGNORECASE)
_TRANSPORT: Final = re.compile(
    rb"(?:received|return-path|delivered-to|message-id|mime-version|x-[a-z-]+):", re.IGNORECASE
)
_ESSENTIAL: Final = re.compile(
    rb"^(?:from|to|cc|reply-to|subject|date|message-id|in-reply-to|references|content-type|"
    rb"content-transfer-encoding|content-disposition|content-id|auto-submitted|precedence|list-id|return-path)[ \t]*:"
    rb"[^\n]{0,8000}(?:\n[ \t][^\n]{0,500}){0,20}",
    re.IGNORECASE | re.MULTILINE,
)
NEAR: Final = 20_000
"""Bytes from the start of a header that are searched for the charset of the text."""
_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_SET_IN_PARAMETER: Final = re.compile(rb"[ \t]+[\w*-]{1,40}=[^\r\n]{1,200}\r?\n\r?\n")
_BLANK_LINE: Final = re.compile(rb"\n\r?\n")
_SOLID: Final = re.compile(rb"[^\r\n]")
_FOLD: Final = re.compile(r"\r?\n[ \t]*")
_TYPE: Final = re.compile(r"[!-.0-~]+/[!-.0-~]+")
_WRAPPINGS: Final[Mapping[str, Callable[[bytes, set[str]], bytes | None]]] = {
    **dict.fromkeys(smime.TYPES, smime.signed_content),
    **dict.fromkeys(tnef.TYPES, tnef.mail_in),
}
"""Types of parts that contain a mail in another format, with the function that extracts it."""
_BY_NAME: Final = {"smime.p7m": "application/pkcs7-mime", "winmail.dat": "application/ms-tnef"}
_NESTED: Final = frozenset({"message/rfc822", "message/global", "message/news"})


@dataclass(frozen=True, slots=True)
class MimePart:
    """One MIME entity: its header fields, and the position of its body."""

    fields: Fields
    type: str
    parameters: Mapping[str, str]
    disposition: str
    disposition_parameters: Mapping[str, str]
    buffer: bytes = field(repr=False)
    start: int
    end: int
    parts: tuple["MimePart", ...] = ()

    @property
    def body(self) -> bytes:
        """The body before transfer decoding."""
        return self.buffer[self.start : self.end]

    def get(self, name: str) -> str:
        """Return the first field of that name, or an empty text."""
        return next((value for key, value in self.fields if key == name), "")

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.fields if key == name)

    def walk(self) -> Iterator["MimePart"]:
        """Yield this part and all below it, in order."""
        yield self
        for part in self.parts:
            yield from part.walk()


def tree_of(raw: bytes, odd: set[str]) -> MimePart:
    return _Cutter(raw, odd).part(0, len(raw), "text/plain", depth=0)


def starts_with_fields(raw: bytes) -> bool:
    """Tell whether the text begins with a header block, perhaps behind an mbox envelope line.

    A text that quotes `From:` and `Sent:` in its second line is no mail; an unusual first line needs transport fields below.
    """
    first, _, rest = raw[:4000].partition(b"\n")
    if not (_FIELD.match(first) or first.startswith((b"From ", b">From ")) or _TRANSPORT.match(rest)):
        return False
    fields, _ = _fields(raw, 0, min(len(raw), 2 * MAX_HEADER_BYTES), set())
    return any(_KNOWN_FIELD.match(f"{name}:".encode("ascii", "replace")) for name, _ in fields)


def _kind_of(kind: str, parameters: Mapping[str, str], details: Mapping[str, str]) -> str:
    """Return the type; for a generic type (application/octet-stream), the type of the file name."""
    name = (details.get("filename") or parameters.get("name") or "").lower()
    return _BY_NAME.get(name, kind) if kind == "application/octet-stream" else kind


@dataclass(slots=True)
class _Cutter:
    """Splits one buffer and counts the parts."""

    buffer: bytes
    odd: set[str]
    count: int = 0

    def part(self, start: int, end: int, default: str, depth: int) -> MimePart:
        """Parse the entity between two positions."""
        self.count += 1
        fields, body = _fields(self.buffer, start, end, self.odd)
        values = dict(reversed(fields))
        kind, parameters = parameters_of(values.get("content-type", default), self.odd)
        disposition, details = parameters_of(values.get("content-disposition", ""), self.odd)
        kind = _kind_of(kind if _TYPE.fullmatch(kind) else default, parameters, details)
        encoding = values.get("content-transfer-encoding", "")
        parts = self._below(kind, parameters.get("boundary", ""), encoding, body, end, depth)
        return MimePart(fields, kind, parameters, disposition, details, self.buffer, body, end, parts)

    def _below(self, kind: str, boundary: str, encoding: str, start: int, end: int, depth: int) -> tuple[MimePart, ...]:
        """Parse the parts of a multipart, or the mail inside message/rfc822."""
        unwrap = _WRAPPINGS.get(kind)
        if kind not in _NESTED and not unwrap and not kind.startswith("multipart/"):
            return ()
        if depth >= MAX_DEPTH:
            self.odd.add("degraded:depth")
            return ()
        if unwrap:
            return self._unwrapped(unwrap(transferred(self.buffer[start:end], encoding, self.odd), self.odd), depth)
        if kind in _NESTED:
            return self._nested(encoding, start, end, depth)
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        return tuple(self._cut(boundary, start, end, default, depth))

    def _unwrapped(self, inside: bytes | None, depth: int) -> tuple[MimePart, ...]:
        """Parse the mail inside a part of another format."""
        if inside is None:
            return ()
        cutter = _Cutter(inside, self.odd, self.count)
        part = cutter.part(0, len(inside), "text/plain", depth + 1)
        self.count = cutter.count
        return (part,)

    def _nested(self, encoding: str, start: int, end: int, depth: int) -> tuple[MimePart, ...]:
        """Parse an attached mail, also one in base64, which RFC 2046, section 5.2.1, forbids."""
        cutter = self
        if encoding.strip().lower() in {"base64", "quoted-printable"}:
            inside = transferred(self.buffer[start:end], encoding, self.odd)
            cutter = _Cutter(inside, self.odd, self.count)
            start, end = 0, len(inside)
        solid = _SOLID.search(cutter.buffer, start, end)
        start = solid.start() if solid else end
        if not _FIELD.match(cutter.buffer, start, end) and not cutter.buffer.startswith((b"From ", b">From "), start):
            return ()
        part = cutter.part(start, end, "text/plain", depth + 1)
        self.count = cutter.count
        return (part,)

    def _cut(self, boundary: str, start: int, end: int, default: str, depth: int) -> Iterator[MimePart]:
        for begin, stop in self._spans(boundary.rstrip().encode("utf-8", "replace"), start, end):
            if self.count >= MAX_PARTS:
                self.odd.add("degraded:parts")
                return
            yield self.part(begin, stop, default, depth + 1)

    def _spans(self, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield start and end of each part; a part without a closing line ends with its container."""
        if not boundary:
            self.odd.add("no-boundary")
            return
        begin = -1
        for line, after, closing in self._delimiters(boundary, start, end):
            if begin >= 0:
                yield begin, max(begin, line)
            begin = after
            if closing:
                return
        if begin >= 0:
            self.odd.add("unclosed-multipart")
            yield min(begin, end), end
        else:
            self.odd.add("no-boundary")

    def _delimiters(self, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """Yield each delimiter line: end of the part before, start of the next one, whether it closes."""
        needle = b"\n--" + boundary
        at = start - 1 if start and self.buffer.startswith(needle, start - 1) else self.buffer.find(needle, start, end)
        while at >= 0:
            tail = at + len(needle)
            stop = self.buffer.find(b"\n", tail, end)
            stop = end if stop < 0 else stop
            rest = self.buffer[tail : min(stop, tail + 100)].strip()
            if not rest or rest.startswith(b"--"):
                before = at - 1 if at > start and self.buffer[at - 1] == ord("\r") else at
                yield before, stop + 1, bool(rest)
            at = self.buffer.find(needle, stop, end)


def _fields(buffer: bytes, start: int, end: int, odd: set[str]) -> tuple[Fields, int]:
    """Parse the header block at `start`; return the start of the body, too."""
    found: list[tuple[str, list[bytes]]] = []
    at, size = start, 0
    while at < end:
        stop = buffer.find(b"\n", at, end)
        stop = end if stop < 0 else stop
        size += stop - at
        if size > MAX_HEADER_BYTES or (len(found) >= MAX_FIELDS and buffer[at:stop].strip(b"\r")):
            odd.add("degraded:headers")
            return _rest_of_block(found, buffer, at, end)
        line = buffer[at:stop].rstrip(b"\r")
        match = _FIELD.match(line)
        if match:
            found.append((match[1].decode("ascii").lower(), [line[match.end() :]]))
        elif not line and _goes_on(found, buffer, stop + 1, end):
            odd.add("broken-header")
        elif not line:
            return _joined(found, odd, buffer[start : start + NEAR]), stop + 1 if stop < end else end
        elif not found and line.startswith((b"From ", b">From ")):
            pass  # the envelope line of an mbox file
        elif line[0] in b" \t" or _is_unfolded(found, line) or _is_slip(buffer, stop + 1, end):
            _continue(found, line, odd)
        else:
            odd.add("no-blank-line")
            return _joined(found, odd, buffer[start : start + NEAR]), at
        at = stop + 1
    return _joined(found, odd, buffer[start : start + NEAR]), end


def _continue(found: list[tuple[str, list[bytes]]], line: bytes, odd: set[str]) -> None:
    """Append a folded line, or one that was broken without folding."""
    if line[0] not in b" \t":
        odd.add("broken-header")
    if found:
        found[-1][1].append(line)


def _is_unfolded(found: list[tuple[str, list[bytes]]], line: bytes) -> bool:
    """Tell whether the line is a parameter that lacks the leading blank of a folded line."""
    return bool(found) and found[-1][1][-1].rstrip().endswith(b";") and b"=" in line


def _is_slip(buffer: bytes, start: int, end: int) -> bool:
    """Tell whether an invalid line stands inside a header block: known fields follow before the blank line."""
    for line in buffer[start : min(end, start + 2000)].splitlines()[:12]:
        if not line:
            return False
        if _KNOWN_FIELD.match(line):
            return True
    return False


def _rest_of_block(found: list[tuple[str, list[bytes]]], buffer: bytes, at: int, end: int) -> tuple[Fields, int]:
    """Beyond the limit, collect the essential fields of the block only, and cut each of them."""
    blank = _BLANK_LINE.search(buffer, at, end)
    stop = blank.start() if blank else end
    have = {name for name, _ in found}
    for match in _ESSENTIAL.finditer(buffer, at, stop):
        name, _, value = match[0].partition(b":")
        key = name.strip().decode("ascii").lower()
        if key not in have:
            have.add(key)
            found.append((key, [value]))
    return _joined(found, set(), buffer[at : at + NEAR]), blank.end() if blank else end


def _goes_on(found: list[tuple[str, list[bytes]]], buffer: bytes, start: int, end: int) -> bool:
    """Tell whether a blank line separates a field from its parameters, such as an indented boundary below."""
    waits = bool(found) and found[-1][1][-1].rstrip().endswith(b";")
    return waits and bool(_SET_IN_PARAMETER.match(buffer, start, end))


def _joined(found: list[tuple[str, list[bytes]]], odd: set[str], near: bytes) -> Fields:
    """Unfold values and cut long ones; bytes beyond ASCII take the charset of the text nearby."""
    fields = []
    label = ""
    if any(not line.isascii() for _, lines in found for line in lines):
        match = _CHARSET.search(near)
        label = match[1].decode("ascii") if match else ""
    for name, lines in found:
        value = b"\n ".join(line.strip(b" \t\r") for line in lines) if len(lines) > 1 else lines[0].strip(b" \t\r")
        if len(value) > MAX_FIELD_BYTES:
            odd.add("degraded:headers")
            value = value[:MAX_FIELD_BYTES]
        fields.append((name, _FOLD.sub(" ", text_of_bytes(value, label))))
    return tuple(fields)
