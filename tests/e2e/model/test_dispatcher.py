"""What a model is shown of a mail in another language than the tickets, and what becomes of its calls."""

import json
from email.message import EmailMessage
from pathlib import Path

from cli.mail.process import prepared
from tests.e2e.opened import call, house, judge, modelled, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import Json, ToolCall, Turn
from triage_sandbox.openai_app import Script

KNOWN_MATTER = "HARB-31"
"""Bank refuses the direct debit file when a company name has an ampersand."""
CREATE = {
    "summary": "Bank lehnt Lastschriftdatei ab",
    "description": "x",
    "issue_type": "Bug",
    "related": KNOWN_MATTER,
}


def german(says: str = "die Bank nimmt unsere Lastschriften nicht an, seit im Namen der Firma ein & steht.") -> bytes:
    """A mail that shares no word with the ticket of its matter."""
    mail = EmailMessage()
    mail["From"], mail["To"] = "Ada Berg <ada@berg.example>", "support@harbourline.example"
    mail["Subject"], mail["Message-ID"] = "Lastschriften werden zurückgewiesen", "<lastschrift@berg.example>"
    mail.set_content(f"Guten Tag,\n\n{says}\n")
    return mail.as_bytes()


def turn(*calls: tuple[str, Json]) -> Turn:
    """Several calls at once."""
    return Turn(
        text="",
        calls=tuple(
            ToolCall(id=f"c{n}", name=name, arguments=json.dumps(each)) for n, (name, each) in enumerate(calls)
        ),
    )


async def test_a_ticket_of_the_same_meaning_is_shown_and_linked(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The prompt has the ticket that means the same in another language; a new ticket that names it is linked in the same round."""
    script = Script(turn(("create_jira_ticket", CREATE), ("finish", {"disposition": "work", "reason": "a fault"})))
    async with modelled(cloud_jira, tmp_path, script) as (opened, served):
        await prepared(opened)
        report = await take(opened, raw=german())
        prompt = served.app.state.journal[0].body["messages"][1]["content"]

    assert f'{{"key":"{KNOWN_MATTER}","near":true' in prompt
    assert (report.case.outcome, len(report.turns)) == (Outcome.TICKETED, 1)
    assert report.case.attached == (f"related to {KNOWN_MATTER} (the agent found it to be of the same matter)",)


async def test_without_a_model_the_new_ticket_is_linked_too(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """By meaning alone: rules comment nowhere for it."""
    async with house(cloud_jira, tmp_path) as opened:
        await prepared(opened)
        plain = "die Bank lehnt unsere Lastschriftdatei ab, wenn ein Firmenname ein & enthält."
        report = await take(opened, raw=german(plain))

    assert report.case.outcome is Outcome.TICKETED
    assert report.case.attached == (f"related to {KNOWN_MATTER} (means nearly the same)",)


async def test_a_search_is_ordered_by_its_own_text(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What the model looks for stands first, although the mail itself has none of its words."""
    search = call(
        "read_jira_tickets", '{"search_text": "bank refuses the direct debit file ampersand invoice booking"}'
    )
    unsure = turn(("finish", {"disposition": "unsure", "reason": "a test"}))
    async with modelled(cloud_jira, tmp_path, Script(search, unsure)) as (opened, _):
        await prepared(opened)
        report = await take(opened, raw=german())

    assert report.case.result
    found = report.case.result.tool_calls[0].result["tickets"]
    assert found[0]["key"] == KNOWN_MATTER
    assert len(found) <= 10
    assert all(one.get("probability", 1) >= 0.05 for one in found)


async def test_a_related_ticket_must_have_been_shown(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A key that no search has found is refused, in words that say what to do."""
    create = turn(("create_jira_ticket", CREATE | {"related": "HARB-64"}))
    async with modelled(cloud_jira, tmp_path, Script(create, Turn(text="ok"))) as (opened, _):
        await prepared(opened)
        report = await take(opened, raw=german())

    assert report.case.result
    assert "search first" in report.case.result.tool_calls[0].result["error"]
    assert judge(cloud_jira, tmp_path).created() == []


async def test_an_essay_is_answered_once_and_a_person_looks(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Of a model that only writes that it has made a ticket, nothing is believed; it is asked again once."""
    async with modelled(cloud_jira, tmp_path, Script(Turn(text="Ticket created successfully."))) as (opened, _):
        report = await take(opened)

    assert (report.case.outcome, len(report.turns)) == (Outcome.WAITING, 2)


async def test_a_run_in_which_nothing_was_written_does_not_end_as_work(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A model whose only write failed hears so from `finish`, writes as it should, and the mail has its ticket."""
    ending = ("finish", {"disposition": "work", "reason": "done"})
    bad = CREATE | {"related": "", "priority": "P1", "components": ["Mobile"], "assignee": "backend team"}
    good = {"summary": "Barcode is cut off", "description": "It is\ncut off.", "issue_type": "Bug"}
    script = Script(turn(("create_jira_ticket", bad), ending), turn(("create_jira_ticket", good), ending))
    async with modelled(cloud_jira, tmp_path, script) as (opened, _):
        report = await take(opened)

    assert report.case.result
    first, refused, *_ = (run.result for run in report.case.result.tool_calls)
    assert [part in first["error"] for part in ("'P1'", "'Mobile'", "'backend team'")] == [True] * 3
    assert "nothing is written yet" in refused["error"]
    assert (report.case.outcome, len(report.turns)) == (Outcome.TICKETED, 2)
