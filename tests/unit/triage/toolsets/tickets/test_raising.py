"""Who may raise the priority of an existing ticket."""

import pytest

from tests.unit.triage.toolsets.runs import a_run, judged
from triage.domain.conversation import Grant
from triage.domain.mail import Trust
from triage.policy.decision.permission import Decision, Terms
from triage.policy.decision.rights import Sender

RAISE = {"ticket_key": "HARB-1", "priority": "Highest"}


@pytest.mark.parametrize(
    ("sender", "word"),
    [
        (Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True), Decision.ALLOW),
        (Sender(trust=Trust.VERIFIED), Decision.ASK),
        (Sender(trust=Trust.WEAK, thread="HARB-1"), Decision.ASK),
        (Sender(trust=Trust.FAILED, thread="HARB-1"), Decision.REFUSE),
    ],
)
def test_who_may_raise(sender: Sender, word: Decision) -> None:
    """A participant may; for everybody else a person decides, and a forged sender is refused."""
    told = judged("modify_jira_ticket", Grant.WRITE, RAISE, a_run(shown={"HARB-1": 1.0}), Terms(sender=sender))

    assert told.word is word
    if word is Decision.ASK:
        assert "HARB-1 would get the priority" in told.asks[0].why
