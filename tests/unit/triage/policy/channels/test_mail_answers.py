"""An approver's answer by mail: the first line alone decides, and the Message-ID says what was asked, and whom."""

import pytest

from triage.domain.approvals import Approval
from triage.domain.channels.ticket_notes import Verb
from triage.policy.channels.mail_answers import AskedApproval, answer_in, asked_by, effect_of, person_digest

APPROVAL = Approval(id=123456, case="case-2", tool="t", arguments="{}", reason="r")


def test_what_was_asked() -> None:
    """Number, person and what was shown come back; they fit into a Message-ID; other letters asked nothing."""
    effect = effect_of(APPROVAL, "Ada@Example.org")

    assert asked_by(effect) == AskedApproval(
        approval=123456, person=person_digest("ada@example.org"), shown=APPROVAL.hash[:12]
    )
    assert len(effect) <= 40
    assert [
        asked_by(other) for other in ("reply:1", "approval", "approval:x:1:2", "approval:1:2", "approval:1:2:3:4")
    ] == [None] * 5


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Yes.", (Verb.YES, "")),
        ("\n yes \n\nRegards, Ada", (Verb.YES, "")),
        ("NO!\nThat is wrong.", (Verb.NO, "")),
        ("Edit: In Progress", (Verb.EDIT, "In Progress")),
        ("edit Two\nlines", (Verb.EDIT, "Two\nlines")),
        ("yes, but not today", None),
        ("Yes please", None),
        ("no problem, do it", None),
        ("editor", None),
        ("edit", None),
        ("", None),
        ("Hello,\nyes", None),
    ],
)
def test_answers(reply: str, answer: tuple[Verb, str] | None) -> None:
    """A yes that goes on is no yes."""
    assert answer_in(reply) == answer
