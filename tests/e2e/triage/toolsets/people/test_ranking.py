"""Smart assignment with everything real: who gets the ticket, why, and how little Jira is asked for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.mail.process import worked
from tests.e2e.installation import Installation
from tests.e2e.triage.toolsets.people.team_case import BILLING, OTHER, TEAM, asked, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Received
from triage_sandbox.jira import Fault

TAX = "19-tax-on-surcharge.eml"
FAINT = "18-week-starts-on-sunday.eml"
LUCAS = "5d0e6b38a7f2c4910bd3fec1"


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
    best = report.case.retrieval.proposals[0]

    assert report.case.outcome is Outcome.TICKETED, report.trouble
    assert owner(any_jira, report.case.ticket) == best.person.name == "Lucas Moreau"
    assert report.jira_calls <= 3
    assert len(report.case.retrieval.proposals) == 3
    assert best.score == pytest.approx(sum(point.value for point in best.points))
    assert any(point.why == "recent work on Invoicing" for point in best.points)
    assert any(point.why == "tickets with some of these words" for point in best.points)  # nothing is much alike
    assert f"Lucas Moreau has {best.score:g} points" in report.case.reason
    assert "for Lucas Moreau" in next(step.note for step in report.steps if step.name == "retrieve")


async def test_who_leads_by_chance_is_only_named(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Some common words are enough for points, not for the ticket: it is nobody's."""
    async with house(cloud_jira, tmp_path) as opened:
        report = await take(opened, FAINT)
    nearest = report.case.retrieval.proposals[0]

    assert (nearest.score > 20, nearest.proposed) == (True, False)
    assert owner(cloud_jira, report.case.ticket) == ""


