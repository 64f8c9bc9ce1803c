"""IMAP login: a password, or an OAuth token that a service keeps fresh or a configured command prints."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.domain.errors import MailboxDenied, MailboxDown, StoreDown

TOKEN: Final = re.compile(r"[\x21-\x7e]+")
PATIENCE: Final = 30.0
"""Seconds that the token command may take."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A password or an OAuth access token."""

    text: str = field(repr=False)
    is_token: bool = False


class Password:
    """A login with a fixed password."""

    def __init__(self, text: str) -> None:
        self._secret = Secret(text)

    async def secret(self) -> Secret:
        return self._secret

    def refused(self) -> bool:
        """Return False: there is no other password to try."""
        return False


class TokenCommand:
    """A login with the token that a command prints, kept until the server refuses it (tokens expire after about an hour)."""

    def __init__(self, mailbox: str, command: Sequence[str]) -> None:
        self._mailbox = mailbox
        self._command = command
        self._kept: Secret | None = None
        self._is_fresh = False

    async def secret(self) -> Secret:
        """Return the kept token, or run the command. Raises `MailboxDown`, `MailboxDenied`."""
        self._is_fresh = self._kept is None
        if self._kept is None:
            self._kept = Secret(self._checked(await self._run()), is_token=True)
        return self._kept

    def refused(self) -> bool:
        """Forget the token; return whether it was an old one, so that running the command again may help."""
        self._kept = None
        return not self._is_fresh

    async def _run(self) -> str:
        """Return the command's stdout. Neither stdout nor stderr is logged: both may contain the secret."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as e:
            raise MailboxDenied(self._mailbox, f"cannot run the token command {self._command[0]}: {e.strerror}") from e
        try:
            async with asyncio.timeout(PATIENCE):
                out, _ = await process.communicate()
        except TimeoutError as e:
            raise MailboxDown(self._mailbox, f"the token command took more than {PATIENCE:.0f} s") from e
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise MailboxDown(self._mailbox, f"the token command failed with exit code {process.returncode}")
        return out.decode(errors="replace").strip()

    def _checked(self, token: str) -> str:
        if not TOKEN.fullmatch(token):  # also rejects ^A, the field separator of XOAUTH2
            raise MailboxDenied(self._mailbox, "the token command must print the token and nothing else")
        return token


class Granted:
    """A login with tokens that a service keeps fresh for all processes."""

    def __init__(self, mailbox: str, token: Callable[[str], Awaitable[str]]) -> None:
        """`token` returns an access token other than the one that it is given, which is empty or was refused."""
        self._mailbox = mailbox
        self._token = token
        self._given = self._stale = ""
        self._is_fresh = False

    async def secret(self) -> Secret:
        """Ask for the token. Raises `MailboxDown`, `MailboxDenied`."""
        stale, self._stale = self._stale, ""
        try:
            self._given = await self._token(stale)
        except StoreDown as e:
            raise MailboxDown(self._mailbox, f"its tokens cannot be read: {e.detail}") from e
        self._is_fresh = bool(stale)
        return Secret(self._given, is_token=True)

    def refused(self) -> bool:
        """Ask for another token next time; return whether that may help, since this one was not made just now."""
        self._stale = self._given
        return not self._is_fresh


Login = Password | TokenCommand | Granted
