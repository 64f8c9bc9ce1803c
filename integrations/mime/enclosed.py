"""Reads the Message-IDs of mails attached to a mail, such as the returned mail of a bounce."""

import re
from collections.abc import Iterator
from typing import Final

from integrations.mime.headers import ids_of
from integrations.mime.parts import is_attached
from integrations.mime.transfer import transferred
from integrations.mime.tree import MimePart
from triage.domain.mail import OWN_HEADER

MAX_IDS: Final = 20
MAX_BYTES: Final = 100_000
"""Bytes of one part that are searched for a header block."""

# RFC 8098 calls it Original-Message-ID; servers that copy a header block into a text file may quote it.
_LINE: Final = re.compile(
    rb"^[> \t]{0,8}(?:original-)?(?:message-id|" + OWN_HEADER.encode() + rb")[ \t]{0,9}:"
    rb"[ \t]{0,20}(?:\r?\n[ \t]{1,20})?<?([^<>\s]{3,300})",
    re.IGNORECASE | re.MULTILINE,
)


def enclosed_ids_of(tree: MimePart) -> tuple[str, ...]:
    """Return the Message-IDs of attached mails and of header blocks in files, in order, each once."""
    found = (one for part in tree.walk() if part is not tree for one in _ids_of(part))
    return tuple(one for one, _ in zip(dict.fromkeys(found), range(MAX_IDS), strict=False))


def _ids_of(part: MimePart) -> Iterator[str]:
    if part.parts:
        yield from _ids_of_head(part.parts[0]) if part.type.startswith("message/") else ()
    elif part.type.startswith("message/") or (part.type.startswith("text/") and is_attached(part)):
        text = transferred(part.body[:MAX_BYTES], part.get("content-transfer-encoding"), set())
        yield from (found.decode("utf-8", "replace") for found in _LINE.findall(text))


def _ids_of_head(mail: MimePart) -> Iterator[str]:
    yield from ids_of(mail.get("message-id"))[:1]
    yield from ids_of(mail.get(OWN_HEADER))[:1]
