"""Rebuilds a raw mail from the fields of providers that do not post the raw mail.

Strangers write the fields. So this module writes the header lines itself: a library may turn a line break in a subject
into a header of its own (the class of CVE-2024-6923).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.charset import BASE64, SHORTEST, Charset
from email.header import Header
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import compat32
from email.utils import quote
from hashlib import sha256
from typing import Final

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}")
_TYPE: Final = re.compile(r"([a-z]+)/([a-z0-9!#$&^_.+-]{1,100})")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_NO_BASE64: Final = re.compile(r"[^A-Za-z0-9+/=]+")
_REWRITTEN: Final = frozenset({"mime-version", "content-type", "content-transfer-encoding", "content-disposition"})
"""Headers that describe the parts of the original mail; the parts are rebuilt."""
_POLICY: Final = compat32.clone(linesep="\r\n", max_line_length=0)


def _utf8() -> Charset:
    """Return UTF-8 with encodings of its own: a library may change the process's, and the same fields must give the same bytes."""
    charset = Charset("utf-8")
    charset.header_encoding, charset.body_encoding = SHORTEST, BASE64
    return charset


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAddress:
    """An address as the provider parsed it."""

    email: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailPiece:
    """An attachment; one with a `content_id` becomes inline."""

    name: str
    content_type: str
    base64: str = field(repr=False)
    content_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The fields of a mail as a provider posts them."""

    headers: Sequence[tuple[str, str]]
    """Name and value, in the provider's order."""
    mailboxes: Sequence[tuple[str, Sequence[NamedAddress]]] = ()
    """Headers that the provider parsed into addresses; used only where `headers` lacks the name."""
    words: Sequence[tuple[str, str]] = ()
    """Headers that the provider decoded into text; used only where `headers` lacks the name."""
    text: str = ""
    html: str = ""
    pieces: Sequence[MailPiece] = ()


def mail_of(fields: Fields) -> bytes:
    """Build a raw mail (RFC 5322); the same fields always give the same bytes."""
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
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()


def _clean(value: str) -> str:
    """Replace control characters and line breaks by blanks."""
    return _CONTROL.sub(" ", _sound(value)).strip()


def _encoded(value: str) -> str:
    """Encode by RFC 2047 what is not ASCII, and ASCII that readers would take for an encoded word."""
    value = _clean(value)
    return value if value.isascii() and "=?" not in value else Header(value, _utf8()).encode(linesep="\r\n")


def _addresses(boxes: Sequence[NamedAddress]) -> str:
    return ",\r\n ".join(_address(box) for box in boxes)


def _address(box: NamedAddress) -> str:
    """Write one address; a non-ASCII one stays UTF-8 (RFC 6532)."""
    email = re.sub(r"[<>]", "", _clean(box.email))
    name = _clean(box.name)
    if not name:
        return f"<{email}>"
    plain = name.isascii() and "=?" not in name
    return f'"{quote(name)}" <{email}>' if plain else f"{_encoded(name)} <{email}>"


def _body(fields: Fields, seed: str) -> MIMEBase:
    """Build the MIME body: text before HTML, attachments last."""
    texts: list[MIMEBase] = [_text(fields.text, "plain")] if fields.text or not fields.html else []
    texts += [_text(fields.html, "html")] if fields.html else []
    body = texts[0] if len(texts) == 1 else MIMEMultipart("alternative", f"{seed}.text", texts)
    if not fields.pieces:
        return body
    return MIMEMultipart("mixed", f"{seed}.parts", [body, *(_attachment(piece) for piece in fields.pieces)])


def _text(text: str, kind: str) -> MIMEBase:
    part = MIMENonMultipart("text", kind, charset="utf-8")
    part.set_payload(_sound(text), _utf8())
    return part


def _attachment(piece: MailPiece) -> MIMEBase:
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
    """Return main type and subtype; octet-stream for messages and multiparts, where RFC 2046 forbids base64."""
    found = _TYPE.match(content_type.strip().lower())
    kind, detail = found.groups() if found else ("application", "octet-stream")
    return ("application", "octet-stream") if kind in {"message", "multipart"} else (kind, detail)
