"""Which parts of a checklist may be moved, and what an order for one of them holds."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from triage.domain.approvals import PART, Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.effects import Effect
from triage.domain.errors import ToolRefused
from triage.domain.reports import Report
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.services.casework.parting import WAITING, chosen, order_of, part_lines
from triage.services.casework.parts import ChecklistPart

FIRST = Ticket(key="OPS-1", summary=Untrusted("x"), status="To Do", category="new", issue_type="Task")
DONE = Ticket(key="OPS-1", summary=Untrusted("x"), status="Done", category="done", issue_type="Task")
PARTS = tuple(
    ChecklistPart(number=number, title=f"part {number}", draft={"summary": f"s{number}"}) for number in (1, 2, 3)
)


def ordered(number: int, part: int, state: ApprovalState = ApprovalState.ACCEPTED) -> Approval:
    """An order for a part."""
    wish = json.dumps({"part": part})
    return Approval(id=number, case="case-1", tool=PART, arguments=wish, reason="", state=state)


def report(*orders: Approval, made: Mapping[int, str] | None = None, refused: int = 0) -> Report:
    """A case with these orders, the tickets that they made, and the one that Jira refused."""
    effects = tuple(
        Effect(key=f"case-1:create:approval-{number}", kind="create", result=key)
        for number, key in (made or {}).items()
    )
    failed: Json = {"approval": refused, "error": "Jira says no"}
    runs = (ToolRun(tool=PART, arguments={}, result=failed, iteration=1),) if refused else ()
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=runs, final_message="", iterations=1)
    case = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC), result=result)
    return Report(case=case, state="done", attempts=1, trouble="", effects=effects, approvals=orders)


def test_lines_say_where_each_part_is() -> None:
    """In a ticket of its own, on the way there, or in the first one: also when its order was taken back or refused."""
    orders = (ordered(1, 1), ordered(2, 2), ordered(3, 3, ApprovalState.VOID))

    assert [one.moved for one in part_lines(report(*orders, made={1: "OPS-2"}), PARTS)] == ["OPS-2", WAITING, ""]
    assert [one.moved for one in part_lines(report(ordered(1, 1), refused=1), PARTS)] == ["", "", ""]


def test_an_order_can_be_given_again_after_it_came_to_nothing() -> None:
    """And only then is it another one: a double click stores the same order."""
    fresh, again = order_of(PARTS[0], report()), order_of(PARTS[0], report(ordered(1, 1), refused=1))

    assert fresh == order_of(PARTS[0], report(ordered(2, 2)))
    assert (json.loads(fresh)["before"], json.loads(again)["before"]) == (0, 1)
    assert json.loads(fresh)["summary"] == "s1"


@pytest.mark.parametrize(
    ("first", "parts", "numbers", "why"),
    [
        (FIRST, (), [1], "holds one matter"),
        (DONE, PARTS, [1], "OPS-1 is Done: reopen it"),
        (FIRST, PARTS, [], "say which part of OPS-1"),
        (FIRST, PARTS, [4], "has no part 4: there are 1 to 3"),
        (FIRST, PARTS, [1], "part 1 of OPS-1 has moved already: OPS-2"),
        (FIRST, PARTS, [2], "part 2 of OPS-1 has moved already$"),
        (FIRST, PARTS[1:], [3], "one part at least stays"),
    ],
)
def test_what_cannot_be_moved_says_why(
    first: Ticket, parts: tuple[ChecklistPart, ...], numbers: list[int], why: str
) -> None:
    """With the cure."""
    with pytest.raises(ToolRefused, match=why):
        chosen(report(ordered(1, 1), ordered(2, 2), made={1: "OPS-2"}), first, parts, numbers)


def test_each_part_is_chosen_once() -> None:
    """In the order in which they are named."""
    assert chosen(report(), FIRST, PARTS, [3, 1, 3]) == (PARTS[2], PARTS[0])