async def test_our_own_account_is_never_proposed(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """It could be given tickets and has none, which would make it the idlest of all."""
    async with house(cloud_jira, tmp_path) as opened:
        people = (await opened.tracker.metadata.project()).people
        reports = [await take(opened, f"{name}.eml") for name in ("08-german-cancellation", "20-spanish-manifest")]

    assert "Triage Bot" in {person.name for person in people}
    assert all(p.person.name != "Triage Bot" for report in reports for p in report.case.retrieval.proposals)


async def test_the_team_is_heard(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who is absent or full gets nothing, the next one does, and the report says why."""
    next_one = "  - person: Elena Marchetti\n    roles: [Developer]\n"
    (tmp_path / "team.yaml").write_text(f"{TEAM}{next_one}", encoding="utf-8")
    async with house(cloud_jira, tmp_path, TEAM_FILE=str(tmp_path / "team.yaml")) as opened:
        report = await take(opened, BILLING)
    out = {one.name: one.why for one in report.case.retrieval.left_out}

    assert owner(cloud_jira, report.case.ticket) == "Elena Marchetti"
    assert out == {"Lucas Moreau": "absent since 2020-01-01", "Tomasz Wolski": "5 open tickets, capacity 0"}


async def test_who_is_named_counts_only_from_a_proven_sender(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Anybody can write a name into a mail."""
    raw = b"From: a@shop.example\r\nSubject: Zeppelin\r\nMessage-ID: <%d@shop.example>\r\n\r\nAsk Yusuf Demir, please.\r\n"
    async with house(cloud_jira, tmp_path) as opened:
        sure = await take(opened, "sure", raw % 1)
        now = opened.worker.clock.now()
        case = await opened.intake.accept(Received(source="test", source_id="unsure", raw=raw % 2, at=now))
        await worked(opened, case)
        unsure = await opened.store.archive.report(case)

    assert owner(cloud_jira, sure.case.ticket) == "Yusuf Demir"
    assert "the mail asks for this person" in {point.why for point in sure.case.retrieval.proposals[0].points}
    assert "the mail asks for this person" not in {
        point.why for p in unsure.case.retrieval.proposals for point in p.points
    }


async def test_who_has_left_is_dropped(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An account that is closed since we last looked: the ticket is made for nobody, and that is said."""
    async with house(cloud_jira, tmp_path) as opened:
        await opened.tracker.metadata.project()
        with cloud_jira.app.site.db.write():
            cloud_jira.app.site.db.run("UPDATE account SET active = 0 WHERE id = ?", LUCAS)
        report = await take(opened, TAX)
    (created,) = (effect for effect in report.effects if effect.kind == "create")

    assert report.case.outcome is Outcome.TICKETED
    assert owner(cloud_jira, report.case.ticket) == ""
    assert created.note == "without assignee"
    assert "Jira refused assignee. " in report.case.reason
    assert report.case.reason.endswith("It is nobody's: Lucas Moreau cannot have it.")


async def test_the_thread_keeps_its_owner(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An answer to a mail is a comment: nobody is proposed for it and nobody's ticket changes hands."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "04-signature-upload.eml")
        before = owner(cloud_jira, first.case.ticket)
        answer = await take(opened, "05-signature-upload-detail.eml")

    assert (answer.case.outcome, answer.case.ticket) == (Outcome.COMMENTED, first.case.ticket)
    assert (answer.case.retrieval.proposals, owner(cloud_jira, first.case.ticket)) == ((), before)
    assert before == "Hana Sugimoto"


def tools_shown(home: Installation) -> set[tuple[str, ...]]:
    """The lists of tools that the model was sent."""
    return {tuple(tool["function"]["name"] for tool in request.body["tools"]) for request in home.asked}


async def test_off_is_off(with_model: Installation) -> None:
    """By default nothing of it is seen: not by the model, not by Jira, and the ticket is nobody's."""
    (report,) = await asked(with_model, BILLING, switch="false")
    searches = [entry.json["jql"] for entry in with_model.jira.requests("POST", "/search")]

    assert owner(with_model.jira, report.case.ticket) == ""
    (shown,) = tools_shown(with_model)
    assert not {"get_project_users", "get_user_workload", "suggest_assignee"} & set(shown)
    assert not any("assignee" in jql for jql in searches)
    assert with_model.jira.requests("GET", "/myself$") == []
    assert not any(word in f"{run.system}{run.user}" for run in report.runs for word in ("PEOPLE", "proposals"))


async def test_on_is_shown_to_the_model(with_model: Installation) -> None:
    """The model sees people and three more tools; system prompt and tools are the same from mail to mail."""
    reports = await asked(with_model, TAX, OTHER, switch="true")
    (shown,) = tools_shown(with_model)
    told = " ".join(with_model.triage("show", "1").stdout.decode().split())

    assert shown[-3:] == ("get_project_users", "get_user_workload", "suggest_assignee")
    assert len({report.runs[0].system for report in reports}) == 1
    assert "<<<PEOPLE " in reports[0].runs[0].user
    assert owner(with_model.jira, reports[0].case.ticket) == "Lucas Moreau"
    assert "Proposed for a new ticket" in told
    assert "recent work on Invoicing" in told


async def test_a_jira_that_minds_the_question_gets_its_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A search for people that is refused costs the proposal, never the ticket; the report shows the flag."""
    async with house(cloud_jira, tmp_path) as opened:
        await opened.tracker.people.me()
        hidden = {"errorMessages": ["Field 'assignee' is hidden."]}
        cloud_jira.fault(Fault(do="answer", status=400, body=hidden, path="/search/jql$", nth=2, count=2))
        report = await take(opened, BILLING)

    assert (report.case.outcome, report.case.retrieval.proposals) == (Outcome.TICKETED, ())
    assert "no-proposals" in report.case.flags


def test_doctor_looks_at_the_team(installation: Installation) -> None:
    """Entries that mean nobody are told with the cure; without the switch nothing is looked at."""
    (installation.folder / "triage.yaml").write_text("team: [{person: Lucas}, {person: Greta Vogel}]", encoding="utf-8")
    on = json.loads(installation.triage("doctor", "--json", ENABLE_SMART_ASSIGNMENT="true").stdout)
    off = json.loads(installation.triage("doctor", "--json").stdout)
    told = {finding["what"]: (finding["state"], finding["text"]) for finding in on}

    assert told["assignment"][0] == "ok"
    assert told["assignment"][1].startswith("2 in the team's file, learning from ")
    assert told["team, Lucas"][0] == "warn"
    assert "write the full name" in told["team, Lucas"][1]
    assert "team, Greta Vogel" not in told
    assert "assignment" not in {finding["what"] for finding in off}
    assert not any("tools do not exist" in finding["text"] for finding in off)
