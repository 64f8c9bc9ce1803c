"""Two tickets are tied as a sender may, and only those that were shown."""

from typing import Any

import pytest

from tests.unit.triage.toolsets.runs import a_run, judged, noted
from triage.domain.conversation import Grant, ToolRun
from triage.domain.mail import Trust
from triage.policy.decision.permission import Decision, Terms
from triage.policy.decision.rights import Sender
from triage.toolsets.tickets.linking import LINK_RULE

LINK = "link_jira_tickets"
CALL = {"ticket_key": "HARB-1", "other_key": "HARB-2", "kind": "relates"}
SHOWN = a_run(shown={"HARB-1": 1.0, "HARB-2": 0.4})
PARTICIPANT = Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True)
STRANGER = Sender(trust=Trust.VERIFIED)


@pytest.mark.parametrize(
    ("sender", "word"),
    [
        (PARTICIPANT, Decision.ALLOW),
        (STRANGER, Decision.ASK),
        (Sender(trust=Trust.WEAK, thread="HARB-1"), Decision.REFUSE),
        (Sender(trust=Trust.FAILED, thread="HARB-1"), Decision.REFUSE),
    ],
)
def test_who_may_tie(sender: Sender, word: Decision) -> None:
    """A participant may, for a proven stranger a person decides about the whole call, others may not."""
    told = judged(LINK, Grant.WRITE, CALL, SHOWN, Terms(sender=sender))

    assert told.word is word
    if word is Decision.ASK:
        (ask,) = told.asks
        assert (ask.whole, ask.field, ask.value) == (True, "link HARB-2", "relates")
        assert "HARB-1 relates to HARB-2 would be written; the sender is not part of it" in ask.why


@pytest.mark.parametrize(
    ("changed", "hint"),
    [
        ({"other_key": "HARB-1"}, "tied to itself"),
        ({"other_key": "HARB-3"}, "HARB-3 was not found by a search"),
        ({"ticket_key": "HARB-3"}, "HARB-3 was not found by a search"),
        ({"other_key": "HARB-9"}, "HARB-9 is the thread of others"),
    ],
)
def test_both_ends_were_shown(changed: dict[str, str], hint: str) -> None:
    """A ticket that this run was not shown is tied to nothing, nor is the thread of others."""
    terms = Terms(sender=Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True, foreign_thread="HARB-9"))
    told = judged(LINK, Grant.WRITE, CALL | changed, SHOWN, terms)

    assert (told.word, hint in told.reason) == (Decision.REFUSE, True)


def test_a_tie_is_a_change() -> None:
    """It uses up the budget of changes; a ticket that the run has made may be tied."""
    spent = noted(LINK, CALL, {"status": "linked"}, SHOWN)
    made = a_run(shown={"HARB-2": 0.4}, made={"HARB-1"})
    again = judged(LINK, Grant.WRITE, CALL, spent, Terms(sender=PARTICIPANT))
    own = judged(LINK, Grant.WRITE, CALL, made, Terms(sender=STRANGER))

    assert (spent.times("change", "HARB-1"), again.word, own.word) == (1, Decision.REFUSE, Decision.ALLOW)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"status": "linked", **CALL}, "HARB-1 relates to HARB-2."),
        (
            {"status": "linked", **CALL, "decision": "accepted", "by": "ada"},
            "HARB-1 relates to HARB-2. ada accepted it.",
        ),
        ({"status": "dry_run", "would": CALL}, "Would write that HARB-1 relates to HARB-2."),
        ({"status": "awaiting_approval"}, ""),
    ],
)
def test_what_is_told(result: dict[str, Any], told: str) -> None:
    """A sentence about the tie that was written, and none about one that waits."""
    assert LINK_RULE.describe(ToolRun(tool=LINK, arguments=CALL, result=result, iteration=1)) == told
    assert LINK_RULE.kinds(CALL) == ("link",)
