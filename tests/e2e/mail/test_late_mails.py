"""Mails that come after those that answer them: one thread is one ticket in whatever order it comes, and waits for nobody."""

import asyncio
import os
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from cli.wiring.app import App
from tests.e2e.mail.delivery import delivered
from tests.e2e.opened import delete, house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Case, Outcome
from triage.domain.mail import Received, Trust

MAILS = 6
ORDERS = sorted(permutations(range(MAILS)))
SAMPLE = Random(6).sample(ORDERS, int(os.environ.get("THREAD_ORDERS", "6")))
"""All 720 with THREAD_ORDERS=720."""
ALONE = {
    "MAY_BE_DUPLICATE_FROM": "1",
    "THROTTLE_SENDER_PER_HOUR": "0",
    "THROTTLE_STORM_PER_HOUR": "0",
    "THROTTLE_THREAD_PER_HOUR": "0",
}
"""Only threads bring mails together here, and no rate limit does."""


def named(shape: int, number: int) -> list[int]:
    """The earlier mails that this one names: all, the first, or the first and one in between."""
    return [list(range(number)), [0], sorted({0, number // 2})][shape] if number else []


def mail(
    number: int, refs: list[int], *, shop: str = "shop", sender: str = "dora", subject: str = "", cc: str = ""
) -> bytes:
    """A mail that names these earlier ones, the last of them as the one that it answers."""
    ids = [f"<{ref}@{shop}.example>" for ref in refs]
    thread = f"In-Reply-To: {ids[-1]}\nReferences: {' '.join(ids)}\n" if ids else ""
    about = subject or f"{'Re: ' if refs else ''}Labels of {shop}"
    return (
        f"From: <{sender}@{shop}.example>\nTo: <erik@{shop}.example>, support@harbourline.example\n{cc}Subject: {about}\n"
        f"Date: Fri, 20 Nov 2026 08:0{number}:00 +0000\nMessage-ID: <{number}@{shop}.example>\n{thread}\nWord {number}.\n"
    ).encode()


async def test_any_order(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Threads of three shapes, in seeded orders, all at once, handled by three workers: each becomes one ticket."""
    threads = [(f"shop{at}", at % 3, order) for at, order in enumerate(SAMPLE)]
    async with house(cloud_jira, tmp_path, dry_run=False, **ALONE) as opened:
        now = opened.worker.clock.now()
        for place in range(MAILS):
            for shop, shape, order in threads:
                raw = mail(order[place], named(shape, order[place]), shop=shop)
                await opened.intake.accept(Received(source="file", source_id=f"{shop}:{place}", raw=raw, at=now))
        await asyncio.gather(*(opened.worker.drain() for _ in range(3)))
        lines = await opened.store.archive.cases(len(threads) * MAILS)
        cases = [(await opened.store.archive.report(line.id)).case for line in lines]

    ends = Counter((case.mail.ids[0].partition("@")[2], case.ticket, case.outcome) for case in cases)
    keys = {shop: {key for found, key, _ in ends if found == f"{shop}.example"} for shop, _, _ in threads}
    assert {shop: len(found) for shop, found in keys.items()} == {shop: 1 for shop, _, _ in threads}
    assert Counter(case.outcome for case in cases) == {
        Outcome.TICKETED: len(threads),
        Outcome.COMMENTED: 5 * len(threads),
    }
    assert len(judge(cloud_jira, tmp_path).created()) == min(len(threads), 100)


async def late(opened: App, *mails: bytes) -> list[Case]:
    """What becomes of these, one after the other."""
    return [(await delivered(opened, raw, f"mail-{at}")).case for at, raw in enumerate(mails)]


async def test_a_mail_after_its_answer(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """It is a comment on the ticket of its answer, whatever the subjects, and the report says that it came late."""
    cc = "Cc: <dora@shop.example>\n"
    async with house(cloud_jira, tmp_path, dry_run=False, **ALONE) as opened:
        answer, opener, next_answer = await late(
            opened,
            mail(1, [0], sender="erik", cc=cc, subject="Aw: printer again"),
            mail(0, []),
            mail(2, [0], sender="erik", cc=cc),
        )

    key = answer.ticket or ""
    told = judge(cloud_jira, tmp_path).comments(key)
    assert [(one.outcome, one.ticket) for one in (answer, opener, next_answer)] == [
        (Outcome.TICKETED, key),
        (Outcome.COMMENTED, key),
        (Outcome.COMMENTED, key),
    ]
    assert ["after-its-answer" in one.flags for one in (answer, opener, next_answer)] == [False, True, False]
    assert ["Word 0" in told[0], "Word 2" in told[1]] == [True, True]


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0), (1, 0, 2)])
async def test_without_references(tmp_path: Path, cloud_jira: RunningJira, order: tuple[int, ...]) -> None:
    """Where programs name the mail before theirs only, the three are in different lanes, and one ticket all the same."""
    names: dict[int, list[int]] = {0: [], 1: [0], 2: [1]}
    async with house(cloud_jira, tmp_path, dry_run=False, **ALONE) as opened:
        for number in order:
            raw = mail(number, names[number])
            now = opened.worker.clock.now()
            await opened.intake.accept(Received(source="file", source_id=str(number), raw=raw, at=now))
        await asyncio.gather(*(opened.worker.drain() for _ in range(3)))
        cases = [(await opened.store.archive.report(line.id)).case for line in await opened.store.archive.cases()]

    assert len({case.ticket for case in cases}) == len(judge(cloud_jira, tmp_path).created()) == 1


async def test_who_may_not_join(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A forged answer and one by a stranger on something else gather no mails; nor do two mails under one id."""
    forged = Trust.FAILED
    async with house(cloud_jira, tmp_path, dry_run=False, **ALONE) as opened:
        bad = (await delivered(opened, mail(1, [0]), "forged", forged)).case
        eve = (await delivered(opened, mail(2, [0], sender="eve", subject="Gold"), "eve")).case
        opener = (await delivered(opened, mail(0, []), "opener")).case
        twice = (await delivered(opened, mail(0, [], subject="Something else"), "twice")).case

    keys = [one.ticket for one in (bad, eve, opener, twice)]
    assert (len({*keys}), [one.outcome for one in (bad, eve, opener, twice)]) == (4, [Outcome.TICKETED] * 4), keys


async def test_answers_wait_for_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A mail that answers one we never had becomes a ticket at once; one whose ticket is gone is as if it never came."""
    async with house(cloud_jira, tmp_path, dry_run=False, **ALONE) as opened:
        answer = await delivered(opened, mail(1, [0]), "answer")
        await delete(cloud_jira, answer.case.ticket or "")
        opener = await delivered(opened, mail(0, []), "opener")

    assert (answer.case.outcome, answer.attempts) == (Outcome.TICKETED, 1)
    assert (opener.case.outcome, opener.case.ticket != answer.case.ticket) == (Outcome.TICKETED, True)
