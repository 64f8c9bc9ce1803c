"""The form of access tokens, and whether one is valid."""

import re
from datetime import datetime
from typing import Final
from zlib import crc32

from triage.domain.operations.tokens import ApiToken

PREFIX: Final = "triage_"
"""Scanners of leaked secrets find tokens by `triage_[0-9A-Za-z]{46}` and know ours by the checksum."""
ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM: Final = 40
"""Random characters: 238 bits, so a plain hash is as good as a slow one."""
CHECKSUM: Final = 6
HINT: Final = len(PREFIX) + 4
"""Characters that lists show."""
_FORM: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM + CHECKSUM}}}")


def token_text(characters: str) -> str:
    """Return the token made of random characters of `ALPHABET`: prefix, characters, checksum."""
    return f"{PREFIX}{characters}{_checksum(characters)}"


def well_formed(text: str) -> bool:
    """Whether the text can be a token: anything else is refused without asking the database."""
    characters = text[len(PREFIX) : -CHECKSUM]
    return _FORM.fullmatch(text) is not None and text.endswith(_checksum(characters))


def why_invalid(token: ApiToken, now: datetime) -> str:
    """Return why the token may not be used, empty if it may."""
    if token.revoked_at is not None:
        return "it was revoked"
    return "it has expired" if token.expires_at <= now else ""


def _checksum(characters: str) -> str:
    """CRC-32 in base 62, six digits."""
    rest, digits = crc32(characters.encode()), ""
    for _ in range(CHECKSUM):
        rest, digit = divmod(rest, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
