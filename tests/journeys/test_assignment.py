"""Smart assignment with everything real: who gets the ticket, why, and how little Jira is asked for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.household import MAILS, Household
from tests.servers.sandbox import RunningJira
from triage.commands.process import worked
from triage.commands.wiring import House, open_house
from triage.domain.cases import Outcome, Report
from triage.domain.mail import Received, Trust
from triage.settings import Isolated, load

BILLING = "12-card-payment-html-only.eml"
OTHER = "01-barcode-cut-off.eml"
LUCAS = "acc-5d0e6b38a7f2c4910bd3"
TEAM = """
team:
  - person: Lucas Moreau
    roles: [Developer]
    absent: {from: 2020-01-01}
  - person: Tomasz Wolski
    capacity: 0
"""


@asynccontextmanager
async def house(jira: RunningJira, folder: Path, **more: str) -> AsyncIterator[House]:
    """A house over the sandbox that assigns."""
    login = {"JIRA_EMAIL": jira.email, "JIRA_API_TOKEN": jira.token} if jira.cloud else {"JIRA_TOKEN": jira.token}
    given = {
        "JIRA_BASE_URL": jira.url,
        "JIRA_PROJECT_KEY": jira.project,
        "DATABASE_URL": f"sqlite:///{folder / 'triage.db'}",
        "TRIAGE_CONFIG": str(folder / "triage.yaml"),
        "SETTLE_SECONDS": "0",
        "LOG_LEVEL": "ERROR",
        "ENABLE_SMART_ASSIGNMENT": "true",
        **login,
        **more,
    }
    async with open_house(load(Isolated, **given)) as opened:
        yield opened


async def take(opened: House, name: str, raw: bytes | None = None) -> Report:
    """A mail of a proven sender, worked to its end."""
    raw = (MAILS / name).read_bytes() if raw is None else raw
    now = opened.worker.clock.now()
    case = await opened.intake.accept(Received(source="test", source_id=name, raw=raw, at=now, verdict=Trust.VERIFIED))
    await worked(opened, case)
    return await opened.store.report(case)


def owner(jira: RunningJira, key: str | None) -> str:
    """Whose ticket it is; Jira itself is asked."""
    with jira.api() as client:
        fields: Any = client.get(f"issue/{key}", params={"fields": "assignee"}).raise_for_status().json()["fields"]
    return str(fields["assignee"]["displayName"]) if fields["assignee"] else ""


async def test_the_expert_gets_it(tmp_path: Path, any_jira: RunningJira) -> None:
    """A mail about an invoice page goes to who does that work, with at most three questions to Jira once it is known."""
    async with house(any_jira, tmp_path) as opened:
        await take(opened, OTHER)
        report = await take(opened, BILLING)
    best = report.case.proposals[0]

    assert report.case.outcome is Outcome.TICKETED, report.trouble
    assert owner(any_jira, report.case.ticket) == best.person.name == "Lucas Moreau"
    assert report.jira_calls <= 3
    assert len(report.case.proposals) == 3
    assert best.score == pytest.approx(sum(point.value for point in best.points))
    assert any(point.why == "recent work on Invoicing" for point in best.points)
    assert any(point.why.startswith("similar: HARB-") for point in best.points)
    assert f"For Lucas Moreau: {best.score:g} points." in report.case.reason
    assert "for Lucas Moreau" in next(step.note for step in report.steps if step.name == "retrieve")


async def test_our_own_account_is_never_proposed(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """It could be given tickets and has none, which would make it the idlest of all."""
    async with house(cloud_jira, tmp_path) as opened:
        people = (await opened.tracker.project()).people
        reports = [await take(opened, f"{name}.eml") for name in ("08-german-cancellation", "20-spanish-manifest")]

    assert "Triage Bot" in {person.name for person in people}
    assert all(p.person.name != "Triage Bot" for report in reports for p in report.case.proposals)


async def test_the_team_is_heard(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who is absent or full gets nothing, the next one does, and the report says why."""
    (tmp_path / "team.yaml").write_text(TEAM, encoding="utf-8")
    async with house(cloud_jira, tmp_path, TEAM_FILE=str(tmp_path / "team.yaml")) as opened:
        report = await take(opened, BILLING)
    out = {one.name: one.why for one in report.case.left_out}

    assert owner(cloud_jira, report.case.ticket) not in {"Lucas Moreau", "Tomasz Wolski", ""}
    assert out == {"Lucas Moreau": "absent since 2020-01-01", "Tomasz Wolski": "5 open tickets, capacity 0"}


