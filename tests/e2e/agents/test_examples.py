"""The examples as a user has them: installed beside Triage, from the mail over the tools to the letter, a person in between."""

from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from cli.mail.process import worked
from cli.wiring.app import App
from cli.wiring.channels import links_of
from cli.wiring.intake import secret_of
from tests.e2e.agents.example_agents import (
    EDGES,
    EXAMPLES,
    OPERA,
    Told,
    accepted,
    asked,
    call,
    example,
    posted,
    posting,
)
from tests.e2e.mail.delivery import delivered
from tests.e2e.opened import house, modelled
from tests.e2e.triage.services.channels.talking import heard, ours, say
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from tests.unit.triage.config.test_triage_yaml import PROFILES, ROUTING
from triage.domain.cases import Outcome
from triage.domain.conversation import Turn
from triage.domain.errors import SettingsInvalid
from triage.policy.channels.signed_links import LinkAnswer
from triage_sandbox.openai_app import Script
from triage_sandbox.server import Served
from web.approve.app import approve_app

KIM = "kim@cultpass.example"
NADIA = "nadia.ferreira@harbourline.example"
PUBLIC = "https://triage.cultpass.example"
BOLESTAL = {"action": "create", "drug_name": "Bolestal 400", "pharmacy_id": "praha-vez"}


async def clicked_twice(opened: App, tool: str) -> list[int]:
    """The answers to a person who presses the button of the link that was sent about this tool's call, twice."""
    [approval] = [one for one in await opened.store.archive.approvals() if one.tool == tool]
    links = links_of(opened.context, opened.notices, opened.approvals, await secret_of(opened.context))
    path = links.link(approval, LinkAnswer.YES, KIM).removeprefix(PUBLIC)
    with Served(approve_app(links)) as page:
        async with httpx2.AsyncClient() as browser:
            return [(await browser.post(f"{page.url}{path}")).status_code for _ in range(2)]


