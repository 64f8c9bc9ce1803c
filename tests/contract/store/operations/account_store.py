"""What every store must do for those who sign in to the console."""

from dataclasses import replace
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.operations.token_store import token
from tests.contract.store.store_samples import HOSTILE, MORNING
from triage.domain.operations.accounts import Account, Session, SignedIn
from triage.domain.operations.tokens import AccessScope
from triage.domain.ports import AccountStore, SessionStore

HOUR = timedelta(hours=1)
ADA = Account(address="ada@example.com", name="Ada", scope=AccessScope.ADMIN, made_by="shell", made_at=MORNING)
BOB = replace(ADA, address="bob@example.com", name=HOSTILE, scope=AccessScope.VIEWER)


def session(account: int | None = None, token: int | None = None) -> Session:
    """A session of an hour."""
    return Session(
        account=account,
        token=token,
        peer="192.0.2.7",
        agent=HOSTILE,
        made_at=MORNING,
        seen_at=MORNING,
        expires_at=MORNING + HOUR,
    )


class AccountStoreContract:
    """Accounts by address and by identity."""

    async def test_accounts(self, store: SqlStore, second_store: SqlStore) -> None:
        """An account is found by every process, has its address alone, and keeps its password's hash to itself."""
        accounts: AccountStore = store.accounts
        ada, bob = await accounts.add(ADA, "hash"), await accounts.add(BOB, "")

        assert ada == replace(ADA, id=1)
        assert bob is not None
        assert await accounts.add(replace(ADA, name="Eve"), "other") is None
        assert await second_store.accounts.accounts() == (ada, bob)
        assert await second_store.accounts.by_address("bob@example.com") == bob
        assert await accounts.by_address("BOB@example.com") is None
        assert [await accounts.password(number) for number in (1, bob.id, 17)] == ["hash", "", ""]

    async def test_the_first_account_is_one(self, store: SqlStore) -> None:
        """What may only be made alone is made once."""
        first = await store.accounts.add(ADA, "hash", alone=True)

        assert first is not None
        assert await store.accounts.add(BOB, "hash", alone=True) is None
        assert await store.accounts.accounts() == (first,)

    async def test_an_account_changes(self, store: SqlStore) -> None:
        """Role, identity, password and end change; the address stays."""
        made = await store.accounts.add(ADA, "hash")
        assert made is not None
        changed = replace(made, scope=AccessScope.VIEWER, issuer="https://id.example", subject="7", disabled_at=MORNING)
        await store.accounts.save(changed)
        await store.accounts.set_password(made.id, "another")

        assert await store.accounts.by_subject("https://id.example", "7") == changed
        assert await store.accounts.by_subject("https://id.example", "8") is None
        assert await store.accounts.password(made.id) == "another"

    async def test_an_account_is_removed(self, store: SqlStore) -> None:
        """Nothing of it stays, neither its sessions; those of others do, and its address is free again."""
        ada, bob = await store.accounts.add(ADA, "hash"), await store.accounts.add(BOB, "hash")
        assert ada is not None
        assert bob is not None
        await store.sessions.add(session(ada.id), "a" * 64)
        await store.sessions.add(session(bob.id), "b" * 64)
        await store.accounts.remove(bob.id)
        await store.accounts.remove(17)

        assert await store.accounts.accounts() == (ada,)
        assert [await store.sessions.find("b" * 64), await store.accounts.password(bob.id)] == [None, ""]
        assert await store.sessions.find("a" * 64) is not None
        assert await store.accounts.add(BOB, "") is not None


class SessionStoreContract:
    """Sessions by the hash of their cookie."""

    async def test_sessions(self, store: SqlStore, second_store: SqlStore) -> None:
        """A session is found with whose it is: an account, or a token."""
        sessions: SessionStore = store.sessions
        ada, made = await store.accounts.add(ADA, ""), await store.tokens.add(token(HOSTILE), "tt")
        assert ada is not None
        hers, its = await sessions.add(session(ada.id), "aa"), await sessions.add(session(token=made.id), "bb")

        assert await second_store.sessions.find("aa") == SignedIn(session=hers, account=ada)
        assert await second_store.sessions.find("bb") == SignedIn(session=its, token=made)
        assert await second_store.sessions.find("cc") is None
        assert await sessions.open_at(MORNING) == (hers,)
        assert await sessions.open_at(MORNING + HOUR) == ()

    async def test_sessions_end(self, store: SqlStore) -> None:
        """One ends once, the others of its account with it or but for it, and old ones are forgotten."""
        ada = await store.accounts.add(ADA, "")
        assert ada is not None
        first, second, third = [await store.sessions.add(session(ada.id), digest) for digest in ("a", "b", "c")]
        await store.sessions.seen(first.id, MORNING + HOUR / 2)
        await store.sessions.end(first.id, MORNING)
        await store.sessions.end_all(ada.id, MORNING + HOUR, but=second.id)
        found = [await store.sessions.find(digest) for digest in ("a", "b", "c")]

        assert [one.session.ended_at for one in found if one] == [MORNING, None, MORNING + HOUR]
        assert found[0] is not None
        assert found[0].session.seen_at == MORNING + HOUR / 2
        assert third.ended_at is None
        await store.sessions.forget(MORNING + HOUR)
        assert await store.sessions.find("a") is not None
        await store.sessions.forget(MORNING + HOUR + HOUR)
        assert await store.sessions.find("a") is None
