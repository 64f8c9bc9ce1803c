"""The first start at a mailbox that is full: what is taken, how a backfill that was cut short goes on, what the log says."""

from datetime import UTC, datetime

from loguru import logger

from tests.e2e.mailbox.mailbox_desk import Desk, watching
from triage.services.mailbox_sync import LISTED

MANY = 2 * LISTED + 300
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


async def test_a_full_mailbox(desk: Desk) -> None:
    """Nothing old is taken unasked; asked, all is, page by page, once, though it was stopped on the way."""
    desk.person.fill(
        f"Message-ID: <{number}@example.com>\r\nSubject: {number}\r\n\r\nHello\r\n".encode() for number in range(MANY)
    )
    said: list[tuple[int, int]] = []
    hearing = logger.add(
        lambda line: said.append((line.record["extra"]["mails"], line.record["extra"]["of"])),
        filter=lambda record: record["message"] == "mailbox.progress",
    )
    await desk.watch().once()
    unasked = await desk.has(1)
    async with watching(desk.watch(since=LONG_AGO)):
        await desk.until(lambda: desk.has(LISTED // 2))
    stopped = sum((await desk.store.archive.counts()).values())
    said.clear()
    await desk.watch().once()
    logger.remove(hearing)
    ids = await desk.ids()

    assert not unasked
    assert LISTED // 2 <= stopped < MANY
    assert sorted(map(int, ids)) == list(range(MANY))
    assert said[-1][0] == said[-1][1] < MANY, "what was there is not fetched again"
    assert (await desk.cursor()).backfill is None
