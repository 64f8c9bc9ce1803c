"""What every `MailGrants` must do."""

from dataclasses import replace
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING
from triage.domain.mailboxes import OAuthGrant
from triage.domain.ports import MailGrants

MINUTE = timedelta(minutes=1)
GRANT = OAuthGrant(
    account="bot@example.com",
    client="https://login.example.com (triage)",
    sealed=b"\x00\xffsealed",
    scope="mail offline_access",
    expires_at=MORNING + timedelta(hours=1),
    granted_at=MORNING,
    renewed_at=MORNING,
)


class MailGrantsContract:
    """Grants of mail accounts, and whose turn it is."""

    async def test_a_grant_is_kept_for_every_process(self, store: SqlStore, second_store: SqlStore) -> None:
        """It is read as it was written, replaced by a new sign-in, listed by account, and removed once."""
        grants: MailGrants = store.mail_grants
        await grants.keep(GRANT)
        await grants.keep(replace(GRANT, account="a@example.com"))
        await grants.keep(replace(GRANT, sealed=b"anew", trouble=""))

        assert await second_store.mail_grants.find(GRANT.account) == replace(GRANT, sealed=b"anew")
        assert await grants.find("nobody@example.com") is None
        assert [one.account for one in await grants.grants()] == ["a@example.com", GRANT.account]
        assert await grants.remove(GRANT.account)
        assert not await grants.remove(GRANT.account)

    async def test_one_turn_at_a_time(self, store: SqlStore, second_store: SqlStore) -> None:
        """Until it ends, or its time is over, nobody else renews; who lost his turn stores nothing."""
        mine, other = store.mail_grants, second_store.mail_grants
        await mine.keep(GRANT)
        renewed = replace(GRANT, sealed=b"renewed", renewed_at=MORNING + MINUTE)

        assert await mine.take_turn("nobody@example.com", "a", MORNING, MORNING + MINUTE) is None
        assert await mine.take_turn(GRANT.account, "a", MORNING, MORNING + MINUTE) == GRANT
        assert await other.take_turn(GRANT.account, "b", MORNING, MORNING + MINUTE) is None
        assert await mine.end_turn(GRANT.account, "a", renewed)
        assert await other.take_turn(GRANT.account, "b", MORNING, MORNING + MINUTE) == renewed
        assert await mine.take_turn(GRANT.account, "c", MORNING + MINUTE, MORNING + 2 * MINUTE) == renewed
        assert not await other.end_turn(GRANT.account, "b", replace(renewed, sealed=b"late"))
        assert await mine.find(GRANT.account) == renewed
        assert await mine.end_turn(GRANT.account, "c")

    async def test_a_new_sign_in_ends_every_turn(self, store: SqlStore) -> None:
        """What was renewed from the old grant does not replace the new one."""
        await store.mail_grants.keep(GRANT)
        await store.mail_grants.take_turn(GRANT.account, "a", MORNING, MORNING + MINUTE)
        await store.mail_grants.keep(replace(GRANT, sealed=b"anew"))

        assert not await store.mail_grants.end_turn(GRANT.account, "a", replace(GRANT, sealed=b"from the old"))
        assert await store.mail_grants.find(GRANT.account) == replace(GRANT, sealed=b"anew")
