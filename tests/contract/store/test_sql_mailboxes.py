"""Where we stand in each mailbox, on both databases."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HOSTILE, MORNING, HeldClock, mail
from tests.database import migrated
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.ports import Mailboxes

HERE = SyncCursor(
    name="support",
    account="bot@example.com/INBOX",
    validity=4_294_967_295,
    uid=4_294_967_294,
    base=12,
    floor=MORNING,
    backfill=MORNING - timedelta(days=30),
    complete_at=MORNING,
    phase=Phase.STALLED,
    trouble="connection refused",
    missing=3,
    changed_at=MORNING + timedelta(seconds=1.5),
)


class MailboxesContract:
    """Subclasses give `url`."""

    @pytest.fixture
    async def store(self, url: str) -> AsyncIterator[SqlStore]:
        """An open store."""
        store = await open_store(url, HeldClock())
        yield store
        await store.close()

    async def test_kept(self, store: SqlStore) -> None:
        """What was kept comes back, with the largest numbers that IMAP knows."""
        port: Mailboxes = store.mailboxes
        assert await port.cursor("support") is None
        await port.keep(HERE)

        assert await port.cursor("support") == HERE

    async def test_kept_again(self, store: SqlStore) -> None:
        """The last word counts, one mailbox does not touch another, and all are listed by name."""
        later = replace(HERE, uid=7, backfill=None, phase=Phase.IDLE, trouble="")
        other = replace(HERE, name="ops/Büro & 'Co'", trouble=HOSTILE)
        for standing in (HERE, other, later):
            await store.mailboxes.keep(standing)

        assert [s.name for s in await store.mailboxes.cursors()] == [other.name, "support"]
        assert await store.mailboxes.cursor("support") == later

    async def test_accepted(self, store: SqlStore) -> None:
        """Deliveries are known by source and id, however many are asked for."""
        for number in (1, 3, 1200):
            await store.inbox.accept(mail(number, source="imap:support"))
        await store.inbox.accept(mail(2, source="imap:ops"))
        asked = [str(n) for n in range(1500)]

        assert await store.mailboxes.accepted("imap:support", asked) == {"1", "3", "1200"}
        assert await store.mailboxes.accepted("imap:support", []) == frozenset()

    async def test_same_bytes(self, store: SqlStore) -> None:
        """Mails are known by their bytes within a source."""
        import hashlib

        await store.inbox.accept(mail(1, source="imap:support", raw=b"one"))
        digests = [hashlib.sha256(raw).hexdigest() for raw in (b"one", b"two")]

        assert await store.mailboxes.same("imap:support", digests) == {digests[0]}
        assert await store.mailboxes.same("imap:ops", digests) == frozenset()


class TestSqliteMailboxes(MailboxesContract):
    """In a file."""

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        """A new file."""
        return f"sqlite:///{migrated(tmp_path / 'triage.db')}"


class TestPostgresMailboxes(MailboxesContract):
    """On a server."""

    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        """A database with our tables."""
        return postgres_url
