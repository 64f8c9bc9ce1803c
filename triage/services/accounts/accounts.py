"""Makes and changes accounts of the console, and checks passwords."""

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Final

from loguru import logger

from triage.domain.operations.accounts import Account, Session
from triage.domain.operations.errors import (
    AccountEnabled,
    AccountNotFound,
    AddressTaken,
    AddressUnfit,
    LastAdmin,
    PasswordWeak,
    RoleManaged,
    SignInRefused,
)
from triage.domain.operations.tokens import AccessScope
from triage.domain.ports import AccountStore, Clock, DeedLog, PasswordHash, SessionStore
from triage.domain.text.visible import visible
from triage.policy.operations.passwords import LONGEST, normal, strength_of, why_weak
from triage.services.accounts.account_letters import AccountLetters

_ADDRESS: Final = re.compile(r"[^@\s<>\"(),:;\\]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+")
LONGEST_ADDRESS: Final = 254
LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountService:
    """Called by `triage user`, the pages of accounts and the sign-in. All methods raise `StoreDown`."""

    accounts: AccountStore
    sessions: SessionStore
    passwords: PasswordHash
    deeds: DeedLog
    clock: Clock
    letters: AccountLetters | None = None
    """None: no mail server is configured."""

    async def all(self) -> tuple[Account, ...]:
        """Return all accounts, disabled ones included."""
        return await self.accounts.accounts()

    async def open_sessions(self) -> tuple[Session, ...]:
        """Return the sessions of accounts that have neither ended nor expired, newest first."""
        return await self.sessions.open_at(self.clock.now())

    async def one(self, account: str) -> Account:
        """Return an account by its number or address. Raises `AccountNotFound`."""
        wanted = account.strip().casefold()
        for one in await self.accounts.accounts():
            if wanted in {str(one.id), one.address}:
                return one
        raise AccountNotFound(account)

    async def add(
        self, address: str, name: str, scope: AccessScope, password: str | None, *, by: str, alone: bool = False
    ) -> Account:
        """Make an account; without a password its person signs in through the provider.

        With `alone` it must be the first one. Raises `AddressUnfit`, `AddressTaken`, `PasswordWeak`.
        """
        address = address.strip().casefold()
        if not _ADDRESS.fullmatch(address) or len(address) > LONGEST_ADDRESS:
            raise AddressUnfit
        name = " ".join(visible(name).split())[:LONGEST_NAME] or address
        made = await self.accounts.add(
            Account(address=address, name=name, scope=scope, made_by=by, made_at=self.clock.now()),
            "" if password is None else await self._hash(password, address, name),
            alone=alone,
        )
        if made is None:
            raise AddressTaken
        logger.bind(account=made.id, role=made.scope, by=by).info("account.made")
        await self.deeds.record("account_made", by, f"{made.address}, {made.scope}")
        return made

    async def set_role(self, account: str, scope: AccessScope, *, by: str) -> Account:
        """Give another role. Raises `AccountNotFound`, `RoleManaged`, `LastAdmin`."""
        one = await self.one(account)
        if one.managed:
            raise RoleManaged
        return await self._saved(replace(one, scope=scope), "role_changed", f"your role is {scope} now", by)

    async def disable(self, account: str, *, by: str) -> Account:
        """End all sessions, and let him sign in no more. Raises `AccountNotFound`, `LastAdmin`."""
        now = self.clock.now()
        one = replace(await self.one(account), disabled_at=now)
        disabled = await self._saved(one, "account_disabled", "your account is disabled", by)
        await self.sessions.end_all(disabled.id, now)
        return disabled

    async def enable(self, account: str, *, by: str) -> Account:
        """Let him sign in again. Raises `AccountNotFound`."""
        one = replace(await self.one(account), disabled_at=None)
        return await self._saved(one, "account_enabled", "your account is enabled again", by)

    async def erase(self, account: str, *, by: str) -> Account:
        """Remove a disabled account with all that is kept of it; what he decided keeps his address. Raises `AccountNotFound`, `AccountEnabled`."""
        one = await self.one(account)
        if one.disabled_at is None:
            raise AccountEnabled
        await self.accounts.remove(one.id)
        logger.bind(account=one.id, by=by).info("account.erased")
        await self._tell(one, "account_erased", "your account is erased", by)
        return one

    async def end_sessions(self, account: str, *, by: str) -> Account:
        """Sign him out everywhere. Raises `AccountNotFound`."""
        one = await self.one(account)
        await self.sessions.end_all(one.id, self.clock.now())
        logger.bind(account=one.id, by=by).info("account.sessions_ended")
        await self.deeds.record("sessions_ended", by, one.address)
        return one

    async def set_password(self, account: str, password: str, *, by: str, keep: int = 0) -> Account:
        """Give another password and end all sessions but one. Raises `AccountNotFound`, `PasswordWeak`."""
        one = await self.one(account)
        await self.accounts.set_password(one.id, await self._hash(password, one.address, one.name))
        await self.sessions.end_all(one.id, self.clock.now(), but=keep)
        logger.bind(account=one.id, by=by).info("account.password_changed")
        await self._tell(one, "password_changed", "your password was changed", by)
        return one

    async def strength(self, password: str, address: str, name: str = "") -> str:
        """Return how strong a password would be for a person: `too weak: …`, `fair`, `good` or `strong`."""
        return await asyncio.to_thread(strength_of, normal(password), address, name)

    async def with_password(self, address: str, password: str) -> Account:
        """Return the account of address and password; an unknown address takes the same time. Raises `SignInRefused`."""
        account = await self.accounts.by_address(address.strip().casefold())
        made = await self.accounts.password(account.id) if account else ""
        fits = await self.passwords.check(made, normal(password[:LONGEST]))
        if account is None or not fits or account.disabled_at is not None:
            raise SignInRefused
        if self.passwords.outdated(made):
            await self.accounts.set_password(account.id, await self.passwords.make(normal(password)))
        return account

    async def _hash(self, password: str, address: str, name: str) -> str:
        text = normal(password)
        if why := await asyncio.to_thread(why_weak, text, address, name):
            raise PasswordWeak(why)
        return await self.passwords.make(text)

    async def _saved(self, account: Account, kind: str, change: str, by: str) -> Account:
        """Store it, for the audit, too, and write its person a letter. Raises `LastAdmin` if no admin would be left."""
        everybody = [account if one.id == account.id else one for one in await self.accounts.accounts()]
        ruled = account.scope is AccessScope.ADMIN and account.disabled_at is None
        if not ruled and not any(one.scope is AccessScope.ADMIN and one.disabled_at is None for one in everybody):
            raise LastAdmin
        await self.accounts.save(account)
        logger.bind(account=account.id, role=account.scope, disabled=account.disabled_at is not None, by=by).info(
            "account.changed"
        )
        await self._tell(account, kind, change, by)
        return account

    async def _tell(self, account: Account, kind: str, change: str, by: str) -> None:
        role = f", {account.scope}" if kind == "role_changed" else ""
        await self.deeds.record(kind, by, f"{account.address}{role}")
        if self.letters:
            await self.letters.tell(account.address, change, by)
