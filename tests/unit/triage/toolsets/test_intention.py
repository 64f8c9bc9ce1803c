"""What a case in the shadow would have written, read from its own calls."""

from dataclasses import replace

import pytest

from tests.unit.triage.toolsets.test_outcome import CASE, CREATE, MODIFY, ran
from triage.domain.cases import Outcome
from triage.domain.conversation import Json
from triage.policy.decision.agreement.changelog import OverruledDecision
from triage.policy.decision.agreement.shadow import Intention, TrackerAction
from triage.toolsets.intention import intention_of

DRAFT: Json = {
    "tool": CREATE,
    "summary": "Export stops",
    "issue_type": "Bug",
    "priority": "High",
    "components": ["Web", "Billing"],
    "assignee": "Ada Byron",
}


def would(call: Json) -> tuple[str, Json]:
    """A call that was not made."""
    return str(call["tool"]), {"status": "dry_run", "key": "new", "would": call}


def test_a_new_ticket() -> None:
    """Its values by their names in the tracker, components in order; what was left open is empty."""
    full = replace(ran(would(DRAFT)), outcome=Outcome.SHADOWED)
    bare = replace(ran(would({"tool": CREATE, "issue_type": "Bug"})), outcome=Outcome.SHADOWED)

    assert intention_of(full) == Intention(
        action=TrackerAction.TICKET,
        fields={
            OverruledDecision.TYPE: "Bug",
            OverruledDecision.PRIORITY: "High",
            OverruledDecision.COMPONENT: "Billing, Web",
            OverruledDecision.ASSIGNEE: "Ada Byron",
        },
    )
    assert set(intention_of(bare).fields.values()) == {"Bug", ""}  # type: ignore[union-attr]


def test_a_comment() -> None:
    """On the ticket that it was for; a change of the same ticket beside it does not decide."""
    case = ran(would({"tool": MODIFY, "ticket_key": "OPS-3", "comment": "Again.", "status": "Done"}))

    assert intention_of(replace(case, outcome=Outcome.SHADOWED)) == Intention(
        action=TrackerAction.COMMENT, ticket="OPS-3"
    )


@pytest.mark.parametrize(
    ("outcome", "action"),
    [
        (Outcome.IGNORED, TrackerAction.NONE),
        (Outcome.SHADOWED, TrackerAction.NONE),
        (Outcome.WAITING, TrackerAction.PERSON),
    ],
)
def test_without_a_write(outcome: Outcome, action: TrackerAction) -> None:
    """A mail that is left alone, and one for a person."""
    assert intention_of(replace(CASE, outcome=outcome)) == Intention(action=action)


@pytest.mark.parametrize("outcome", [Outcome.TICKETED, Outcome.COMMENTED, None])
def test_no_case_of_the_shadow(outcome: Outcome | None) -> None:
    """What was written is judged by the ticket's changelog."""
    assert intention_of(replace(CASE, outcome=outcome)) is None
