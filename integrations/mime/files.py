"""Extracts the bytes of attachments from a raw mail by their hash."""

import hashlib
from collections.abc import Collection

from integrations.mime.message import content_in
from integrations.mime.parts import attached_in, content_of
from integrations.mime.tree import tree_of


def files_of(raw: bytes, wanted: Collection[str]) -> dict[str, bytes]:
    """Return the wanted attachments that the mail contains, by SHA-256. Raises `NotAMail`."""
    odd: set[str] = set()
    contents = (content_of(part, odd) for part in attached_in(tree_of(content_in(raw, odd), odd)))
    found = ((hashlib.sha256(content).hexdigest(), content) for content in contents)
    return {digest: content for digest, content in found if digest in wanted}
