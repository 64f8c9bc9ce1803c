"""Who may run a tool from outside that writes, by what the profile grants."""

from collections.abc import Mapping

import pytest

from triage.config.agents.profiles import ToolGrant
from triage.domain.conversation import Grant, ToolRun
from triage.domain.mail import Trust
from triage.policy.decision.outside_tools import OUTSIDE, ROWS, UNGRANTED, describe, outside_rule
from triage.policy.decision.permission import Decision, RunHistory, Terms, recorded, verdict
from triage.policy.decision.rights import Sender

TRUSTS = (Trust.VERIFIED, Trust.UNVERIFIED, Trust.FAILED)


@pytest.mark.parametrize(
    ("grant", "said"),
    [
        (None, "ask ask refuse"),
        ("allow", "allow allow refuse"),
        ("proven", "allow ask refuse"),
        ("approve", "ask ask refuse"),
        ("deny", "refuse refuse refuse"),
    ],
)
def test_rights_by_grant(grant: ToolGrant | None, said: str) -> None:
    """Without a grant a person decides; a forged sender gets nothing done, whatever is granted."""
    rule = outside_rule("refund", 5, ROWS[grant] if grant else UNGRANTED)
    verdicts = [
        verdict("refund", Grant.WRITE, rule, {"order": "7"}, RunHistory(), Terms(sender=Sender(trust=trust)))
        for trust in TRUSTS
    ]

    assert " ".join(one.word for one in verdicts) == said


def test_a_person_is_shown_the_whole_call() -> None:
    """What waits names the tool and every argument."""
    asked = verdict(
        "refund",
        Grant.WRITE,
        outside_rule("refund", 5),
        {"order": "7", "euros": 3},
        RunHistory(),
        Terms(sender=Sender()),
    ).asks[0]

    assert (asked.field, asked.value, asked.whole) == ("refund", "euros=3, order=7", True)
    assert asked.why == "the agent would run refund; its calls need approval"


def test_calls_for_one_mail_are_counted() -> None:
    """After as many calls as the limit allows, errors not counted, the next is refused."""
    rule, history = outside_rule("refund", 2, ROWS["allow"]), RunHistory()
    for result in ({"error": "no"}, {"status": "done"}, {"status": "done"}):
        before = verdict("refund", Grant.WRITE, rule, {}, history, Terms(sender=Sender()))
        history = recorded(rule, {}, result, history)
    after = verdict("refund", Grant.WRITE, rule, {}, history, Terms(sender=Sender()))

    assert (before.word, after.word) == (Decision.ALLOW, Decision.REFUSE)
    assert after.reason == "refund has run 2 times for this mail"


def test_calls_that_only_read_need_nobody() -> None:
    """Of a tool that can write, a call that only reads is allowed and not counted; of a forged sender it is refused."""
    rule = outside_rule("book", 1, reads=lambda given: given["action"] == "list")
    looking, writing = {"action": "list"}, {"action": "cancel"}
    history = recorded(rule, looking, {"result": []}, RunHistory())
    spent = recorded(rule, writing, {"status": "done"}, history)

    def said(arguments: Mapping[str, str], so_far: RunHistory, trust: Trust = Trust.UNVERIFIED) -> Decision:
        return verdict("book", Grant.WRITE, rule, arguments, so_far, Terms(sender=Sender(trust=trust))).word

    assert (said(looking, history), said(writing, history)) == (Decision.ALLOW, Decision.ASK)
    assert (said(looking, spent), said(writing, spent)) == (Decision.ALLOW, Decision.REFUSE)
    assert said(looking, history, Trust.FAILED) is Decision.REFUSE


@pytest.mark.parametrize(
    ("status", "sentence"), [("done", "Ran refund."), ("dry_run", "Would run refund."), ("decided", "")]
)
def test_what_was_run_is_told(status: str, sentence: str) -> None:
    """The report says which tools ran; their own words are not repeated."""
    assert describe(ToolRun(tool="refund", arguments={}, result={"status": status}, iteration=1)) == sentence
    assert OUTSIDE.kinds({}) == ("outside",)
