"""Tools of an installed package, from the mail to what they did: rights, approval, dry run, report."""

import json
from pathlib import Path

import pytest

from cli.mail.process import worked
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import ADA, house, modelled
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.conversation import ToolCall, Turn, Usage
from triage.domain.errors import SettingsInvalid
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Script

SHOP = '''
"""A package of somebody else."""
from triage.agent.toolbox import tool
from triage.domain.conversation import Grant
from triage.domain.ports.outside import OutsideContext


@tool(Grant.READ)
async def find_boat(at: OutsideContext, name: str) -> object:
    """Find a boat."""
    return {"status": "finished", "boat": name, "asked by": str(at.sender)}


@tool(Grant.WRITE)
async def reserve_boat(at: OutsideContext, name: str) -> object:
    """Reserve a boat."""
    with (at.data_dir / "reserved.txt").open("a", encoding="utf-8") as book:
        book.write(f"{at.once} {name}\\n")
    return {"number": 7}


TOOLS = (find_boat, reserve_boat)
'''
CONFIG = """
routing: {rules: [{name: boats, match: {all: true}, route: agent, profile: boats}]}
agent:
  profiles:
    boats:
      system_prompt_file: boats.txt
      tools: [find_boat, reserve_boat]
"""
GRANTED = CONFIG + "      grants: {reserve_boat: proven}\n"


def call(name: str, place: int) -> Turn:
    """A turn that calls a tool about the boat."""
    made = ToolCall(id=f"call_{place}", name=name, arguments=json.dumps({"name": "Ada"}))
    return Turn(text="", calls=(made,), usage=Usage(input_tokens=1, output_tokens=1))


OBEDIENT = Script(call("find_boat", 1), call("reserve_boat", 2), Turn(text="Reserved."))


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package, installed for this test; the folder of its data."""
    site = tmp_path / "site"
    info = site / "boatshop-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "boatshop.py").write_text(SHOP, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: boatshop\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[triage.tools]\nboats = boatshop:TOOLS\n", encoding="utf-8")
    (tmp_path / "boats.txt").write_text("You rent boats.", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    return tmp_path / "tools" / "boatshop"


def configured(folder: Path, text: str) -> str:
    """Path of a triage.yaml with this text."""
    (folder / "triage.yaml").write_text(text, encoding="utf-8")
    return str(folder / "triage.yaml")


async def test_a_write_waits_for_a_person_and_runs_once(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """Reading runs, writing waits; accepted it runs once, with the arguments that were shown, and the report says so."""
    rules = configured(tmp_path, CONFIG)
    async with modelled(cloud_jira, tmp_path, OBEDIENT, TRIAGE_CONFIG=rules) as (opened, _):
        waiting = await delivered(opened, letter(), "boat", Trust.VERIFIED)
        before = (shop / "reserved.txt").exists()
        [approval] = await opened.store.archive.approvals()
        await opened.approvals.accept(approval.id, ADA)
        await worked(opened, waiting.case.id)
        ended = (await opened.store.archive.report(waiting.case.id)).case

    assert (waiting.case.outcome, before, approval.state) == (Outcome.WAITING, False, ApprovalState.OPEN)
    assert (approval.tool, approval.arguments, approval.becomes) == ("reserve_boat", '{"name":"Ada"}', "name=Ada")
    assert ended.outcome is Outcome.UPDATED, ended.reason
    assert (shop / "reserved.txt").read_text(
        encoding="utf-8"
    ) == f"case-1:outside:reserve_boat-approval-{approval.id} Ada\n"
    assert waiting.case.result
    assert waiting.case.result.tool_calls[0].result["result"]["status"] == "finished"


async def test_a_granted_write_runs_for_a_proven_sender(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """`proven` runs it at once for a proven sender; a forged one is refused, and the mail waits for a person."""
    rules = configured(tmp_path, GRANTED)
    async with modelled(cloud_jira, tmp_path, OBEDIENT, TRIAGE_CONFIG=rules) as (opened, _):
        proven = (await delivered(opened, letter(), "a", Trust.VERIFIED)).case
        forged = (await delivered(opened, letter(message_id="<2@x.example>", subject="Other"), "b", Trust.FAILED)).case

    assert (proven.outcome, proven.reason) == (Outcome.UPDATED, "Ran reserve_boat.")
    assert forged.outcome is Outcome.WAITING
    assert (shop / "reserved.txt").read_text(encoding="utf-8").count("\n") == 1


async def test_a_dry_run_reads_and_writes_nothing(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """In a dry run tools from outside only read."""
    rules = configured(tmp_path, GRANTED)
    with_model = {"OPENAI_API_KEY": "x"}
    async with (
        modelled(cloud_jira, tmp_path, OBEDIENT, TRIAGE_CONFIG=rules) as (_, served),
        house(
            cloud_jira, tmp_path, dry_run=True, TRIAGE_CONFIG=rules, OPENAI_BASE_URL=f"{served.url}/v1", **with_model
        ) as dry,
    ):
        case = (await delivered(dry, letter(), "a", Trust.VERIFIED)).case

    assert (case.reason, (shop / "reserved.txt").exists()) == ("Would run reserve_boat.", False)


async def test_start_says_all_that_is_wrong_with_agents(tmp_path: Path, cloud_jira: RunningJira, shop: Path) -> None:
    """Unknown tools with the package that brings them, missing prompts, impossible grants and unknown profiles: all at once."""
    rules = configured(
        tmp_path,
        """
routing: {rules: [{name: lost, match: {all: true}, route: agent, profile: nobody}]}
agent:
  profiles:
    boats:
      system_prompt_file: boats.txt
      tools: [find_boat, search_drugs, fly, swim, get_current_period]
      grants: {find_boat: allow, reserve_boat: allow, get_current_period: allow}
    mute: {system_prompt_file: none.txt, tools: []}
""",
    )
    with pytest.raises(SettingsInvalid) as refused:
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=rules):
            pass
    told = str(refused.value)

    for part in (
        "cannot read system_prompt_file",
        "there is no tool search_drugs; the package examples/pharmacy brings what is missing: pip install ./examples/pharmacy",
        "there is no tool fly, swim; install the package that brings what is missing",
        "grants.find_boat: it only reads",
        "grants.reserve_boat: the profile has no such tool",
        "grants.get_current_period: grants are for tools from outside",
        "there is no profile nobody",
    ):
        assert part in told


async def test_a_broken_package_is_named(
    tmp_path: Path, cloud_jira: RunningJira, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that cannot be imported, or names no tools, is told beside the tool that is missed."""
    site = tmp_path / "site2"
    for name, text in (("sunk", "import no_such_module"), ("odd", "TOOLS = (len,)")):
        info = site / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{name}_shop.py").write_text(text, encoding="utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[triage.tools]\na = {name}_shop:TOOLS\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    (tmp_path / "boats.txt").write_text("You rent boats.", encoding="utf-8")
    rules = configured(tmp_path, CONFIG.replace("find_boat", "sink_boat"))
    with pytest.raises(SettingsInvalid) as refused:
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=rules):
            pass

    assert "sunk: cannot be loaded (ModuleNotFoundError" in str(refused.value)
    assert "odd: odd_shop:TOOLS names <built-in function len>, which is not made with @tool" in str(refused.value)
