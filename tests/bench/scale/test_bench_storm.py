"""A storm of one sender beside the mails of many mailboxes: how much later than with equal shares a person's mail is taken up."""

import asyncio
import os
import random
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from triage.domain.mail import Received
from triage.services.intake import Intake

pytestmark = pytest.mark.bench

STORM: Final = int(os.environ.get("STORM", "5000"))
"""Mails of the storm, and as many of all other mailboxes together."""
MAILBOXES: Final = 50
PEOPLE: Final = 20
"""Senders of a mailbox."""
BAR: Final = 2.0
"""So many times the place that equal shares of the mailboxes give a mail."""
AT_ONCE: Final = 500


async def test_storm(tmp_path: Path) -> None:
    """Behind a storm that came first, no mail of another mailbox waits twice as long as with equal shares, and each is taken up once."""
    others = [
        (f"box-{n % (MAILBOXES - 1)}", f"clerk{n % (MAILBOXES - 1) * PEOPLE + n // (MAILBOXES - 1) % PEOPLE}")
        for n in range(STORM)
    ]
    random.Random(3).shuffle(others)
    mails = [_mail(n, *one) for n, one in enumerate(chain([("storm", "alarm")] * STORM, others))]
    store = await open_store(f"sqlite:///{tmp_path}/bench.db", SystemClock())
    intake, boxes, order = Intake(store.inbox, LocalNotifier(), SystemClock(), 1_000_000), dict[str, str](), list[str]()
    for begin in range(0, len(mails), AT_ONCE):
        some = mails[begin : begin + AT_ONCE]
        names = await asyncio.gather(*map(intake.accept, some))
        boxes |= {name: mail.source for name, mail in zip(names, some, strict=True)}
    while lease := await store.jobs.lease("bench", 600):
        order.append(lease.case)
        await store.jobs.open(lease).cases.finish()
    await store.close()
    shares, seen = list[float](), Counter[str]()
    for place, name in enumerate(order, 1):
        seen[boxes[name]] += 1
        if boxes[name] != "storm":
            shares.append(place / (MAILBOXES * seen[boxes[name]]))
    print(
        f"\n  {STORM} mails of one sender beside {STORM} of {MAILBOXES - 1} mailboxes: the place of a mail is at most"
        f" {max(shares):.2f} times that of equal shares, {sum(shares) / len(shares):.2f} on average; the bar is {BAR}"
    )

    assert (len(order), len(set(order))) == (2 * STORM, 2 * STORM)
    assert max(shares) <= BAR


def _mail(number: int, box: str, person: str) -> Received:
    raw = f"From: {person}@customer.example\r\nMessage-ID: <{number}@customer.example>\r\nSubject: {number}\r\n\r\nHello.\r\n"
    return Received(source=box, source_id=str(number), raw=raw.encode(), at=SystemClock().now())
