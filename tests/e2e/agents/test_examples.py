"""The examples as a user has them: installed beside Triage, from the mail over the tools to the letter, a person in between."""

import json
import sqlite3
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fastapi import FastAPI

from cli.mail.process import worked
from cli.wiring.app import App
from tests.conftest import ROOT
from tests.e2e.mail.test_identity import delivered
from tests.e2e.service.test_trouble import ADA, house, modelled
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import Messages, ToolCall, ToolSpec, Turn, Usage
from triage.domain.errors import SettingsInvalid
from triage.domain.reports import Report
from triage_sandbox.openai_app import Script
from triage_sandbox.server import Served

EXAMPLES = ROOT / "examples"
EDGE = "mx.harbourline.example"
BOLESTAL = {"action": "create", "drug_name": "Bolestal 400", "pharmacy_id": "praha-vez"}
OPERA = {"user_id": "u-001", "reservation_id": "r-500", "reason": "in hospital", "approved": True}


def call(name: str, place: int, **arguments: object) -> Turn:
    """A turn that calls a tool."""
    made = ToolCall(id=f"call_{place}", name=name, arguments=json.dumps(arguments))
    return Turn(text="", calls=(made,), usage=Usage(input_tokens=1, output_tokens=1))


class Told:
    """A model that says its turns one after the other, and keeps what it was told first."""

    name = "told"

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.prompt = ""

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next turn."""
        del tools, max_tokens
        self.prompt = self.prompt or messages[1].text
        return self.turns.pop(0)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Install an example for this test, by what its `pyproject.toml` declares; return the path of its triage.yaml."""

    def installed(name: str) -> str:
        project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        info = tmp_path / "site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(head, encoding="utf-8")
        points = "".join(f"{key} = {value}\n" for key, value in project["entry-points"]["triage.tools"].items())
        (info / "entry_points.txt").write_text(f"[triage.tools]\n{points}", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path / "site"))
        monkeypatch.syspath_prepend(str(EXAMPLES / name))
        return str(EXAMPLES / name / "triage.yaml")

    return installed


def proven(name: str, domain: str) -> bytes:
    """The example's mail as our own mail server hands it on, its sender proven."""
    raw = (EXAMPLES / name / "mail.eml").read_bytes()
    return (
        f"Return-Path: <info@{domain}>\nAuthentication-Results: {EDGE}; dmarc=pass header.from={domain}\n"
        f"Received: from out.{domain} by {EDGE}; Mon, 23 Nov 2026 08:40:01 +0100\n"
    ).encode() + raw


def asked(folder: Path, name: str, query: str) -> list[tuple[object, ...]]:
    """What the example's data say."""
    [file] = (folder / "tools" / f"triage-{name}").glob("*.db")
    with sqlite3.connect(file) as connection:
        return connection.execute(query).fetchall()


async def accepted(opened: App, report: Report, tool: str) -> Report:
    """The case after a person has accepted this tool's call."""
    [approval] = [one for one in await opened.store.archive.approvals() if one.tool == tool]
    await opened.approvals.accept(approval.id, ADA)
    await worked(opened, report.case.id)
    return await opened.store.archive.report(report.case.id)


async def test_a_customer_reserves(tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]) -> None:
    """A mail that Crisp forwarded takes the document's route; the agent reads the customer's words and holds one box, once."""
    model = Told(
        call("search_drugs", 1, query="Bolestal"), call("manage_reservation", 2, **BOLESTAL), Turn(text="Held.")
    )
    rules = install("pharmacy")
    async with modelled(cloud_jira, tmp_path, model, TRIAGE_CONFIG=rules, AUTHSERV_ID=EDGE) as (opened, _):
        report = await delivered(opened, proven("pharmacy", "dostupnost-leku.example"), "crisp")

    assert report.case.route
    assert report.case.route.rule == "pharmacy_support", report.case.route
    assert (report.case.outcome, report.case.reason) == (Outcome.UPDATED, "Ran manage_reservation.")
    told = "New support inquiry from Jana Malá (jana@patient.example):\nSubject: [Web] Bolestal v Praze\n\nDobrý den"
    assert told in model.prompt
    assert asked(tmp_path, "pharmacy", "SELECT owner, pharmacy, drug, state FROM reservations") == [
        ("case-1", "praha-vez", "bolestal-400", "held")
    ]


