"""Two ways to run the same work, held to the same promises: one process alone, and arq over a real Redis."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cli.demo.outcomes import judged
from cli.service.work import serve_worker
from cli.wiring.app import App, open_app
from tests.conftest import PATIENCE
from tests.database import migrated
from tests.e2e.installation import Installation
from tests.servers.redis import RedisServer
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.conversation import Turn
from triage.domain.mail import Received, Trust
from triage_sandbox.company import DemoMail, mails
from triage_sandbox.openai_app import Reply, Script, openai_app
from triage_sandbox.server import Served

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


@asynccontextmanager
async def at_work(house: App) -> AsyncIterator[asyncio.Task[None]]:
    """The runner that the settings ask for; stopped and gone afterwards."""
    stop = asyncio.Event()
    task = asyncio.create_task(serve_worker(house, stop))
    try:
        yield task
    finally:
        stop.set()
        await asyncio.wait_for(task, 30)


async def wrong(house: App, cases: list[str]) -> list[str]:
    """Mails that did not end as is written beside them."""
    reports = [await house.store.archive.report(case) for case in cases]
    lines = judged(DOZEN, reports)
    return [f"{line.mail}: {line.action} {line.ticket}, expected {line.expected}" for line in lines if line.expected]


def made(jira: RunningJira) -> list[str]:
    """Summaries of the tickets that were made, by the journal of Jira."""
    return sorted(entry.json["fields"]["summary"] for entry in jira.requests("POST", "/rest/api/3/issue$"))


class RunnerContract:
    """What every runner must do; a subclass says which settings make it."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        """The settings that choose the runner."""
        pytest.fail("the subclass chooses its runner")

    async def test_a_dozen_mails_four_at_once(
        self, tmp_path: Path, cloud_jira: RunningJira, settings: dict[str, str]
    ) -> None:
        """All end as expected, replies behind the mails that they answer, and each ticket is made by one POST."""
        async with house_of(cloud_jira, tmp_path, **settings) as house:
            async with at_work(house):
                cases = [await accept(house, letter) for letter in DOZEN]
                await finished(house)
            mistakes = await wrong(house, cases)
            steps = [[step.name for step in (await house.store.archive.report(case)).steps] for case in cases]

        assert mistakes == []
        assert len(made(cloud_jira)) == len(set(made(cloud_jira))) == len(Installation(tmp_path, cloud_jira).created())
        assert [names for names in steps if len(names) != len(set(names))] == []

    async def test_work_that_lay_there(self, tmp_path: Path, cloud_jira: RunningJira, settings: dict[str, str]) -> None:
        """What was accepted while nobody worked, and was never rung for, is found."""
        async with house_of(cloud_jira, tmp_path) as house:
            for letter in DOZEN[:2]:
                await accept(house, letter)
        async with house_of(cloud_jira, tmp_path, **settings) as house, at_work(house):
            await finished(house, 2)

    async def test_two_workers_share(self, tmp_path: Path, cloud_jira: RunningJira, settings: dict[str, str]) -> None:
        """Two workers over one database bring all mails to their end, no case is worked on by both."""
        async with (
            house_of(cloud_jira, tmp_path, **settings) as one,
            house_of(cloud_jira, tmp_path, **settings) as two,
            at_work(one),
            at_work(two),
        ):
            cases = [await accept(one, letter) for letter in DOZEN]
            await finished(two)
            mistakes = await wrong(one, cases)

        assert mistakes == []
        assert len(made(cloud_jira)) == len(Installation(tmp_path, cloud_jira).created())


class TestLocalRunner(RunnerContract):
    """One process and its database."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        """Nothing more."""
        return {}

    async def test_a_hanging_model_holds_up_no_stop(self, tmp_path: Path, cloud_jira: RunningJira) -> None:
        """A worker that is told to stop gives a case back that takes too long; the next one goes on with it at once."""
        with Served(openai_app(Script(Reply(turn=Turn(text="late"), delay=60)))) as model:
            wire = {"OPENAI_BASE_URL": f"{model.url}/v1", "OPENAI_API_KEY": "x"}
            async with house_of(cloud_jira, tmp_path, **wire) as house:
                case, stop = await accept(house, DOZEN[0]), asyncio.Event()
                worker = replace(house.worker, drain_seconds=0.2)
                task = asyncio.create_task(worker.serve(stop))
                while not model.app.state.journal:
                    await asyncio.sleep(0.02)
                stop.set()
                await asyncio.wait_for(task, 30)
                given_back = await house.store.archive.report(case)
        async with house_of(cloud_jira, tmp_path) as house:
            await house.worker.work_one()
            report = await house.store.archive.report(case)

        assert (given_back.state, given_back.attempts, given_back.case.outcome) == ("ready", 0, None)
        assert (report.state, cloud_jira.requests("POST", "/issue$") != []) == ("ticketed", True)


class TestArqRunner(RunnerContract):
    """Many processes behind Redis, which may go at any time."""

    @pytest.fixture
    def settings(self, redis_server: RedisServer) -> dict[str, str]:
        """A Redis."""
        return {"REDIS_URL": redis_server.url}

    async def test_redis_dies_in_the_middle(
        self, tmp_path: Path, cloud_jira: RunningJira, settings: dict[str, str], redis_server: RedisServer
    ) -> None:
        """Killed, emptied and started again while mails come in: nothing is lost and nothing is done twice."""
        async with house_of(cloud_jira, tmp_path, **settings) as house:
            async with at_work(house):
                cases = [await accept(house, letter) for letter in DOZEN[:5]]
                await asyncio.to_thread(redis_server.kill)
                cases += [await accept(house, letter) for letter in DOZEN[5:8]]
                await asyncio.to_thread(redis_server.start)
                cases += [await accept(house, letter) for letter in DOZEN[8:]]
                await asyncio.to_thread(redis_server.write, lambda redis: redis.flushall())
                await finished(house)
            mistakes = await wrong(house, cases)

        assert mistakes == []
        assert len(made(cloud_jira)) == len(Installation(tmp_path, cloud_jira).created())
