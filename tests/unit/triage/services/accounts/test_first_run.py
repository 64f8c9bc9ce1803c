"""The token of the first start is worth one account, an admin's."""

import asyncio

import pytest

from integrations.argon2_hash import Argon2
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.errors import AddressTaken, PasswordWeak, TokenInvalid
from triage.domain.operations.tokens import AccessScope
from triage.services.accounts.accounts import AccountService
from triage.services.accounts.first_run import FirstRun

RIVER = "a calm river runs"


@pytest.fixture
def accounts(store: SqlStore, clock: HeldClock) -> AccountService:
    """The service of accounts."""
    return AccountService(
        accounts=store.accounts, sessions=store.sessions, passwords=Argon2(), deeds=store.deeds, clock=clock
    )


async def test_one_admin(accounts: AccountService) -> None:
    """Whoever has the token makes the first account, once, however many try at the same time; a weak password costs nothing."""
    first = FirstRun()
    text = first.offer()
    for wrong in ("", "x" * 32, text[:-1]):
        with pytest.raises(TokenInvalid):
            await first.use(wrong, "eve@example.com", "", RIVER, accounts)
    with pytest.raises(PasswordWeak):
        await first.use(text, "ada@example.com", "", "short", accounts)
    tries = (first.use(f" {text}\n", f"{name}@example.com", "", RIVER, accounts) for name in ("ada", "bob", "eve"))
    made = await asyncio.gather(*tries, return_exceptions=True)

    assert [type(one) for one in made[1:]] == [TokenInvalid, TokenInvalid]
    assert [(one.address, one.scope) for one in await accounts.all()] == [("ada@example.com", AccessScope.ADMIN)]
    assert not first.offered


async def test_nothing_was_offered(accounts: AccountService) -> None:
    """Without a token nobody makes the first account, not even with an empty one; an older one counts no longer."""
    first = FirstRun()
    with pytest.raises(TokenInvalid):
        await first.use("", "ada@example.com", "", RIVER, accounts)
    old, new = first.offer(), first.offer()
    with pytest.raises(TokenInvalid):
        await first.use(old, "ada@example.com", "", RIVER, accounts)

    assert (await first.use(new, "ada@example.com", "", RIVER, accounts)).id == 1


async def test_somebody_was_quicker(accounts: AccountService) -> None:
    """An account that the shell made meanwhile makes the token worthless."""
    first = FirstRun()
    text = first.offer()
    await accounts.add("bob@example.com", "", AccessScope.VIEWER, RIVER, by="shell")

    with pytest.raises(AddressTaken):
        await first.use(text, "ada@example.com", "", RIVER, accounts)
