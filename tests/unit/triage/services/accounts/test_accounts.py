"""The service of accounts over a real store and real hashes."""

import sqlite3
from pathlib import Path

import argon2
import pytest

from integrations.argon2_hash import Argon2
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
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
from triage.services.accounts.accounts import AccountService

RIVER = "a calm river runs"


@pytest.fixture
def accounts(store: SqlStore, clock: HeldClock) -> AccountService:
    """The service."""
    return AccountService(
        accounts=store.accounts, sessions=store.sessions, passwords=Argon2(), deeds=store.deeds, clock=clock
    )


async def test_an_account_is_made(accounts: AccountService, store: SqlStore, tmp_path: Path) -> None:
    """It is known by its address, however it is spelt; the database holds a hash of the password alone."""
    ada = await accounts.add(" Ada@Example.com ", " Ada \u202e Moreau\n", AccessScope.ADMIN, RIVER, by="shell")
    bob = await accounts.add("bob@example.com", "", AccessScope.VIEWER, None, by="ada@example.com")
    known = await accounts.with_password("ADA@example.com", RIVER)
    await store.close()
    with sqlite3.connect(tmp_path / "triage.db") as connection:
        dumped = "\n".join(connection.iterdump())
    connection.close()

    assert (ada.address, ada.name, bob.name) == ("ada@example.com", "Ada Moreau", "bob@example.com")
    assert known == ada
    assert "$argon2id$" in dumped
    assert RIVER not in dumped


@pytest.mark.parametrize("address", ["", "ada", "ada@", "@example.com", "a b@example.com", "ada@localhost", "a@" + "x." * 130 + "com"])  # fmt: skip
async def test_what_is_no_address(accounts: AccountService, address: str) -> None:
    """An account needs an address, which it decides in the name of."""
    with pytest.raises(AddressUnfit):
        await accounts.add(address, "", AccessScope.VIEWER, RIVER, by="shell")


async def test_what_is_refused(accounts: AccountService) -> None:
    """A second account of an address, a second first one, weak passwords and unknown accounts."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")

    with pytest.raises(AddressTaken):
        await accounts.add("Ada@example.com", "", AccessScope.VIEWER, RIVER, by="shell")
    with pytest.raises(AddressTaken):
        await accounts.add("bob@example.com", "", AccessScope.ADMIN, RIVER, by="first run", alone=True)
    with pytest.raises(PasswordWeak, match="first that are tried"):
        await accounts.add("carol@example.com", "", AccessScope.VIEWER, "carol-password", by="shell")
    for unknown in ("7", "bob@example.com", ""):
        with pytest.raises(AccountNotFound):
            await accounts.one(unknown)


async def test_who_has_the_password(accounts: AccountService) -> None:
    """Wrong, missing and unknown are one answer; a disabled account has none, until it is enabled."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await accounts.add("eve@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await accounts.add("bob@example.com", "", AccessScope.VIEWER, None, by="shell")
    await accounts.disable("eve@example.com", by="ada@example.com")
    refused = [("ada@example.com", "x"), ("ada@example.com", ""), ("bob@example.com", ""), ("eve@example.com", RIVER)]
    for address, password in (*refused, ("nobody@example.com", RIVER), ("", ""), ("ada@example.com", "x" * 100_000)):
        with pytest.raises(SignInRefused):
            await accounts.with_password(address, password)
    await accounts.enable("eve@example.com", by="ada@example.com")

    assert (await accounts.with_password("eve@example.com", RIVER)).id == 2


async def test_an_account_is_erased(accounts: AccountService) -> None:
    """Only a disabled one: it is gone, and its address can get an account of its own again."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await accounts.add("bob@example.com", "", AccessScope.VIEWER, RIVER, by="shell")
    with pytest.raises(AccountEnabled):
        await accounts.erase("bob@example.com", by="ada@example.com")
    await accounts.disable("bob@example.com", by="ada@example.com")
    await accounts.erase("bob@example.com", by="ada@example.com")

    with pytest.raises(AccountNotFound):
        await accounts.one("bob@example.com")
    with pytest.raises(SignInRefused):
        await accounts.with_password("bob@example.com", RIVER)
    assert (await accounts.add("bob@example.com", "", AccessScope.VIEWER, None, by="shell")).disabled_at is None


async def test_a_password_changes(accounts: AccountService) -> None:
    """The old one counts no longer."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    with pytest.raises(PasswordWeak):
        await accounts.set_password("1", "short", by="shell")
    await accounts.set_password("1", "another river runs", by="shell")

    with pytest.raises(SignInRefused):
        await accounts.with_password("ada@example.com", RIVER)
    assert (await accounts.with_password("ada@example.com", "another river runs")).id == 1


async def test_an_older_hash_is_made_anew(accounts: AccountService, store: SqlStore) -> None:
    """Who signs in with a hash of older parameters gets one of today's."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await store.accounts.set_password(1, argon2.PasswordHasher(time_cost=1, memory_cost=64).hash(RIVER))
    await accounts.with_password("ada@example.com", RIVER)

    assert not accounts.passwords.outdated(await store.accounts.password(1))
    assert (await accounts.with_password("ada@example.com", RIVER)).id == 1


async def test_the_last_admin_stays(accounts: AccountService) -> None:
    """Somebody can always make accounts; whoever the provider manages gets no role by hand."""
    await accounts.add("ada@example.com", "", AccessScope.ADMIN, RIVER, by="shell")
    await accounts.add("bob@example.com", "", AccessScope.VIEWER, None, by="shell")
    with pytest.raises(LastAdmin):
        await accounts.disable("1", by="shell")
    with pytest.raises(LastAdmin):
        await accounts.set_role("1", AccessScope.APPROVER, by="shell")
    await accounts.set_role("bob@example.com", AccessScope.ADMIN, by="shell")
    await accounts.disable("1", by="bob@example.com")
    with pytest.raises(LastAdmin):
        await accounts.set_role("2", AccessScope.VIEWER, by="shell")

    assert [(one.scope, one.disabled_at is None) for one in await accounts.all()] == [
        (AccessScope.ADMIN, False),
        (AccessScope.ADMIN, True),
    ]


async def test_a_managed_role(accounts: AccountService, store: SqlStore) -> None:
    """A role that the provider gives is changed there."""
    from dataclasses import replace

    made = await accounts.add("ada@example.com", "", AccessScope.VIEWER, None, by="https://id.example")
    await store.accounts.save(replace(made, managed=True))

    with pytest.raises(RoleManaged):
        await accounts.set_role("1", AccessScope.ADMIN, by="shell")
