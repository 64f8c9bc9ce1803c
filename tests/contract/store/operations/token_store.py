"""What every store must do for those who run Triage and connect programs."""

from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, MORNING
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.domain.ports import TokenStore

DAY = timedelta(days=1)


def token(name: str = "board") -> ApiToken:
    """A token for a day."""
    return ApiToken(
        name=name,
        scope=AccessScope.APPROVER,
        hint="triage_abcd",
        made_by="ada",
        made_at=MORNING,
        expires_at=MORNING + DAY,
    )


class TokenStoreContract:
    """Access tokens by their hash."""

    async def test_tokens(self, store: SqlStore, second_store: SqlStore) -> None:
        """A token is found by its hash by every process, and listed in order."""
        tokens: TokenStore = store.tokens
        first, second = await tokens.add(token(), "aa"), await tokens.add(token(HOSTILE), "bb")

        assert (first.id, second.id) == (1, 2)
        assert await second_store.tokens.find("aa") == first
        assert await second_store.tokens.find("cc") is None
        assert await second_store.tokens.tokens() == (first, second)

    async def test_token_ends(self, store: SqlStore) -> None:
        """It is revoked once; what is revoked or expired is not usable."""
        made = await store.tokens.add(token(), "aa")
        assert [await store.tokens.usable(at) for at in (MORNING, MORNING + DAY)] == [True, False]
        await store.tokens.used(made.id, MORNING)
        revoked = await store.tokens.revoke(made.id, MORNING)
        again = await store.tokens.revoke(made.id, MORNING + DAY)

        assert revoked == again
        assert revoked is not None
        assert (revoked.revoked_at, revoked.used_at) == (MORNING, MORNING)
        assert not await store.tokens.usable(MORNING)
        assert await store.tokens.revoke(7, MORNING) is None
