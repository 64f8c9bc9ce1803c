"""`triage work` as processes that die and are told to stop."""

import asyncio
import signal
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.backlog import accepted, ended, letter
from tests.e2e.dozen import DOZEN, accept, busy, finished, wrong
from tests.e2e.installation import Installation, told
from tests.e2e.opened import house
from tests.e2e.running import running, until
from tests.servers.ntfy import ntfy
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Message
from triage.domain.ports import LeasedCase, MailReader
from triage.pipeline.context import Services
from triage_sandbox.jira import Fault


@pytest.mark.parametrize("runner", ["local", "arq"])
async def test_a_killed_worker_is_taken_over(
    installation: Installation, runner: str, request: pytest.FixtureRequest
) -> None:
    """SIGKILL of a worker process in the middle of a dozen mails: another one finishes them, each ticket once."""
    installation.extra = {"SETTLE_SECONDS": "0"}
    if runner == "arq":
        installation.extra["REDIS_URL"] = request.getfixturevalue("redis_server").url
    installation.jira.fault(Fault(do="delay", method="POST", path="/issue$", seconds=0.3, count=0))
    async with busy(installation.jira, installation.folder) as house:
        cases = [await accept(house, letter) for letter in DOZEN]
        with running(installation, "work") as first, running(installation, "work") as second:
            until(lambda: len(installation.jira.requests("POST", "/issue$")) >= 2, first, second)
            first.ended(signal.SIGKILL)
            sent = len(installation.jira.requests("POST", "/issue$"))
            until(lambda: len(installation.created()) >= sent, second)  # what SETTLE_SECONDS waits for
            installation.end_leases(f"%:{first.process.pid}")
            installation.jira.app.faults.clear()
            await finished(house)
            code = second.ended()
        mistakes = await wrong(house, cases)
        tickets = {(await house.store.archive.report(case)).case.ticket for case in cases}

    assert (mistakes, code) == ([], 0)
    assert set(installation.created()) <= tickets


class Together(MailReader):
    """Reads a mail as soon as so many are to be read at the same time."""

    def __init__(self, inner: MailReader, hands: int) -> None:
        self._inner = inner
        self._gate = asyncio.Barrier(hands)

    async def read(self, raw: bytes) -> Message:
        """When all hands are at it."""
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


def known(installation: Installation) -> set[str]:
    """The keys of all notices about versions and findings."""
    with sqlite3.connect(installation.folder / "triage.db") as store:
        found = store.execute("SELECT key FROM notices WHERE key LIKE 'doctor %' OR key LIKE 'version%'").fetchall()
    store.close()
    return {str(key) for (key,) in found}


def test_tables_of_a_newer_version(installation: Installation) -> None:
    """After a roll back the tables of the newer version are read, and the doctor names it and the ways on."""
    installation.triage("cases")
    before = told(installation.triage("doctor"))
    with sqlite3.connect(installation.folder / "triage.db") as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    done = installation.triage("doctor")

    assert "newer version" not in before
    assert "✓ database: sqlite, 0 cases" in told(done)
    assert "a newer version of Triage has made its tables (revision 9999)" in told(done)
    assert "restore the backup made before it" in told(done)


def test_findings_after_an_upgrade(installation: Installation) -> None:
    """The first version only remembers; the next tells what it finds beside that, once."""
    with ntfy() as push:
        with running(installation, "work", NOTIFY_URLS=push.url) as work:
            until(lambda: "doctor model warn" in known(installation), work)
        with sqlite3.connect(installation.folder / "triage.db") as store:
            store.execute("DELETE FROM notices WHERE key LIKE 'version _%' OR key = 'doctor model warn'")
        store.close()
        assert push.taken == []
        with running(installation, "work", NOTIFY_URLS=push.url) as work:
            until(lambda: push.taken, work)

    assert push.titles == ["Triage: new finding after an upgrade"]
    assert "no OPENAI_API_KEY" in push.taken[0]["message"]
