"""Rebuilds a raw mail from the fields of providers that do not post the raw mail.

Everything in the fields was once written by a stranger. So header lines are written here, byte by byte, and never by a
library that might fold a line break out of a subject into a header of its own (the class of CVE-2024-6923).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.header import Header
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import quote
from hashlib import sha256
from typing import Final

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}")
_TYPE: Final = re.compile(r"([a-z]+)/([a-z0-9!#$&^_.+-]{1,100})")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_NO_BASE64: Final = re.compile(r"[^A-Za-z0-9+/=]+")
_REWRITTEN: Final = frozenset({"mime-version", "content-type", "content-transfer-encoding", "content-disposition"})
"""They describe the parts of the mail as it was; the parts are new."""
_POLICY: Final = compat32.clone(linesep="\r\n", max_line_length=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAddress:
    """An address as a provider has read it."""

    email: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """An attachment."""

    name: str
    content_type: str
    base64: str = field(repr=False)
    content_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """A mail in pieces."""

    headers: Sequence[tuple[str, str]]
    """As the provider lists them, in their order."""
    mailboxes: Sequence[tuple[str, Sequence[NamedAddress]]] = ()
    """Headers that the provider took out of the list and read as addresses."""
    words: Sequence[tuple[str, str]] = ()
    """Headers that it took out of the list and decoded."""
    text: str = ""
    html: str = ""
    pieces: Sequence[Piece] = ()


def mail_of(fields: Fields) -> bytes:
    """The mail again; the same fields always give the same bytes."""
    listed = [(name, value) for name, value in fields.headers if _TOKEN.fullmatch(name)]
    there = {name.lower() for name, _ in listed}
    lines = [_line(name, _clean(value)) for name, value in listed if name.lower() not in _REWRITTEN]
    lines += [_line(name, _addresses(boxes)) for name, boxes in fields.mailboxes if boxes and name.lower() not in there]
    lines += [_line(name, _encoded(value)) for name, value in fields.words if value and name.lower() not in there]
    seed = sha256(repr((fields.headers, fields.text, fields.html)).encode("utf-8", "replace")).hexdigest()[:24]
    return b"".join(lines) + _body(fields, seed).as_bytes(policy=_POLICY)


def _line(name: str, value: str) -> bytes:
    return f"{name}: {value}\r\n".encode()


def _sound(text: str) -> str:
    """Without half characters, which no encoding can write."""
    return text.encode("utf-8", "replace").decode()


def _clean(value: str) -> str:
    """One line, whatever it was."""
    return _CONTROL.sub(" ", _sound(value)).strip()


def _encoded(value: str) -> str:
    """RFC 2047 where it is needed, and where it would be read although nobody meant it."""
    value = _clean(value)
    return value if value.isascii() and "=?" not in value else Header(value, "utf-8").encode(linesep="\r\n")


def _addresses(boxes: Sequence[NamedAddress]) -> str:
    return ",\r\n ".join(_address(box) for box in boxes)


def _address(box: NamedAddress) -> str:
    """An address with letters beyond ASCII is left as UTF-8, as RFC 6532 has it."""
    email = re.sub(r"[<>]", "", _clean(box.email))
    name = _clean(box.name)
    if not name:
        return f"<{email}>"
    plain = name.isascii() and "=?" not in name
    return f'"{quote(name)}" <{email}>' if plain else f"{_encoded(name)} <{email}>"


def _body(fields: Fields, seed: str) -> MIMEBase:
    """Text before HTML, attachments after both."""
    texts: list[MIMEBase] = [MIMEText(_sound(fields.text), "plain", "utf-8")] if fields.text or not fields.html else []
    texts += [MIMEText(_sound(fields.html), "html", "utf-8")] if fields.html else []
    body = texts[0] if len(texts) == 1 else MIMEMultipart("alternative", f"{seed}.text", texts)
    if not fields.pieces:
        return body
    return MIMEMultipart("mixed", f"{seed}.parts", [body, *(_attachment(piece) for piece in fields.pieces)])


def _attachment(piece: Piece) -> MIMEBase:
    part = MIMENonMultipart(*_type(piece.content_type))
    part["Content-Transfer-Encoding"] = "base64"
    name = _clean(piece.name)
    how = "inline" if piece.content_id else "attachment"
    part.add_header("Content-Disposition", how, filename=name if name.isascii() else ("utf-8", "", name))
    if content_id := _clean(piece.content_id).strip("<>"):
        part["Content-ID"] = f"<{content_id.encode('ascii', 'replace').decode()}>"
    data = _NO_BASE64.sub("", piece.base64)
    part.set_payload("\r\n".join(data[at : at + 76] for at in range(0, len(data), 76)))
    return part


def _type(content_type: str) -> tuple[str, str]:
    """RFC 2046 allows no base64 in `message/rfc822` and in multiparts, so these travel as plain bytes."""
    found = _TYPE.match(content_type.strip().lower())
    kind, detail = found.groups() if found else ("application", "octet-stream")
    return ("application", "octet-stream") if kind in {"message", "multipart"} else (kind, detail)
