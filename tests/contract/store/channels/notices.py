"""What every store must do with notices: once per key, one message an hour and kind, nothing lost by a crash."""

from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, ended, mail, opened
from triage.domain.channels.notices import DeadCase, Delayed, Notice, NoticeKind, NoticeSeverity
from triage.domain.ports import NoticeStore, Troubles

HOUR = timedelta(hours=1)
LEASE = timedelta(minutes=5)


def notice(key: str = "", kind: NoticeKind = NoticeKind.DEAD_CASE) -> Notice:
    """Something to tell."""
    return Notice(kind=kind, severity=NoticeSeverity.FAILURE, text=f"About {key}", cure="Look", case="case-1", key=key)


async def claim(store: NoticeStore, clock: HeldClock) -> list[str]:
    """The keys of what may be sent now."""
    return [one.key for one in await store.claim(clock.now() - HOUR, clock.now() + LEASE)]


class NoticesContract:
    """The ports `NoticeStore` and `Troubles`."""

    async def test_notices_are_ports(self, store: SqlStore) -> None:
        """One adapter is both."""
        ports: tuple[NoticeStore, Troubles] = store.notices, store.notices

        assert all(ports)

    async def test_a_key_is_told_once(self, store: SqlStore, second_store: SqlStore, clock: HeldClock) -> None:
        """Whoever tells it again, in whichever process; a notice without a key is told each time."""
        first = await store.notices.add([notice("a"), notice("b"), notice(), notice()])

        assert [one.key for one in first] == ["a", "b", "", ""]
        assert await second_store.notices.add([notice("b"), notice("a")]) == ()
        assert await claim(store.notices, clock) == ["a", "b", "", ""]

    async def test_one_message_an_hour_and_kind(self, store: SqlStore, clock: HeldClock) -> None:
        """What comes within the hour waits for its end, as one message; another kind does not."""
        await store.notices.add([notice("a")])
        batch = await store.notices.claim(clock.now() - HOUR, clock.now() + LEASE)
        await store.notices.mark_sent(batch)
        await store.notices.add([notice("b"), notice("c"), notice("d", NoticeKind.STORM)])

        assert await claim(store.notices, clock) == ["d"]
        assert await claim(store.notices, clock) == []
        await clock.sleep(3601)
        assert await claim(store.notices, clock) == ["b", "c"]

    async def test_taken_once(self, store: SqlStore, second_store: SqlStore, clock: HeldClock) -> None:
        """Nobody else gets what one process sends, nor others of its kind; after a crash another one sends it."""
        await store.notices.add([notice("a")])

        assert await claim(store.notices, clock) == ["a"]
        await second_store.notices.add([notice("b")])
        assert await claim(second_store.notices, clock) == []
        await clock.sleep(301)
        assert await claim(second_store.notices, clock) == ["a", "b"]

    async def test_not_sent(self, store: SqlStore, clock: HeldClock) -> None:
        """What no channel took is tried again when it is said."""
        await store.notices.add([notice("a")])
        batch = await store.notices.claim(clock.now() - HOUR, clock.now() + LEASE)
        await store.notices.later(batch, clock.now() + timedelta(minutes=2))

        assert await claim(store.notices, clock) == []
        await clock.sleep(121)
        assert await claim(store.notices, clock) == ["a"]

    async def test_silently(self, store: SqlStore, clock: HeldClock) -> None:
        """What is stored silently is known, and nobody is told."""
        await store.notices.add([notice("a")], silently=True)

        assert await claim(store.notices, clock) == []
        assert await store.notices.add([notice("a")]) == ()

    async def test_states(self, store: SqlStore, clock: HeldClock) -> None:
        """A state stands until it ends; who had heard of it hears of its end; then it may begin again."""
        await store.notices.add([notice("a", NoticeKind.MAILBOX), notice("event")])
        (batch,) = await store.notices.claim(clock.now() - HOUR, clock.now() + LEASE)
        await store.notices.mark_sent([batch])
        await store.notices.add([notice("b", NoticeKind.MAILBOX)])
        standing = await store.notices.standing()

        assert [one.key for one in standing] == ["a", "b"]
        assert [one.text for one in await store.notices.end(standing)] == ["About a"]
        assert await store.notices.standing() == ()
        await clock.sleep(3601)
        assert await claim(store.notices, clock) == ["event"]
        assert len(await store.notices.add([notice("a", NoticeKind.MAILBOX)])) == 1

    async def test_troubles(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails that wait are counted by what they wait for; a dead one is named; others are no trouble."""
        for number, trouble in enumerate(("Jira is away (detail=1)", "Jira is away (detail=2)", "Other")):
            leased = await opened(store, number)
            await store.jobs.postpone(leased.lease, 60, trouble)
        fine, dead = await opened(store, 3), await opened(store, 4)
        await ended(fine, "OPS-1")
        await store.jobs.open(fine.lease).cases.finish()
        await store.jobs.dead_letter(dead.lease, "no room")
        await store.inbox.accept(mail("waits for a worker"))

        assert await store.notices.delayed() == (
            Delayed(trouble="Jira is away", detail="Jira is away (detail=2)", cases=2, since=clock.now()),
            Delayed(trouble="Other", detail="Other", cases=1, since=clock.now()),
        )
        assert await store.notices.dead() == (DeadCase(case=dead.lease.case, subject="", trouble="no room"),)
