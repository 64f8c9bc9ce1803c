"""Mails of one thread in whatever order they come: one ticket, every mail on it, each once."""

import asyncio
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from tests.e2e.opened import house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Received

SAID = ("The barcode is cut off at the right edge when I print a label.", "It happens with small labels, too.",
        "We use the printer in the back room.", "A restart of the printer changes nothing.",
        "The preview looks right, though.", "It was fine before the update on Monday.")  # fmt: skip
ORDERS = [tuple(range(6)), *Random(5).sample(sorted(permutations(range(6))), 4)]


def letter(number: int) -> bytes:
    """The opening mail, or an answer to all before it."""
    before = " ".join(f"<{earlier}@corner-shop.example>" for earlier in range(number))
    thread = f"In-Reply-To: <{number - 1}@corner-shop.example>\nReferences: {before}\n" if number else ""
    return (
        f"From: Dora <dora@corner-shop.example>\nTo: support@harbourline.example\nDate: Fri, 20 Nov 2026 08:0{number}:00 +0000\n"
        f"Subject: {'Re: ' if number else ''}Barcode cut off\nMessage-ID: <{number}@corner-shop.example>\n{thread}\n{SAID[number]}\n"
    ).encode()


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: "".join(map(str, order)))
async def test_any_order(tmp_path: Path, cloud_jira: RunningJira, order: tuple[int, ...]) -> None:
    """Taken in in this order and handled by three workers at once, the thread is one ticket with five comments."""
    async with house(cloud_jira, tmp_path) as opened:
        for number in order:
            now = opened.worker.clock.now()
            raw = letter(number)
            await opened.intake.accept(Received(source="file", source_id=f"m{number}", raw=raw, at=now))
        await asyncio.gather(*(opened.worker.drain() for _ in range(3)))
        cases = [
            (await opened.store.archive.report(line.id)).case for line in reversed(await opened.store.archive.cases())
        ]
        (key,) = judge(cloud_jira, tmp_path).created()
        told = [(await opened.tracker.tickets.get(key)).description, *judge(cloud_jira, tmp_path).comments(key)]

    assert [case.outcome for case in cases] == [Outcome.TICKETED, *[Outcome.COMMENTED] * 5]
    assert {case.ticket for case in cases} == {key}
    assert [SAID[number] in text for number, text in zip(order, told, strict=True)] == [True] * 6
