"""A model reads two tickets and ties them: at once, or after a person has said so, once in Jira."""

import json
from pathlib import Path

from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import ADA, modelled
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import Json, ToolCall, Turn, Usage
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Script

ONE, OTHER = "HARB-12", "HARB-45"


def turn(*calls: tuple[str, Json]) -> Turn:
    """A turn with these calls."""
    made = tuple(ToolCall(id=f"c{n}", name=name, arguments=json.dumps(said)) for n, (name, said) in enumerate(calls))
    return Turn(text="", calls=made, usage=Usage(input_tokens=1, output_tokens=1))


TIES = Script(
    turn(("link_jira_tickets", {"ticket_key": ONE, "other_key": OTHER, "kind": "blocks"})),
    turn(("get_jira_ticket", {"ticket_key": ONE}), ("get_jira_ticket", {"ticket_key": OTHER})),
    turn(("link_jira_tickets", {"ticket_key": ONE.lower(), "other_key": OTHER, "kind": "blocks"})),
    Turn(text="Tied."),
)


async def test_a_stranger_ties_two_tickets_through_a_person(tmp_path: Path, any_jira: RunningJira) -> None:
    """Unread tickets are refused; read ones wait for a person, whose yes ties them, and the case tells of it."""
    async with modelled(any_jira, tmp_path, TIES) as (opened, _):
        waiting = await delivered(opened, letter(), "first", Trust.VERIFIED)
        before = len(any_jira.requests("POST", "/issueLink$"))
        (parked,) = waiting.approvals
        await opened.approvals.accept(parked.id, ADA)
        await opened.worker.drain()
        done = await opened.store.archive.report(waiting.case.id)
        told = await opened.tracker.tickets.details(ONE, 1)
    result = waiting.case.result
    assert result
    refused, read, _, _ = (call.result for call in result.tool_calls)

    assert ("was not found by a search" in refused["error"], read["key"]) == (True, ONE)
    assert (waiting.case.outcome, parked.ticket, parked.field, parked.becomes) == (
        Outcome.WAITING,
        ONE,
        f"link {OTHER}",
        "blocks",
    )
    assert (before, len(any_jira.requests("POST", "/issueLink$"))) == (0, 1)
    assert ("blocks", OTHER) in [(link.words, link.key) for link in told.links]
    assert (done.case.outcome, done.case.ticket) == (Outcome.UPDATED, ONE)
    assert done.case.reason == f"{ONE} blocks {OTHER}. ada accepted it."