async def test_a_refund_waits_for_a_person(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """Whatever the model says about approval, a person decides; accepted, the refund is made once."""
    script = Script(
        call("user_lookup", 1),
        call("reservation_management", 2, user_id="u-001", action="list"),
        call("refund_processing", 3, **OPERA),
        Turn(text="Asked."),
    )
    rules = install("cultpass")
    async with modelled(cloud_jira, tmp_path, script, TRIAGE_CONFIG=rules, AUTHSERV_ID=EDGE) as (opened, _):
        waiting = await delivered(opened, proven("cultpass", "members.example"), "opera")
        before = asked(tmp_path, "cultpass", "SELECT * FROM refunds")
        ended = await accepted(opened, waiting, "refund_processing")

    assert (waiting.case.outcome, before) == (Outcome.WAITING, []), waiting.case.reason
    assert (ended.case.outcome, ended.case.reason) == (Outcome.UPDATED, "Ran refund_processing.")
    assert asked(tmp_path, "cultpass", "SELECT reservation_id, amount_eur, reason FROM refunds") == [
        ("r-500", 60, "in hospital")
    ]


@pytest.mark.parametrize(("name", "domain"), [("pharmacy", "dostupnost-leku.example"), ("cultpass", "members.example")])
async def test_without_a_model_a_person_answers(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str], name: str, domain: str
) -> None:
    """By rules alone nothing is reserved, refunded or written: the mail waits for a person."""
    async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=install(name), AUTHSERV_ID=EDGE) as opened:
        report = await delivered(opened, proven(name, domain), name)

    assert (report.case.outcome, report.effects) == (Outcome.WAITING, ()), report.case.reason
    assert not list(tmp_path.glob("tools/*/*.db"))


async def test_no_grant_lets_an_agent_refund(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """An admin who grants the refund to the agent is told at start that a person decides it."""
    text = Path(install("cultpass")).read_text(encoding="utf-8")
    rules = tmp_path / "granted.yaml"
    rules.write_text(
        text.replace("      grants:\n", "      grants:\n        refund_processing: allow\n"), encoding="utf-8"
    )
    (tmp_path / "config").symlink_to(EXAMPLES / "cultpass" / "config")
    with pytest.raises(SettingsInvalid, match="its package says that a person decides each call"):
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=str(rules)):
            pass


async def test_the_web_is_searched_at_the_named_server(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """The search goes to the endpoint of triage.yaml over real HTTP, and what it finds comes back to the model."""
    script = Script(call("web_search", 1, query="paracetamol"), Turn(text="Read."))
    text = Path(install("pharmacy")).read_text(encoding="utf-8")
    rules = tmp_path / "web.yaml"
    (tmp_path / "config").symlink_to(EXAMPLES / "pharmacy" / "config")
    with Served(_searxng()) as web:
        rules.write_text(f"{text}  web_search: {{ options: {{ endpoint: {web.url} }} }}\n", encoding="utf-8")
        async with modelled(cloud_jira, tmp_path, script, TRIAGE_CONFIG=str(rules), AUTHSERV_ID=EDGE) as (opened, _):
            report = await delivered(opened, proven("pharmacy", "dostupnost-leku.example"), "crisp")

    assert report.case.result
    assert report.case.result.tool_calls[0].result == {
        "result": {"results": [{"title": "paracetamol", "url": "https://pages.example/1", "content": "A substance."}]}
    }


def _searxng() -> FastAPI:
    """A search server of SearXNG's shape."""
    app = FastAPI()

    @app.get("/search")
    def search(q: str, format: str) -> dict[str, object]:  # noqa: A002 - the parameter's name
        assert format == "json"
        return {"query": q, "results": [{"title": q, "url": "https://pages.example/1", "content": "A substance."}]}

    return app