async def test_who_is_named_counts_only_from_a_proven_sender(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Anybody can write a name into a mail."""
    raw = b"From: a@shop.example\r\nSubject: Zeppelin\r\nMessage-ID: <%d@shop.example>\r\n\r\nAsk Yusuf Demir, please.\r\n"
    async with house(cloud_jira, tmp_path) as opened:
        sure = await take(opened, "sure", raw % 1)
        now = opened.worker.clock.now()
        case = await opened.intake.accept(Received(source="test", source_id="unsure", raw=raw % 2, at=now))
        await worked(opened, case)
        unsure = await opened.store.report(case)

    assert owner(cloud_jira, sure.case.ticket) == "Yusuf Demir"
    assert "named in the mail" in {point.why for point in sure.case.proposals[0].points}
    assert "named in the mail" not in {point.why for p in unsure.case.proposals for point in p.points}


async def test_who_has_left_is_dropped(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An account that is closed since we last looked: the ticket is made for nobody, and that is said."""
    async with house(cloud_jira, tmp_path) as opened:
        await opened.tracker.project()
        with cloud_jira.app.site.db.write():
            cloud_jira.app.site.db.run("UPDATE account SET active = 0 WHERE id = ?", LUCAS)
        report = await take(opened, BILLING)
    (created,) = (effect for effect in report.effects if effect.kind == "create")

    assert report.case.outcome is Outcome.TICKETED
    assert owner(cloud_jira, report.case.ticket) == ""
    assert created.note == "without assignee"
    assert report.case.reason.endswith("It is nobody's: Lucas Moreau cannot have it.")


async def test_the_thread_keeps_its_owner(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An answer to a mail is a comment: nobody is proposed for it and nobody's ticket changes hands."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "04-signature-upload.eml")
        before = owner(cloud_jira, first.case.ticket)
        answer = await take(opened, "05-signature-upload-detail.eml")

    assert (answer.case.outcome, answer.case.ticket) == (Outcome.COMMENTED, first.case.ticket)
    assert (answer.case.proposals, owner(cloud_jira, first.case.ticket)) == ((), before)
    assert before == "Hana Sugimoto"


def test_off_is_off(with_model: Household) -> None:
    """By default nothing of it is seen: not by the model, not by Jira, and the ticket is nobody's."""
    with_model.triage("process", str(MAILS / BILLING))
    (off,) = {run["system"] for run in with_model.json("show", "1")["runs"]}
    tools = [[tool["function"]["name"] for tool in asked.body["tools"]] for asked in with_model.asked]
    searches = [entry.json["jql"] for entry in with_model.jira.requests("POST", "/search")]

    assert owner(with_model.jira, with_model.created()[0]) == ""
    assert set(map(tuple, tools)) == {
        ("get_current_period", "read_jira_tickets", "create_jira_ticket", "modify_jira_ticket")
    }
    assert not any("assignee" in jql for jql in searches)
    assert with_model.jira.requests("GET", "/myself$") == []
    assert "Who does it" not in off
    assert "PEOPLE" not in with_model.json("show", "1")["runs"][0]["user"]


def test_on_is_shown_to_the_model(with_model: Household) -> None:
    """The model sees people and three more tools; system prompt and tools are the same from mail to mail."""
    for name in (BILLING, OTHER):
        with_model.triage("process", str(MAILS / name), ENABLE_SMART_ASSIGNMENT="true")
    reports = [with_model.json("show", str(number)) for number in (1, 2)]
    tools = {tuple(tool["function"]["name"] for tool in asked.body["tools"]) for asked in with_model.asked}
    told = with_model.triage("show", "1").stdout.decode()

    assert {name for names in tools for name in names[4:]} == {
        "get_project_users",
        "get_user_workload",
        "suggest_assignee",
    }
    assert len(tools) == len({report["runs"][0]["system"] for report in reports}) == 1
    assert "<<<PEOPLE " in reports[0]["runs"][0]["user"]
    assert owner(with_model.jira, reports[0]["case"]["ticket"]) == "Lucas Moreau"
    assert "Proposed for a new ticket" in told
    assert "recent work on Invoicing" in " ".join(told.split())
