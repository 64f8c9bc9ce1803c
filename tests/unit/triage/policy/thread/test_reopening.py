"""A mail about a ticket that is done: asked about for some days, a new matter later."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Candidate, Cue, Cues, Retrieval
from triage.domain.tickets import Project, Status, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.thread.reopening import reopening_of, still_open_to_answers

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
TICKET = Ticket(key="OPS-3", summary=Untrusted("x"), status="Done", category="done", issue_type="Bug", done_at=NOW)
STATUSES = (
    Status(name="Done", category="done"),
    Status(name="Doing", category="indeterminate"),
    Status(name="To Do", category="new"),
)
PROJECT = Project(key="OPS", name="Ops", issue_types=("Bug",), priorities=(), statuses=STATUSES)
CASE = Case(
    id="case-1",
    source="file",
    received_at=NOW,
    retrieval=Retrieval(candidates=(Candidate.of(TICKET, 1.0, ("same thread",)),)),
)
SPOKEN = Effect(key="c", kind="comment", target="OPS-3", state=EffectState.DONE)


@pytest.mark.parametrize(
    ("ago", "days", "still"),
    [
        (0, 14, True),
        (13, 14, True),
        (14, 14, False),
        (400, 14, False),
        (0, 0, False),
        (400, 1000, True),
        (None, 14, False),
    ],
)
def test_how_long_a_done_ticket_hears_answers(ago: int | None, days: int, still: bool) -> None:  # noqa: FBT001 - a row
    """So many days from its end; 0 is never, and a ticket without a time is old."""
    done_at = None if ago is None else NOW - timedelta(days=ago)

    assert still_open_to_answers(replace(TICKET, done_at=done_at), NOW, days) is still


def test_a_comment_on_a_done_ticket_asks_to_reopen_it() -> None:
    """Into the first status that is not begun, else one that is under way."""
    begun = replace(PROJECT, statuses=STATUSES[:2])
    found = reopening_of(CASE, [SPOKEN], PROJECT)

    assert found is not None
    assert (found.key, found.status, "OPS-3 is done" in found.why) == ("OPS-3", "To Do", True)
    assert (other := reopening_of(CASE, [SPOKEN], begun)) is not None
    assert other.status == "Doing"


@pytest.mark.parametrize(
    ("tickets", "asked"),
    [([{"key": "OPS-9", "category": "done"}], True), ([{"key": "OPS-9", "category": "new"}], False), ([], False)],
)
def test_a_search_of_the_run_counts(tickets: list[Json], asked: bool) -> None:  # noqa: FBT001 - a row
    """A model that comments on a done ticket of its own search is asked about, too."""
    runs = (
        ToolRun(tool="read_jira_tickets", arguments={}, result={"tickets": tickets}, iteration=1),
        ToolRun(tool="read_jira_tickets", arguments={}, result="text", iteration=1),
        ToolRun(tool="modify_jira_ticket", arguments={}, result={"key": "OPS-9"}, iteration=1),
    )
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=runs, final_message="", iterations=1)
    found = reopening_of(replace(CASE, result=result), [replace(SPOKEN, target="OPS-9")], PROJECT)

    assert (found is not None) is asked


def test_the_threads_ticket_counts_by_its_flag() -> None:
    """Also where it is no candidate."""
    case = replace(CASE, retrieval=replace(CASE.retrieval, candidates=()), ticket="OPS-3").flagged("ticket-closed")

    assert reopening_of(case, [SPOKEN], PROJECT) is not None
    assert reopening_of(replace(case, flags=()), [SPOKEN], PROJECT) is None


@pytest.mark.parametrize(
    ("case", "effects", "project"),
    [
        (CASE, [], PROJECT),
        (CASE, [replace(SPOKEN, state=EffectState.REFUSED)], PROJECT),
        (CASE, [replace(SPOKEN, kind="transition")], PROJECT),
        (CASE, [replace(SPOKEN, target="OPS-4")], PROJECT),
        (
            replace(CASE, classification=replace(CASE.classification, cues=Cues(fixed=Cue(value="yes")))),
            [SPOKEN],
            PROJECT,
        ),
        (CASE, [SPOKEN], replace(PROJECT, statuses=STATUSES[:1])),
    ],
)
def test_nobody_is_asked_in_vain(case: Case, effects: list[Effect], project: Project) -> None:
    """Nothing was said there, it says that it works, or the workflow has no way back."""
    assert reopening_of(case, effects, project) is None
