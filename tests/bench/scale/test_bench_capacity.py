"""The capacity model's queue beside a real one: a worker with four hands over the real store, and the same arrivals simulated."""

import asyncio
import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter

import pytest

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.contract.notifier.short_work import Reader, services
from triage.domain.errors import NotAMail
from triage.domain.mail import Message
from triage.domain.operations.traces import Worked
from triage.pipeline.worker import Worker
from triage.services.intake import Intake, received_from_file

pytestmark = pytest.mark.bench

MAILS = 200
HANDS = 4
TAKES = 0.1
"""Mean seconds that a mail is in hand."""


def waits(arrivals: Sequence[float], services: Sequence[float], hands: int) -> tuple[float, ...]:
    """Simulate a queue: return the seconds that each mail waits for one of the hands, first come first served.

    `arrivals` are seconds in rising order, `services` the seconds that each mail is in hand.
    """
    free = [0.0] * hands
    waited = []
    for came, takes in zip(arrivals, services, strict=True):
        begins = max(came, heapq.heappop(free))
        heapq.heappush(free, begins + takes)
        waited.append(begins - came)
    return tuple(waited)


@dataclass
class Timed(Reader):
    """Takes the time that each mail names, and notes when it began."""

    began: dict[int, float] = field(default_factory=dict)

    async def read(self, raw: bytes) -> Message:
        """As long as the mail says."""
        number, seconds = raw.split(b": ")[1].split(b" ")[:2]
        self.began[int(number)] = perf_counter()
        await asyncio.sleep(float(seconds))
        raise NotAMail("done")


@pytest.mark.parametrize("load", [0.5, 0.8, 1.2])
async def test_waits(tmp_path: Path, load: float) -> None:
    """How long mails wait for a hand, simulated and real, at half load, at a high one, and at one that is too high."""
    chance = random.Random(3)
    planned = [chance.expovariate(1 / TAKES) for _ in range(MAILS)]
    pauses = [chance.expovariate(load * HANDS / TAKES) for _ in range(MAILS)]
    store, reader, stop = await open_store(f"sqlite:///{tmp_path}/bench.db", SystemClock()), Timed(), asyncio.Event()
    in_hand: dict[int, float] = {}

    def worked(one: Worked) -> None:
        in_hand[int(one.case.removeprefix("case-")) - 1] = (one.end - one.begin).total_seconds()

    notifier = LocalNotifier()
    intake = Intake(store.inbox, notifier, SystemClock(), 1_000_000)
    worker = Worker(
        jobs=store.jobs,
        notifier=notifier,
        clock=SystemClock(),
        services=services(reader),
        at_once=HANDS,
        poll=0.05,
        on_work=worked,
    )
    serving, start, came = asyncio.create_task(worker.serve(stop)), perf_counter(), list[float]()
    for number, at in enumerate(accumulate(pauses)):
        await asyncio.sleep(max(0.0, start + at - perf_counter()))
        came.append(perf_counter())
        mail = f"Subject: {number} {planned[number]:.4f} \r\nFrom: s{number}@x.example\r\n\r\n".encode()
        await intake.accept(received_from_file(f"{number}.eml", mail, SystemClock().now()))
    while len(in_hand) < MAILS:
        await asyncio.sleep(0.05)
    stop.set()
    await serving
    await store.close()
    order = sorted(range(MAILS), key=lambda n: reader.began[n])
    real = [reader.began[n] - came[n] for n in order]
    told = waits([came[n] - start for n in range(MAILS)], [in_hand[n] for n in range(MAILS)], HANDS)
    print(f"\nload {load}: mean wait {mean(told) * 1e3:.0f} ms simulated, {mean(real) * 1e3:.0f} ms real;", end=" ")
    print(f"p95 {quantiles(told, n=20)[-1] * 1e3:.0f} ms simulated, {quantiles(real, n=20)[-1] * 1e3:.0f} ms real")

    assert mean(real) < 3 * mean(told) + 0.2
