"""Builds the stub of a mail over the size limit: its headers and a sentence."""

import re
from typing import Final

BODY_HEADERS: Final = re.compile(rb"(?i)(content-[!-9;-~]*|mime-version)[ \t]*:")
"""They describe a body that is not there."""
LINE: Final = re.compile(rb"[^\n]*\n?")


def stub(head: bytes, size: int, limit: int, where: str) -> bytes:
    """The mail without its body. The same mail gives the same bytes under whatever number it comes: so it is known again."""
    text = (
        f"This mail has {size} bytes, more than the {limit} of MAX_MAIL_BYTES, so only its headers were taken.\r\n"
        f"The mail itself is still in the mailbox ({where}).\r\n"
    )
    ours = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    return kept_headers(head, limit // 2) + ours.encode() + text.encode()


def kept_headers(head: bytes, most: int) -> bytes:
    """The header fields, each whole, up to so many bytes; without those that describe the body."""
    kept, size = [], 0
    for field in fields(head):
        size += len(field)
        if size > most:
            break
        if not BODY_HEADERS.match(field):
            kept.append(field)
    return b"".join(kept)


def fields(head: bytes) -> list[bytes]:
    """Each header field with its continuation lines, up to the empty line; a last one that was cut is left out."""
    found: list[bytes] = []
    for line in LINE.findall(head):
        if not line.strip(b"\r\n") or not line.endswith(b"\n"):
            break
        if line[:1] in {b" ", b"\t"} and found:
            found[-1] += line
        else:
            found.append(line)
    return found
