"""Dry runs: one at a time, in order, never endless."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.unit.triage.services.casework.mail_cases import case_with
from triage.domain.errors import DryRunTooLong
from triage.domain.findings import Disposition
from triage.domain.reports import Report
from triage.services.casework.dry_runs import NO_OVERRIDES, DryRuns, DryRunServices, ReplayOverrides


class Copy:
    """What is asked of a copy of the store, in order."""

    def __init__(self, *, endless: bool = False) -> None:
        self.asked: list[object] = []
        self.open = 0
        self._endless = endless

    @asynccontextmanager
    async def opened(self, case: str, otherwise: ReplayOverrides) -> AsyncIterator[DryRunServices]:
        """Open it for one case."""
        self.asked.append((case, otherwise))
        self.open += 1
        yield DryRunServices(cases=self, reports=self, accept=self.accept, work=self.work)  # type: ignore[arg-type]  # what is asked of both
        self.open -= 1

    async def report(self, _: str) -> Report:
        """The same before and after."""
        return Report(case=case_with(0), state="ticketed", attempts=1, trouble="")

    async def replay(self, _: str) -> None:
        """Note it."""
        self.asked.append("replay")

    async def correct(self, _: str, disposition: Disposition, by: str, ticket: str, *, apart: str) -> None:
        """Note it."""
        self.asked.append((disposition, by, ticket, apart))

    async def accept(self, raw: bytes) -> str:
        """Note it."""
        self.asked.append(raw)
        return "case-9"

    async def work(self, _: str) -> None:
        """Note how many are open."""
        await asyncio.sleep(3600 if self._endless else 0)
        self.asked.append(self.open)


async def test_a_replay_works_on_a_copy_of_its_own() -> None:
    """Another model and agent are told to it; two at once wait for each other."""
    copy, other = Copy(), ReplayOverrides(model="none", profile="jira")
    runs = DryRuns(open=copy.opened)
    await asyncio.gather(
        runs.replay("7", other), runs.correct("7", Disposition.SPAM, "HARB-1", apart="HARB-2", by="ada")
    )

    assert copy.asked == [
        *(("case-7", other), "replay", 1),
        *(("case-7", NO_OVERRIDES), (Disposition.SPAM, "ada", "HARB-1", "HARB-2"), "replay", 1),
    ]


async def test_an_endless_run_is_given_up() -> None:
    """The person is told, and the next one has his turn."""
    with pytest.raises(DryRunTooLong):
        await DryRuns(open=Copy(endless=True).opened, seconds=0.01).replay("7")


async def test_a_mail_that_is_not_here() -> None:
    """It is taken into the copy alone, and decided there; one that takes too long is told so."""
    copy, endless = Copy(), DryRuns(open=Copy(endless=True).opened, seconds=0.01)
    await DryRuns(open=copy.opened).mail(b"From: ada@example.com", ReplayOverrides(model="none"))

    assert copy.asked == [("", ReplayOverrides(model="none")), b"From: ada@example.com", 1]
    with pytest.raises(DryRunTooLong):
        await endless.mail(b"x")
