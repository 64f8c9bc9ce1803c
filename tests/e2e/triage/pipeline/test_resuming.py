"""An agent whose call waited hears what people decided, and goes on: within its budgets, and nothing is asked or done twice."""

import json
import signal
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.mail.process import prepared
from cli.wiring.app import App
from tests.conftest import ROOT
from tests.e2e.agents.test_outside_tools import CONFIG, configured, shop
from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import ADA, FIXED, house, modelled, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.conversation import ToolCall, Turn, Usage
from triage.domain.errors import ReworkSpent
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Asked, Script, openai_app
from triage_sandbox.server import Served

__all__ = ["shop"]


def reserve(name: str) -> Turn:
    """A turn that wants a boat."""
    made = ToolCall(id=f"call_{name}", name="reserve_boat", arguments=json.dumps({"name": name}))
    return Turn(text="", calls=(made,), usage=Usage(input_tokens=1, output_tokens=1))


@dataclass(frozen=True)
class Heard:
    """What the model has got."""

    journal: Collection[Asked]

    @property
    def asked(self) -> int:
        """Number of requests."""
        return len(self.journal)

    def last(self, turns: int) -> str:
        """The last message of the request that had so many answers of the model in it."""
        messages = (one.body["messages"] for one in self.journal)
        fitting = (said for said in messages if sum(one["role"] == "assistant" for one in said) == turns)
        return str(next(fitting)[-1]["content"])


@asynccontextmanager
async def boats(folder: Path, jira: RunningJira, *turns: Turn, more: str = "") -> AsyncIterator[tuple[App, Heard]]:
    """An agent that rents boats by this script."""
    rules = configured(folder, f"{CONFIG}tools: {{reserve_boat: {{per_mail: 9}}}}\n{more}")
    async with modelled(jira, folder, Script(*turns), TRIAGE_CONFIG=rules) as (opened, served):
        yield opened, Heard(served.app.state.journal)


async def test_it_hears_the_result_and_goes_on(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """After the yes the call runs once, the model reads its result and calls another tool, which waits in its turn."""
    turns = (reserve("Ada"), Turn(text="A person decides."), reserve("Bo"), Turn(text="Both are asked for."))
    async with boats(tmp_path, cloud_jira, *turns) as (opened, model):
        first = await delivered(opened, letter(), "boat", Trust.VERIFIED)
        await opened.approvals.accept(first.approvals[0].id, ADA)
        await opened.worker.drain()
        second = await opened.store.archive.report(first.case.id)
        [waiting] = await opened.reports.approvals()
        await opened.approvals.ignore(waiting.id, ADA)
        await opened.worker.drain()
        ended = await opened.store.archive.report(first.case.id)

    assert "accepted by ada. Its result:" in model.last(2)
    assert '"number":7' in model.last(2)
    assert "rejected by ada" in model.last(4)
    assert (second.case.outcome, json.loads(waiting.arguments)) == (Outcome.WAITING, {"name": "Bo"})
    assert len((shop / "reserved.txt").read_text().splitlines()) == 1
    assert (ended.case.outcome, len(ended.turns), model.asked) == (Outcome.UPDATED, 5, 5)
    assert [one.state for one in ended.approvals] == [ApprovalState.ACCEPTED, ApprovalState.REJECTED]


async def test_an_instruction_is_followed_and_bounded(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """An answer in words makes another proposal; after one rework a person has to decide, and only what is accepted runs."""
    turns = (reserve("Ada"), Turn(text="A person decides."), reserve("Bo"), Turn(text="Bo, then."))
    once = "approvals: {rework: 1}\n"
    async with boats(tmp_path, cloud_jira, *turns, more=once) as (opened, model):
        first = await delivered(opened, letter(), "boat", Trust.VERIFIED)
        await opened.approvals.respond(first.approvals[0].id, "Not Ada: Bo is cheaper.", ADA)
        await opened.worker.drain()
        [second] = await opened.reports.approvals()
        with pytest.raises(ReworkSpent):
            await opened.approvals.respond(second.id, "Cheaper still.", ADA)
        await opened.approvals.accept(second.id, ADA)
        await opened.worker.drain()
        ended = await opened.store.archive.report(first.case.id)

    assert "ada wants this instead: Not Ada: Bo is cheaper." in model.last(2)
    assert (json.loads(second.arguments), second.rework) == ({"name": "Bo"}, 1)
    assert [line.split()[1] for line in (shop / "reserved.txt").read_text().splitlines()] == ["Bo"]
    assert ended.case.outcome is Outcome.UPDATED


async def test_budgets_hold_over_the_whole_conversation(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """Rounds of before count: a model that asks for ever is stopped, visibly, whoever says yes."""
    async with boats(tmp_path, cloud_jira, reserve("Ada"), Turn(text="Wait."), reserve("Bo")) as (opened, model):
        first = await delivered(opened, letter(), "boat", Trust.VERIFIED)
        await opened.approvals.accept(first.approvals[0].id, ADA)
        await opened.worker.drain()
        ended = await opened.store.archive.report(first.case.id)

    assert (ended.case.outcome, model.asked) == (Outcome.WAITING, 10)
    assert len((shop / "reserved.txt").read_text().splitlines()) == 1


async def test_without_a_model_an_instruction_waits_for_a_person(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The playbook follows no instruction: the case says what is wanted, and a person has to look."""
    async with house(cloud_jira, tmp_path) as opened:
        await prepared(opened)
        report = await take(opened, FIXED)
        await opened.approvals.respond(report.approvals[0].id, "Ask them for the version.", ADA)
        await opened.worker.drain()
        ended = (await opened.store.archive.report(report.case.id)).case

    assert ended.outcome is Outcome.WAITING
    assert "ada wants instead: Ask them for the version" in ended.reason


@pytest.mark.parametrize(
    "point",
    ["step.settle", "approval.recorded", "effect.committed", "approval.executed", "llm.journalled", "step.review"],
)
def test_killed_anywhere_it_runs_once(tmp_path: Path, cloud_jira: RunningJira, shop: Path, point: str) -> None:
    """Whoever goes on after SIGKILL tells the agent once, and one boat is reserved."""
    script = Script(reserve("Ada"), Turn(text="A person decides."), Turn(text="Done."))
    with Served(openai_app(script)) as served:
        rules = {"TRIAGE_CONFIG": configured(tmp_path, CONFIG), "PYTHONPATH": f"{ROOT}:{tmp_path / 'site'}"}
        one = Installation(folder=tmp_path, jira=cloud_jira, model_url=served.url, extra=rules)
        (tmp_path / "mail.eml").write_bytes(letter())
        one.triage("process", "mail.eml")
        died = one.triage("approve", "1", TRIAGE_CRASH_AT=point)
        one.triage("work", "--until-idle")
        report = one.json("show", "1")

    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert (report["case"]["outcome"], report["approvals"][0]["state"]) == ("updated", "accepted")
    assert len(served.app.state.journal) == len(report["turns"]) == 3
    assert len((tmp_path / "tools" / "boatshop" / "reserved.txt").read_text().splitlines()) == 1
