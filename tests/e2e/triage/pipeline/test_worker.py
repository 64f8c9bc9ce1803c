"""Two ways to run the same work, held to the same promises: one process alone, and arq over a real Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cli.service.work import serve_worker
from cli.wiring.app import App
from tests.conftest import PATIENCE
from tests.e2e.dozen import DOZEN, accept, busy, finished, wrong
from tests.e2e.installation import Installation
from tests.servers.redis import RedisServer
from tests.servers.sandbox import RunningJira
from triage.domain.conversation import Turn
from triage_sandbox.openai_app import Reply, Script, openai_app
from triage_sandbox.server import Served


@asynccontextmanager
async def at_work(house: App) -> AsyncIterator[asyncio.Task[None]]:
    """The runner that the settings ask for; stopped and gone afterwards."""
    stop = asyncio.Event()
    task = asyncio.create_task(serve_worker(house, stop))
    try:
        yield task
    finally:
        stop.set()
        await asyncio.wait_for(task, PATIENCE)


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
        async with busy(cloud_jira, tmp_path, **settings) as house:
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
        async with busy(cloud_jira, tmp_path) as house:
            for letter in DOZEN[:2]:
                await accept(house, letter)
        async with busy(cloud_jira, tmp_path, **settings) as house, at_work(house):
            await finished(house, 2)

    async def test_two_workers_share(self, tmp_path: Path, cloud_jira: RunningJira, settings: dict[str, str]) -> None:
        """Two workers over one database bring all mails to their end, no case is worked on by both."""
        async with (
            busy(cloud_jira, tmp_path, **settings) as one,
            busy(cloud_jira, tmp_path, **settings) as two,
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
            async with busy(cloud_jira, tmp_path, **wire) as house:
                case, stop = await accept(house, DOZEN[0]), asyncio.Event()
                worker = replace(house.worker, drain_seconds=0.2)
                task = asyncio.create_task(worker.serve(stop))
                while not model.app.state.journal:
                    await asyncio.sleep(0.02)
                stop.set()
                await asyncio.wait_for(task, PATIENCE)
                given_back = await house.store.archive.report(case)
        async with busy(cloud_jira, tmp_path) as house:
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
        async with busy(cloud_jira, tmp_path, **settings) as house:
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
