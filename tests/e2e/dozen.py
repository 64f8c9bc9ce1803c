"""Twelve mails of the demo, given to a running application."""

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from cli.demo.outcomes import judged
from cli.wiring.app import App
from tests.conftest import PATIENCE
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Received, Trust
from triage_sandbox.company import DemoMail, mails

DOZEN = mails()[:12]


def busy(jira: RunningJira, folder: Path, **more: str) -> AbstractAsyncContextManager[App]:
    """Triage that works on four mails at once."""
    return house(jira, folder, dry_run=False, **{"WORKERS": "4", **more})


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


async def accept(house: App, letter: DemoMail) -> str:
    """A mail of the demo, as a provider would bring it."""
    now = house.worker.clock.now()
    verdict = Trust(letter.expected.verdict)
    return await house.intake.accept(
        Received(source="demo", source_id=letter.name, raw=letter.raw, at=now, verdict=verdict)
    )
