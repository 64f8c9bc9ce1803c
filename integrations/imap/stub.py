"""Builds the stub that replaces a mail over the size limit: its headers and a sentence."""

import re
from typing import Final

BODY_HEADERS: Final = re.compile(rb"(?i)(content-[!-9;-~]*|mime-version)[ \t]*:")
"""Headers to drop, since they describe the body that the stub leaves out."""
LINE: Final = re.compile(rb"[^\n]*\n?")


def stub(head: bytes, size: int, limit: int, where: str) -> bytes:
    """Return the stub. The text holds no UID: the same mail gives the same bytes under every UID and is recognised again."""
    text = (
        f"This mail has {size} bytes, more than the {limit} of MAX_MAIL_BYTES, so only its headers were taken.\r\n"
        f"The mail itself is still in the mailbox ({where}).\r\n"
    )
    ours = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    return kept_headers(head, limit // 2) + ours.encode() + text.encode()


def kept_headers(head: bytes, most: int) -> bytes:
    """Return whole header fields up to `most` bytes, without those that describe the body."""
    kept, size = [], 0
    for field in fields(head):
        size += len(field)
        if size > most:
            break
        if not BODY_HEADERS.match(field):
            kept.append(field)
    return b"".join(kept)


def fields(head: bytes) -> list[bytes]:
    """Return each header field with its continuation lines, up to the empty line; drop a last line without its end."""
    found: list[bytes] = []
    for line in LINE.findall(head):
        if not line.strip(b"\r\n") or not line.endswith(b"\n"):
            break
        if line[:1] in {b" ", b"\t"} and found:
            found[-1] += line
        else:
            found.append(line)
    return found
