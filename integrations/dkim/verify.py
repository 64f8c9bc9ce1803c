"""Verifies one DKIM signature with its key; refuses signatures that prove too little but that dkimpy accepts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dkim import DKIM, DKIMException, KeyFormatError
from dkim.util import InvalidTagValueList, parse_tag_value

MIN_BITS: Final = 1024
"""RFC 8301; signatures of shorter keys can be forged."""

_BLANKS: Final = re.compile(rb"[\t ]+")

Tags = Mapping[bytes, bytes]


@dataclass(frozen=True, slots=True)
class SignatureResult:
    """A result in the terms of RFC 8601 (pass, fail, policy, none, permerror), and the reason."""

    result: str
    why: str = ""


UNREADABLE: Final = SignatureResult("permerror", "it cannot be read")


class SignedMail:
    """A mail, parsed once, to verify its signatures one by one."""

    def __init__(self, raw: bytes) -> None:
        """Raises dkimpy's errors for bytes that are no mail."""
        self._mail = DKIM(raw, minkey=MIN_BITS)
        self._signatures = [value for name, value in self._mail.headers if name.lower() == b"dkim-signature"]
        self._body = self._mail.body

    def verify(self, place: int, domain: str, selector: str, record: bytes) -> SignatureResult:
        """Verify the signature at `place` (from the top, 0 first) with the TXT record of its key."""
        tags, key = _tags(self._signatures[place]), _tags(record)
        if tags is None or key is None:
            return UNREADABLE
        return _refused(tags, domain.encode(), selector.encode()) or _misfit(key, tags) or self._sound(place, tags, key)

    def _sound(self, place: int, tags: Tags, key: Tags) -> SignatureResult:
        record = b"p=" + key[b"p"]  # the other tags are checked; dkimpy misreads the key of s=email:other
        self._mail.body = _tamed(self._body, tags)
        try:
            sound = self._mail.verify(idx=place, dnsfunc=lambda *_, **__: record)
        except KeyFormatError:
            return SignatureResult("policy", "its key is too short")
        except DKIMException as e:
            return SignatureResult(
                "fail", "the text was changed" if str(e).startswith("body hash") else "it is not valid"
            )
        return SignatureResult("pass") if sound else SignatureResult("fail", "it does not match")


def _tags(text: bytes) -> Tags | None:
    try:
        tags: Tags = parse_tag_value(text)
    except InvalidTagValueList:
        return None
    return tags


def _refused(tags: Tags, domain: bytes, selector: bytes) -> SignatureResult | None:
    """Say why the signature proves too little, or is not the one whose key was looked up; None if it is fine."""
    if (tags.get(b"d", b"").lower(), tags.get(b"s", b"").lower()) != (domain, selector):
        return UNREADABLE
    if b"l" in tags:
        return SignatureResult("policy", "it covers a part of the text only")
    if b"from" not in _words(tags.get(b"h", b"")):
        return SignatureResult("policy", "it does not cover the sender")
    if tags.get(b"a") != b"rsa-sha256":
        return SignatureResult("policy", "its algorithm is not accepted here")
    _, at, signer = tags.get(b"i", b"@" + domain).lower().rpartition(b"@")
    if not at or not (signer == domain or signer.endswith(b"." + domain)):
        return SignatureResult("permerror", "it names another signer")
    return None


def _misfit(key: Tags, tags: Tags) -> SignatureResult | None:
    """Say why the key does not fit this signature (RFC 6376, 3.6.1); None if it fits."""
    flags = _words(key.get(b"t", b""))
    if b"y" in flags:
        return SignatureResult("none", "its key is only being tried out")
    if key.get(b"v", b"DKIM1") != b"DKIM1" or b"p" not in key or key.get(b"k", b"rsa") != b"rsa":
        return SignatureResult("permerror", "its key cannot be read")
    if not key[b"p"]:
        return SignatureResult("fail", "its key has been revoked")
    if b"sha256" not in _words(key.get(b"h", b"sha256")) or not _words(key.get(b"s", b"*")) & {b"*", b"email"}:
        return SignatureResult("permerror", "its key is for something else")
    signer = tags.get(b"i", b"").rpartition(b"@")[2].lower()
    if b"s" in flags and signer not in {b"", tags[b"d"].lower()}:
        return SignatureResult("permerror", "its key is for another signer")
    return None


def _words(value: bytes) -> set[bytes]:
    return {word.strip().lower() for word in value.split(b":")}


def _tamed(body: bytes, tags: Tags) -> bytes:
    """Collapse runs of blanks, so that dkimpy canonicalises the body in linear time with the same result.

    Its pattern for blanks at line ends takes six seconds for a line of 40,000 blanks (measured, 1.1.8). Only for the
    relaxed form, which collapses blanks anyway.
    """
    _, _, way = tags.get(b"c", b"").partition(b"/")
    return _BLANKS.sub(b" ", body) if way.strip() == b"relaxed" else body
