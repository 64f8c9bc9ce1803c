"""The rule of the meeting tool: a draft for a person, one for each mail, and none for anybody unproven."""

import pytest

from tests.unit.triage.toolsets.runs import SENDERS, judged
from triage.domain.conversation import Grant, ToolRun
from triage.policy.decision.permission import Decision, RunHistory, Terms, recorded
from triage.policy.decision.rights import Standing
from triage.toolsets.meetings.rules import INVITATION, PROPOSE_RULE

TOOL = "propose_meeting"


@pytest.mark.parametrize(
    ("standing", "word"),
    [
        (Standing.PARTICIPANT, Decision.ALLOW),
        (Standing.STRANGER, Decision.ALLOW),
        (Standing.UNVERIFIED, Decision.REFUSE),
        (Standing.FAILED, Decision.REFUSE),
    ],
)
def test_only_the_proven_are_invited(standing: Standing, word: Decision) -> None:
    """Who is not proven gets no invitation, not even as a draft."""
    assert judged(TOOL, Grant.WRITE, {}, RunHistory(), Terms(sender=SENDERS[standing])).word is word


def test_one_is_enough() -> None:
    """A second invitation of the same mail is refused, and so is one that nobody may get."""
    proven = SENDERS[Standing.PARTICIPANT]
    history = recorded(PROPOSE_RULE, {}, {"status": "drafted"}, RunHistory())

    assert "one is enough" in judged(TOOL, Grant.WRITE, {}, history, Terms(sender=proven)).reason
    assert "a robot" in judged(TOOL, Grant.WRITE, {}, RunHistory(), Terms(sender=proven, no_letter="a robot")).reason


def test_what_reports_say() -> None:
    """The report names the time; a dry run only what it would write."""
    made = ToolRun(tool=TOOL, arguments={}, result={"status": "drafted", "when": "Mon 09:00"}, iteration=1)
    dry = ToolRun(tool=TOOL, arguments={}, result={"status": "dry_run"}, iteration=1)

    assert PROPOSE_RULE.describe(made) == "Lays an invitation for Mon 09:00 before a person."
    assert PROPOSE_RULE.describe(dry) == ""
    assert PROPOSE_RULE.kinds({}) == (INVITATION,)
