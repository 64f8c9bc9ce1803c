"""How a model may end a run, and how its record says that it did."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.findings import Disposition, DispositionAction, DispositionFinding
from triage.policy.decision.finish import Finish, finish_of, finish_refusal

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
WORK = DispositionFinding(disposition=Disposition.WORK, confidence=0.9)
SPAM, UNSURE = (Disposition.SPAM, DispositionAction.IGNORE), (Disposition.UNSURE, DispositionAction.PERSON)


@pytest.mark.parametrize(
    ("ends", "found", "refused"),
    [
        (SPAM, WORK, True),
        (SPAM, None, True),
        (SPAM, replace(WORK, unwanted=0.3), False),
        (UNSURE, WORK, False),
        ((Disposition.NEWSLETTER, DispositionAction.TICKET), WORK, True),
        ((Disposition.QUESTION, DispositionAction.IGNORE), WORK, True),
        ((Disposition.STATUS, DispositionAction.COMMENT), WORK, False),
    ],
)
def test_what_the_model_may_set_aside(
    ends: tuple[Disposition, DispositionAction],
    found: DispositionFinding | None,
    refused: bool,  # noqa: FBT001 - a column
) -> None:
    """Only what code sees signs of; a person may be asked about anything."""
    assert refused is bool(finish_refusal(*ends, found))


def ran(*results: Json) -> Case:
    """A case whose run called the tool with these results."""
    runs = tuple(ToolRun(tool="finish", arguments={}, result=result, iteration=1) for result in results)
    return replace(CASE, result=AgentResult(status=RunStatus.COMPLETED, tool_calls=runs))


def test_how_a_run_has_ended() -> None:
    """A refused call does not count; without a call there is no such end."""
    said = {"status": "finished", "disposition": "spam", "action": "ignore", "reason": "a\nscam"}
    expected = Finish(disposition=Disposition.SPAM, action=DispositionAction.IGNORE, reason="a scam")

    assert finish_of(ran(said, {"error": "no"})) == expected
    assert expected.aside
    assert finish_of(ran({"error": "no"})) is None
    assert finish_of(CASE) is None
