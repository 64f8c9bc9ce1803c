"""Reads the forms that mail providers post: fields and files as bytes, of any size and charset.

FastAPI's own reader answers 400 to fields above one MiB, which loses large mails, and decodes all fields in one charset.
Here values stay bytes, and URL-encoded ones are decoded only on use: before the signature is checked, a stranger's
flood of percent signs costs nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Final, Self
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from triage.domain.errors import NotAMail

MOST_PARTS: Final = 1000
PIECE: Final = 256 * 1024
"""Bytes decoded at once: the standard library builds a list of all percent signs, many times the size of the mail."""
_TORN: Final = re.compile(rb"%[0-9A-Fa-f]?$")


@dataclass(frozen=True, slots=True)
class FormPart:
    """One field; a file if it has a file name. `percent`: `coded` is URL-encoded."""

    name: str
    filename: str = ""
    content_type: str = ""
    content_id: str = ""
    coded: bytes = field(default=b"", repr=False)
    percent: bool = False

    @property
    def value(self) -> bytes:
        """The decoded bytes, computed anew at each access."""
        return _decoded(self.coded) if self.percent else self.coded


@dataclass(frozen=True, slots=True)
class PostedForm:
    """The parts of a form, in the order of the request."""

    parts: Sequence[FormPart]

    @classmethod
    def read(cls, headers: Mapping[str, str], body: bytes) -> Self:
        """Parse a form; of a truncated body, the complete parts. Raises `NotAMail`."""
        kind, options = parse_options_header(headers.get("content-type", ""))
        if kind == b"multipart/form-data" and options.get(b"boundary"):
            return cls(_multipart(options[b"boundary"], body))
        if kind == b"application/x-www-form-urlencoded":
            return cls(_urlencoded(body))
        raise NotAMail("no form; the provider's inbound mail comes as one")

    def bytes(self, name: str) -> bytes:
        """Return the first value of that name, empty if there is none; files do not count."""
        return next((part.value for part in self.parts if part.name == name and not part.filename), b"")

    def text(self, name: str, charset: str = "utf-8") -> str:
        return text_of(self.bytes(name), charset)

    def has(self, name: str) -> bool:
        return any(part.name == name for part in self.parts)

    @property
    def files(self) -> list[FormPart]:
        return [part for part in self.parts if part.filename]


def names_beside(headers: Sequence[tuple[str, str]], form: PostedForm) -> list[str]:
    """Return which of From, To and Cc only the form has, in a field of its own."""
    there = {name.lower() for name, _ in headers}
    return [name for name in ("From", "To", "Cc") if name.lower() not in there and form.has(name.lower())]


def text_of(value: bytes, charset: str = "utf-8") -> str:
    """Decode `value`; as UTF-8 with replacement characters where the named charset is unknown or wrong."""
    try:
        return value.decode(charset)
    except (LookupError, ValueError):
        return value.decode("utf-8", "replace")


def _urlencoded(body: bytes) -> list[FormPart]:
    pairs = body.split(b"&", MOST_PARTS + 1)
    if len(pairs) > MOST_PARTS:
        raise NotAMail("a form of too many fields")
    split = (pair.partition(b"=") for pair in pairs if pair)
    return [FormPart(text_of(_decoded(name[:PIECE])), coded=value, percent=True) for name, _, value in split]


def _decoded(coded: bytes) -> bytes:
    """Undo the URL encoding piece by piece, without cutting a percent sequence."""
    decoded = bytearray()
    at = 0
    while at < len(coded):
        piece = coded[at : at + PIECE]
        if at + PIECE < len(coded) and (torn := _TORN.search(piece)):
            piece = piece[: torn.start()]
        at += len(piece)
        decoded += unquote_to_bytes(piece.replace(b"+", b" "))
    return bytes(decoded)


def _multipart(boundary: bytes, body: bytes) -> list[FormPart]:
    reading = _Reading()
    try:
        parser = MultipartParser(boundary, reading.callbacks, max_header_count=32, max_header_size=16_384)
        parser.write(body)
    except FormParserError as e:
        raise NotAMail(f"a broken form: {e}") from e
    return reading.parts


class _Reading:
    """Callbacks for the multipart parser; collects each part that is complete."""

    def __init__(self) -> None:
        self.parts: list[FormPart] = []
        self._name = self._value = b""
        self._headers = Message()
        self._data = bytearray()
        self.callbacks: Any = {
            "on_part_begin": self._begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_part_data": self._more,
            "on_part_end": self._end,
        }

    def _begin(self) -> None:
        if len(self.parts) == MOST_PARTS:
            raise NotAMail("a form of too many parts")
        self._headers, self._data = Message(), bytearray()

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._value.decode("latin-1")
        self._name = self._value = b""

    def _more(self, data: bytes, start: int, end: int) -> None:
        self._data += data[start:end]

    def _end(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition", ""))
        part = FormPart(
            name=text_of(options.get(b"name", b"")),
            filename=text_of(options.get(b"filename", b"")),
            content_type=self._headers.get("content-type", ""),
            content_id=self._headers.get("content-id", ""),
            coded=bytes(self._data),
        )
        self.parts.append(part)
        self._data = bytearray()
