"""The port `PasswordHash` by argon2id, with the parameters that OWASP recommends."""

import asyncio
import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

PASSES: Final = 2
KIBIBYTES: Final = 19 * 1024
AT_ONCE: Final = 2
"""Hashes under way: the memory of many would be a way to bring the process down."""


class Argon2:
    """The port `PasswordHash`: hashes in threads, few at once."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=KIBIBYTES, parallelism=1)
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobody = self._hasher.hash(secrets.token_urlsafe())

    async def make(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def check(self, made: str, password: str) -> bool:
        """Whether the password has this hash; an empty hash takes as long."""
        async with self._turn:
            fits = await asyncio.to_thread(self._fits, made or self._nobody, password)
        return fits and bool(made)

    def outdated(self, made: str) -> bool:
        return self._hasher.check_needs_rehash(made)

    def _fits(self, made: str, password: str) -> bool:
        try:
            return self._hasher.verify(made, password)
        except (VerificationError, InvalidHashError):
            return False
