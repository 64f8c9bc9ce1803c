"""What every store must do with mails that come in."""

import asyncio
import hashlib
from dataclasses import replace

import pytest
from sqlalchemy import select

from integrations.sql.database.schema import mails
from integrations.sql.store import SqlStore
from tests.conftest import PATIENCE
from tests.contract.store.store_samples import HOSTILE, MORNING, Marks, mail
from triage.domain.errors import CaseNotFound
from triage.domain.mail import Trust


class InboxContract:
    """Accepting."""

    async def test_accept_makes_a_case(self, store: SqlStore) -> None:
        """An accepted mail is a case that waits for a worker, with its bytes as they came."""
        received = replace(mail(raw=bytes(range(256)) * 100), verdict=Trust.WEAK)

        case = await store.inbox.accept(received)

        report = await store.archive.report(case)
        assert case == "case-1"
        assert received.raw == await store.archive.raw(case)
        assert (report.case.id, report.case.source, report.case.verdict) == (case, "file", Trust.WEAK)
        assert (report.state, report.case.received_at, report.attempts) == ("ready", MORNING, 0)

    async def test_accept_keeps_the_hash(self, store: SqlStore) -> None:
        """The hash of the bytes stands beside them."""
        received = mail()

        await store.inbox.accept(received)

        kept = await store._database.read(lambda c: c.scalar(select(mails.c.sha256)))
        assert hashlib.sha256(received.raw).hexdigest() == kept

    async def test_same_delivery_twice(self, store: SqlStore, marks: Marks) -> None:
        """The same delivery again gives the first case, also with other bytes, and writes nothing."""
        first = await store.inbox.accept(mail(raw=b"first"))
        marks.seen.clear()

        assert first == await store.inbox.accept(mail(raw=b"second"))
        assert await store.archive.raw(first) == b"first"
        assert marks.seen == []

    async def test_same_name_of_two_sources(self, store: SqlStore) -> None:
        """Two sources may call different mails by the same name."""
        first = await store.inbox.accept(mail(1, source="imap:support"))

        assert first != await store.inbox.accept(mail(1, source="webhook:postmark"))

    async def test_same_delivery_fifty_times_at_once(self, store: SqlStore) -> None:
        """Fifty deliveries of one mail at the same time are one case."""
        ids = await asyncio.gather(*(store.inbox.accept(mail(7)) for _ in range(50)))

        assert {"case-1"} == set(ids)
        assert await store.archive.counts() == {"ready": 1}

    async def test_same_delivery_at_two_stores(self, store: SqlStore, second_store: SqlStore) -> None:
        """Two processes that are given the same mails agree on their cases."""
        both = [
            asyncio.gather(*(at.inbox.accept(mail(number // 2)) for number in range(60)))
            for at in (store, second_store)
        ]
        one, other = await asyncio.gather(*both)

        assert one == other
        assert await store.archive.counts() == {"ready": 30}

    async def test_many_at_once(self, store: SqlStore) -> None:
        """Mails that share a commit keep apart, and are numbered in the order they came."""
        received = [mail(number) for number in range(200)]

        ids = await asyncio.gather(*map(store.inbox.accept, received))

        assert [f"case-{number}" for number in range(1, 201)] == ids
        assert [one.raw for one in received] == [await store.archive.raw(case) for case in ids]

    async def test_large_mails_at_once(self, store: SqlStore) -> None:
        """More bytes than one commit takes are shared out over several."""
        received = [mail(number, raw=bytes([number]) * 3_000_000) for number in range(9)]

        ids = await asyncio.gather(*map(store.inbox.accept, received))

        assert [one.raw for one in received] == [await store.archive.raw(case) for case in ids]

    async def test_same_deliveries_in_another_order(self, store: SqlStore, second_store: SqlStore) -> None:
        """Two processes that are given the same mails in opposite orders do not lock each other out."""
        for start in range(0, 300, 60):
            numbers = range(start, start + 60)
            both = [
                asyncio.gather(*(at.inbox.accept(mail(number)) for number in order))
                for at, order in ((store, numbers), (second_store, reversed(numbers)))
            ]
            one, other = await asyncio.gather(*both)

            assert one == other[::-1]

    async def test_hostile_names(self, store: SqlStore) -> None:
        """A delivery may be called anything, at any length, and is known again by it."""
        names = (HOSTILE, "x" * 5000, "x" * 5001, "", "é" * 300)

        ids = [await store.inbox.accept(mail(name, source=f"imap:{HOSTILE}")) for name in names]

        assert len(set(ids)) == len(names)
        assert ids == [await store.inbox.accept(mail(name, source=f"imap:{HOSTILE}")) for name in names]

    async def test_large_mail(self, store: SqlStore) -> None:
        """A mail of 40 MB is kept."""
        raw = b"0123456789abcdef" * (40 * 65536)

        case = await store.inbox.accept(mail(raw=raw))

        assert raw == await store.archive.raw(case)

    async def test_landmarks(self, store: SqlStore, marks: Marks) -> None:
        """The crash harness passes each point of the intake once, in order."""
        await store.inbox.accept(mail())

        assert marks.seen == ["raw.written", "row.inserted", "intake.committed"]

    async def test_caller_who_leaves(self, store: SqlStore) -> None:
        """A caller who is cancelled neither spoils the others' commit nor blocks the store."""
        tasks = [asyncio.create_task(store.inbox.accept(mail(number))) for number in range(20)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        stayed = await asyncio.gather(*tasks[1::2])

        assert len(set(stayed)) == 10
        assert await asyncio.wait_for(store.inbox.accept(mail(100)), PATIENCE)

    @pytest.mark.parametrize("case", ["case-9", "case-", "case-0", "17", "case-x", "case-99999999999", "case--1", ""])
    async def test_unknown_case(self, store: SqlStore, case: str) -> None:
        """What is no case is called unknown, by every question about one."""
        await store.inbox.accept(mail())

        with pytest.raises(CaseNotFound, match="triage cases"):
            await store.archive.report(case)
        with pytest.raises(CaseNotFound):
            await store.archive.raw(case)
        with pytest.raises(CaseNotFound):
            await store.jobs.claim(case, "w", 60)
        assert await store.jobs.lease_case(case, "w", 60) is None
