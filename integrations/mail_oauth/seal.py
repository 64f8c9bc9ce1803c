"""The port `TokenSeal` by Fernet (AES and HMAC), with a key from a setting or from a file of its own."""

import base64
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from triage.config.durable_files import write_new
from triage.domain.errors import SettingsInvalid
from triage.domain.operations.errors import GrantRefused

USE: Final = b"triage: tokens of mail accounts"
"""Keeps the key apart from others made of the same secret."""


class FernetSeal:
    """The port `TokenSeal`: seals with a key made of `secret`, or where that is empty with the key in a file, which the first seal makes."""

    def __init__(self, secret: bytes, file: Path) -> None:
        self._secret, self._file = secret, file
        self._kept: Fernet | None = None

    def seal(self, text: str) -> bytes:
        if not self._secret and not self._file.exists():
            self._make_key()
        return self._fernet().encrypt(text.encode())

    def opened(self, sealed: bytes) -> str:
        try:
            return self._fernet().decrypt(sealed).decode()
        except InvalidToken:
            name = "TRIAGE_SECRET" if self._secret else str(self._file)
            raise GrantRefused(f"the stored tokens cannot be read with the key in {name}") from None

    def _fernet(self) -> Fernet:
        if self._kept is None:
            try:
                key = _key_of(self._secret) if self._secret else self._file.read_bytes().strip()
                self._kept = Fernet(key)
            except FileNotFoundError:
                raise GrantRefused(f"the key file {self._file} is gone, and with it the stored tokens") from None
            except (OSError, ValueError) as e:
                why = e.strerror if isinstance(e, OSError) else "is no key"
                raise SettingsInvalid((f"MAIL_OAUTH_KEY_FILE: {self._file}: {why}; check path and rights",)) from None
        return self._kept

    def _make_key(self) -> None:
        """Write a new key, complete from the first moment on; a process that was quicker keeps its own."""
        fresh = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        try:
            write_new(fresh, Fernet.generate_key() + b"\n")
            with suppress(FileExistsError):
                os.link(fresh, self._file)
            fresh.unlink()
        except OSError as e:
            raise SettingsInvalid(
                (
                    f"MAIL_OAUTH_KEY_FILE: {self._file.absolute()}: {e.strerror}; name a file in a folder that can be written",
                )
            ) from None


def _key_of(secret: bytes) -> bytes:
    return base64.urlsafe_b64encode(HKDF(algorithm=SHA256(), length=32, salt=None, info=USE).derive(secret))
