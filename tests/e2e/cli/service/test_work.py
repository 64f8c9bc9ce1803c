"""`triage work` as processes that die and are told to stop."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from cli.demo.outcomes import judged
from cli.wiring.app import App, open_app
from tests.conftest import PATIENCE
from tests.database import migrated
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.e2e.service.test_trouble import house
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.mail import Message, Received, Trust
from triage.domain.ports import LeasedCase, MailReader
from triage.pipeline.context import Services
from triage_sandbox.company import DemoMail, mails
from triage_sandbox.jira import Fault

DOZEN = mails()[:12]


@asynccontextmanager
async def house_of(jira: RunningJira, folder: Path, **more: str) -> AsyncIterator[App]:
    """A house over the sandbox, four mails at once."""
    given = {
        "JIRA_BASE_URL": jira.url,
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": jira.login[0],
        "JIRA_API_TOKEN": jira.token,
        "DATABASE_URL": f"sqlite:///{migrated(folder / 'triage.db')}",
        "TRIAGE_CONFIG": os.devnull,
        "SETTLE_SECONDS": "0",
        "WORKERS": "4",
        "LEASE_SECONDS": "10",
        "LOG_LEVEL": "ERROR",
    }
    async with open_app(load(Isolated, **given, **more)) as house:
        yield house


async def accept(house: App, letter: DemoMail) -> str:
    """A mail of the demo, as a provider would bring it."""
    now = house.worker.clock.now()
    verdict = Trust(letter.expected.verdict)
    return await house.intake.accept(
        Received(source="demo", source_id=letter.name, raw=letter.raw, at=now, verdict=verdict)
    )


async def finished(house: App, number: int = len(DOZEN)) -> None:
    """Back when so many cases have come to an end."""
    async with asyncio.timeout(PATIENCE):
        while True:
            counts = await house.store.archive.counts()
            open_ones = sum(counts.get(state, 0) for state in ("ready", "working", "retrying"))
            if sum(counts.values()) == number and not open_ones:
                return
            await asyncio.sleep(0.05)


async def wrong(house: App, cases: list[str]) -> list[str]:
    """Mails that did not end as is written beside them."""
    reports = [await house.store.archive.report(case) for case in cases]
    lines = judged(DOZEN, reports)
    return [f"{line.mail}: {line.action} {line.ticket}, expected {line.expected}" for line in lines if line.expected]


@pytest.mark.parametrize("runner", ["local", "arq"])
async def test_a_killed_worker_is_taken_over(
    installation: Installation, runner: str, request: pytest.FixtureRequest
) -> None:
    """SIGKILL of a worker process in the middle of a dozen mails: another one finishes them, each ticket once."""
    installation.extra = {"SETTLE_SECONDS": "0"}
    if runner == "arq":
        installation.extra["REDIS_URL"] = request.getfixturevalue("redis_server").url
    installation.jira.fault(Fault(do="delay", method="POST", path="/issue$", seconds=0.3, count=0))
    async with house_of(installation.jira, installation.folder) as house:
        cases = [await accept(house, letter) for letter in DOZEN]
        with running(installation, "work") as first, running(installation, "work") as second:
            until(lambda: len(installation.jira.requests("POST", "/issue$")) >= 2, first, second)
            first.process.send_signal(signal.SIGKILL)
            installation.jira.app.faults.clear()
            await finished(house)
            code = second.ended()
        mistakes = await wrong(house, cases)
        tickets = {(await house.store.archive.report(case)).case.ticket for case in cases}

    assert (mistakes, code) == ([], 0)
    assert set(installation.created()) <= tickets


REAL = 4
"""So many threads are by people, and ask Jira; the rest are notices that end at once."""


def letter(number: int, thread: int, place: int) -> bytes:
    """A mail of a thread, by somebody or by a machine."""
    before = [f"<{thread}.{earlier}@corner-shop.example>" for earlier in range(place)]
    head = f"In-Reply-To: {before[-1]}\nReferences: {' '.join(before)}\n" if before else ""
    machine = "" if thread < REAL else "Auto-Submitted: auto-generated\n"
    return (
        f"From: Clerk {thread} <clerk{thread}@corner-shop.example>\nTo: support@harbourline.example\n"
        f"Subject: {'Re: ' if place else ''}Scanner {thread} does not start\n{machine}{head}"
        f"Message-ID: <{thread}.{place}@corner-shop.example>\n\nIt shows lamp {number} and stays dark.\n"
    ).encode()


def ended(folder: Path) -> list[int]:
    """The numbers of all cases, in the order in which they ended."""
    with closing(sqlite3.connect(folder / "triage.db")) as connection:
        rows = connection.execute("SELECT case_id, max(id) FROM steps GROUP BY case_id ORDER BY 2").fetchall()
        assert connection.execute("SELECT count(*) FROM cases WHERE outcome IS NULL").fetchone() == (0,)
    return [row[0] for row in rows]


async def accepted(opened: App, raws: Sequence[bytes]) -> None:
    """All of them, in this order."""
    now = opened.worker.clock.now()
    for number, raw in enumerate(raws):
        await opened.intake.accept(Received(source="test", source_id=str(number), raw=raw, at=now))


class Together(MailReader):
    """Reads a mail as soon as so many are to be read at the same time."""

    def __init__(self, inner: MailReader, hands: int) -> None:
        self._inner = inner
        self._gate = asyncio.Barrier(hands)

    async def read(self, raw: bytes) -> Message:
        """When all hands are at it."""
        async with asyncio.timeout(30):
            await self._gate.wait()
        return await self._inner.read(raw)

    async def files(self, raw: bytes, wanted: Sequence[str]) -> dict[str, bytes]:
        """As ever."""
        return dict(await self._inner.files(raw, wanted))


async def test_hands_of_drain(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`work --until-idle` works on as many mails at a time as WORKERS says."""
    async with house(cloud_jira, tmp_path, WORKERS="3") as opened:
        made: list[MailReader] = []

        def together(leased_case: LeasedCase) -> Services:
            at = opened.worker.services(leased_case)
            made[:] = made or [Together(at.reader, 3)]
            return replace(at, reader=made[0])

        await accepted(opened, [letter(number, 100 + number, 0) for number in range(6)])
        await replace(opened.worker, services=together).drain()

    assert sorted(ended(tmp_path)) == list(range(1, 7))
