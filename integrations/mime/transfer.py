"""Undoes base64, quoted-printable and uuencode, however damaged they arrive."""

import binascii
import re
from typing import Final

from mailparser.utils import decode_base64_payload

_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n\t "
_HIGH: Final = bytes(range(128, 256))
_APART: Final = re.compile(rb"[^\s]{1,25}[ \t]+(?=[^\s])")
WORDS_APART: Final = 12
"""Average letters per word of plain text, at most; base64 lines have no blanks."""
_BROKEN_QP: Final = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*\r?\n|[ \t]*\Z)")
_UU: Final = re.compile(rb"^begin(?:-base64)? [0-7]{3,4} ?[^\n]*\n(.*?)^(?:end|====)\b", re.DOTALL | re.MULTILINE)
_PLAIN: Final = frozenset({"", "7bit", "8bit", "binary", "7-bit", "8-bit", "7bits", "8bits", "none", "us-ascii"})


def transferred(body: bytes, encoding: str, odd: set[str]) -> bytes:
    """Decode a transfer encoding; damaged input gives as many bytes as possible."""
    match re.split(r"[\s;(]", encoding.strip().lower(), maxsplit=1)[0].strip("\"'"):
        case "base64" | "b":
            return _base64(body, odd)
        case "quoted-printable" | "quoted" | "q":
            return _quoted_printable(body, odd)
        case "x-uuencode" | "uuencode" | "x-uue" | "uue":
            return _uuencoded(body, odd)
        case known if known not in _PLAIN:
            odd.add("unknown-encoding")
    return body


def _base64(body: bytes, odd: set[str]) -> bytes:
    if _is_plain(body):
        odd.add("bad-base64")
        return body
    if body.translate(None, _ALPHABET):
        odd.add("bad-base64")
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:
        odd.add("bad-base64")
        return bytes(decode_base64_payload(body.decode("ascii", "ignore")))


def _is_plain(body: bytes) -> bool:
    """Tell whether the body is text that is only labelled base64: it has words, or letters beyond ASCII."""
    sample = body[:4000]
    foreign = len(sample) - len(sample.translate(None, _HIGH))
    return 10 * foreign > len(sample) or WORDS_APART * len(_APART.findall(sample)) > len(sample) > 0


def _quoted_printable(body: bytes, odd: set[str]) -> bytes:
    if _BROKEN_QP.search(body):
        odd.add("bad-quoted-printable")
    return binascii.a2b_qp(body)


def _uuencoded(body: bytes, odd: set[str]) -> bytes:
    match = _UU.search(body.replace(b"\r\n", b"\n"))
    if match is None:
        odd.add("bad-uuencode")
        return body
    lines = []
    for line in match[1].splitlines():
        try:
            lines.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Some uuencoders add characters behind the counted ones; the count at the start of the line decides.
            lines.append(_uu_line(line, odd))
    return b"".join(lines)


def _uu_line(line: bytes, odd: set[str]) -> bytes:
    count = (line[0] - 32) & 63 if line else 0
    try:
        return binascii.a2b_uu(line[: 1 + -(-count // 3) * 4])
    except binascii.Error:
        odd.add("bad-uuencode")
        return b""