async def test_a_customer_reserves_and_gets_an_answer(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """A mail that Crisp forwarded takes the document's route; one box is held at once, and the letter leaves after a yes, once."""
    model = Told(
        call("search_drugs", 1, query="Bolestal"),
        call("manage_reservation", 2, **BOLESTAL),
        call("send_reply", 3, body="Dobrý den, držíme Vám **Bolestal 400** v Praze."),
        Turn(text="Held and answered."),
    )
    more = {"TRIAGE_CONFIG": install("pharmacy"), "AUTHSERV_ID": EDGES["pharmacy"], **posting(mail_server)}
    async with modelled(cloud_jira, tmp_path, model, **more) as (opened, _):
        waiting = await delivered(opened, example("pharmacy"), "crisp")
        await posted(opened)
        early = len(mail_server.accepted)
        ended = await accepted(opened, waiting, "send_reply")
        await posted(opened)
        await posted(opened)

    assert waiting.case.route
    assert (waiting.case.route.rule, waiting.case.outcome, early) == ("pharmacy_support", Outcome.WAITING, 0)
    told = "New support inquiry from Jana Malá (jana@patient.example):\nSubject: [Web] Bolestal v Praze\n\nDobrý den"
    assert told in model.prompt
    assert asked(tmp_path, "pharmacy", "SELECT owner, pharmacy, drug, state FROM reservations") == [
        ("case-1", "praha-vez", "bolestal-400", "held")
    ]
    assert (ended.case.outcome, ended.case.reason) == (
        Outcome.UPDATED,
        "Ran manage_reservation. Answers info@dostupnost-leku.example (letter 1). ada accepted it.",
    )
    [letter] = mail_server.accepted
    assert letter.to == ("info@dostupnost-leku.example",)
    assert letter.message["In-Reply-To"] == "<crisp-1@dostupnost-leku.example>"


async def test_an_answer_is_accepted_on_its_ticket(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """An agent that may make tickets, too: the answer to the customer stands on the ticket, and a comment there sends it."""
    model = Told(
        call("search_drugs", 1, query="Bolestal"),
        call("read_jira_tickets", 2, search_text="Bolestal"),
        call("create_jira_ticket", 3, summary="Bolestal v Praze", description="Kdo má Bolestal?", issue_type="Task"),
        call("send_reply", 4, body="Dobrý den,\n\nBolestal 400 máme v Praze."),
        Turn(text="Answered."),
    )
    rules = tmp_path / "triage.yaml"
    own = Path(install("pharmacy")).read_text(encoding="utf-8")
    tools = own.replace(
        "        - search_drugs\n",
        "        - search_drugs\n        - read_jira_tickets\n        - create_jira_ticket\n",
    )
    rules.write_text(f"{tools}\napprovals: {{ approvers: {{ people: [{NADIA}] }} }}\n", encoding="utf-8")
    (tmp_path / "config").symlink_to(EXAMPLES / "pharmacy" / "config")
    more = {
        "TRIAGE_CONFIG": str(rules),
        "AUTHSERV_ID": EDGES["pharmacy"],
        "ENABLE_JIRA_APPROVALS": "true",
        **posting(mail_server),
    }
    async with modelled(cloud_jira, tmp_path, model, **more) as (opened, _):
        await opened.ticket_index_syncs[0].prepare()
        waiting = await delivered(opened, example("pharmacy"), "crisp")
        key = str(waiting.case.ticket)
        await heard(opened)
        [asked] = ours(cloud_jira, key)
        say(cloud_jira, "nadia.ferreira", "/triage yes", key)
        await heard(opened)
        await worked(opened, waiting.case.id)
        await posted(opened)
        await heard(opened)
        [done] = ours(cloud_jira, key)

    assert "letter to Crisp <info@dostupnost-leku.example>:" in asked
    assert "Accepted by Nadia Ferreira: done" in done
    assert [one.to for one in mail_server.accepted] == [("info@dostupnost-leku.example",)]


async def test_a_refund_waits_for_a_person(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Whatever the model says about approval, a person decides by a signed link, once; the agent hears the result and writes it."""
    model = Told(
        call("user_lookup", 1),
        call("reservation_management", 2, user_id="u-001", action="list"),
        call("refund_processing", 3, **OPERA),
        Turn(text="A person decides."),
        call("send_reply", 4, body="Your refund of **60 EUR** is made."),
    )
    rules = tmp_path / "triage.yaml"
    own = Path(install("cultpass")).read_text(encoding="utf-8")
    rules.write_text(f"{own}\napprovals: {{ approvers: {{ people: [{KIM}] }} }}\n", encoding="utf-8")
    (tmp_path / "config").symlink_to(EXAMPLES / "cultpass" / "config")
    more = {"TRIAGE_CONFIG": str(rules), "AUTHSERV_ID": EDGES["cultpass"], "PUBLIC_URL": PUBLIC, **posting(mail_server)}
    async with modelled(cloud_jira, tmp_path, model, **more) as (opened, _):
        waiting = await delivered(opened, example("cultpass"), "opera")
        before = asked(tmp_path, "cultpass", "SELECT * FROM refunds")
        clicks = await clicked_twice(opened, "refund_processing")
        await worked(opened, waiting.case.id)
        ended = await accepted(opened, waiting, "send_reply")
        await posted(opened)

    assert (waiting.case.outcome, before, clicks) == (Outcome.WAITING, [], [200, 410]), waiting.case.reason
    assert asked(tmp_path, "cultpass", "SELECT reservation_id, amount_eur, reason FROM refunds") == [
        ("r-500", 60, "in hospital")
    ]
    assert (ended.case.outcome, ended.case.reason) == (
        Outcome.UPDATED,
        "Ran refund_processing. Answers alma@members.example (letter 1). ada accepted it.",
    )
    assert "60 EUR for Night at the opera" in model.heard
    assert [one.to for one in mail_server.accepted] == [("alma@members.example",)]


@pytest.mark.parametrize("name", EDGES)
async def test_without_a_model_a_person_answers(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str], name: str
) -> None:
    """By rules alone nothing is reserved, refunded or written: the mail waits for a person."""
    async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=install(name), AUTHSERV_ID=EDGES[name]) as opened:
        report = await delivered(opened, example(name), name)

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
        async with modelled(cloud_jira, tmp_path, script, TRIAGE_CONFIG=str(rules), AUTHSERV_ID=EDGES["pharmacy"]) as (
            opened,
            _,
        ):
            report = await delivered(opened, example("pharmacy"), "crisp")

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


async def test_the_document_s_configuration_works_unchanged(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """Routing and profile of the document load as they stand; without the package start says which one is missing."""
    rules = tmp_path / "triage.yaml"
    rules.write_text(ROUTING + PROFILES, encoding="utf-8")
    (tmp_path / "config").symlink_to(EXAMPLES / "pharmacy" / "config")
    with pytest.raises(SettingsInvalid, match=r"pip install \./examples/pharmacy"):
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=str(rules)):
            pass
    install("pharmacy")
    script = Script(call("manage_reservation", 1, **BOLESTAL), Turn(text="Asked."))
    async with modelled(cloud_jira, tmp_path, script, TRIAGE_CONFIG=str(rules), AUTHSERV_ID=EDGES["pharmacy"]) as (
        opened,
        _,
    ):
        report = await delivered(opened, example("pharmacy").replace(b"leku.example", b"leku.cz"), "crisp")

    assert report.case.route
    assert report.case.route.rule == "pharmacy_support"
    assert report.case.outcome is Outcome.WAITING, report.case.reason
