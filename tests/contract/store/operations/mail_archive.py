"""What every `MailArchive` must do."""

from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.operations.forget_store import ended, lived
from tests.contract.store.store_samples import MORNING, mail, opened
from triage.domain.mail import CopyState
from triage.domain.operations.errors import ArchiveDown, MailGone

SOON = MORNING + timedelta(days=1)
LONG_AFTER = MORNING + timedelta(days=99)


class MailArchiveContract:
    """Rows of copies."""

    async def test_only_what_is_over_is_moved(self, store: SqlStore) -> None:
        """Not a mail that a worker has, waits or was never read, nor a younger one; in pages, each once."""
        await ended(store, 1, 2)
        await lived(store, 3)
        await store.inbox.accept(mail("4"))
        dead = await opened(store, 5)
        await store.jobs.dead_letter(dead.cases.lease, "it kills the parser")
        first = await store.mail_archive.movable(SOON, "", 1)
        rest = await store.mail_archive.movable(SOON, "case-1", 9)

        assert [one.case for one in (*first, *rest)] == ["case-1", "case-2"]
        assert first[0].key.startswith("2026-11/case-1-")
        assert await store.mail_archive.movable(MORNING, "", 9) == ()

    async def test_the_bytes_leave_last(self, store: SqlStore) -> None:
        """They stay while a copy is made; then the row alone is there, and is counted."""
        await ended(store, 1)
        [found] = await store.mail_archive.movable(SOON, "", 9)
        begun = [await store.mail_archive.begin(found) for _ in range(2)]
        before = await store.archive.raw("case-1")
        states = [await store.mail_archive.keep(found) for _ in range(2)]

        assert (begun, before) == ([before, before], mail("1").raw)
        assert states == [CopyState.KEPT, CopyState.KEPT]
        assert (await store.mail_archive.begin(found), await store.mail_archive.kept()) == (None, 1)
        assert await store.mail_archive.movable(SOON, "", 9) == ()
        with pytest.raises(ArchiveDown):
            await store.archive.raw("case-1")

    async def test_a_case_that_is_worked_on_again(self, store: SqlStore) -> None:
        """Its bytes stay until it is over."""
        await ended(store, 1)
        [found] = await store.mail_archive.movable(SOON, "", 9)
        await store.mail_archive.begin(found)
        lease = await store.jobs.claim("case-1", "w", 60)

        assert await store.mail_archive.keep(found) is CopyState.COPYING
        assert await store.archive.raw("case-1") == mail("1").raw
        await store.jobs.open(lease).cases.finish()
        assert await store.mail_archive.keep(found) is CopyState.KEPT

    @pytest.mark.parametrize("kept", [True, False])
    @pytest.mark.parametrize("forgotten", [True, False])
    async def test_a_forgotten_mail(self, store: SqlStore, *, kept: bool, forgotten: bool) -> None:
        """Forgotten or too old, before or after the copy took its place: the copy has to go, and no bytes come back."""
        await ended(store, 1, 2)
        first, second = await store.mail_archive.movable(SOON, "", 9)
        for one in (first, second):
            await store.mail_archive.begin(one)
        if kept:
            assert await store.forgetting.grown_old(LONG_AFTER, 9) == ("case-1", "case-2")
            await store.mail_archive.keep(first)
        assert await store.forgetting.grown_old(LONG_AFTER, 9) == ("case-1", "case-2")
        if forgotten:
            assert await store.forgetting.forget("case-1", "p", under_way=False) == ""
        else:
            assert await store.forgetting.age("case-1")
        [copy] = await store.mail_archive.unwanted()

        assert (copy.case, copy.key, copy.since) == ("case-1", first.key, MORNING)
        assert await store.mail_archive.keep(first) is CopyState.UNWANTED
        assert await store.mail_archive.begin(first) is None
        assert await store.forgetting.grown_old(LONG_AFTER, 9) == ("case-2",)
        with pytest.raises(MailGone):
            await store.archive.raw("case-1")
        await store.mail_archive.removed(copy)
        assert await store.mail_archive.unwanted() == ()
        assert await store.mail_archive.keep(first) is CopyState.UNWANTED
        assert await store.archive.raw("case-2") == mail("2").raw
