"""How rules are applied to a call."""

from dataclasses import replace

import pytest

from tests.unit.triage.toolsets.runs import SEEN, SENDERS, a_run, judged
from triage.domain.conversation import Grant, ToolRun
from triage.domain.mail import Trust
from triage.policy.decision.permission import (
    Decision,
    RunHistory,
    Terms,
    ToolRule,
    recorded,
    sequence_of,
    verdict,
)
from triage.policy.decision.rights import Right, RightsRow, Sender, Standing


def test_reading_is_always_allowed() -> None:
    """A search needs no permission, whoever the sender is."""
    told = judged("read_jira_tickets", Grant.READ, {"days": 3}, a_run(), Terms(sender=Sender(trust=Trust.FAILED)))

    assert (told.word, told.arguments) == (Decision.ALLOW, {"days": 3})


POST = ToolRule(
    rights={"post": RightsRow(Right.YES, Right.PERSON, Right.NO, Right.MARKED), "paint": RightsRow(*[Right.LESS] * 4)},
    deeds=lambda arguments, *_: {"": "post"} | ({"colour": "paint"} if "colour" in arguments else {}),
)


@pytest.mark.parametrize(
    ("kind", "word", "hint"),
    [
        (Standing.PARTICIPANT, Decision.ALLOW, ""),
        (
            Standing.STRANGER,
            Decision.ASK,
            "to post would need approval; the sender is not part of it (verified stranger)",
        ),
        (Standing.UNVERIFIED, Decision.REFUSE, "to post is not for this sender"),
        (Standing.FAILED, Decision.ALLOW, ""),
    ],
)
def test_a_rule_of_few_words_is_enough(kind: Standing, word: Decision, hint: str) -> None:
    """Rights and deeds alone make a rule; a call that waits does so whole, an argument that may not be is left out."""
    told = verdict("post", Grant.SEND, POST, {"to": "x", "colour": "red"}, RunHistory(), Terms(sender=SENDERS[kind]))

    assert (told.word, hint in told.reason) == (word, True)
    assert told.arguments == ({"to": "x"} if word is Decision.ALLOW else {})
    assert [ask.whole for ask in told.asks] == ([True] if word is Decision.ASK else [])


def test_a_deed_without_a_row_is_refused() -> None:
    """So is a call of which the rule knows no deed."""
    terms = Terms(sender=SENDERS[Standing.PARTICIPANT])
    unknown = replace(POST, deeds=lambda *_: {"": "burn"})
    idle = ToolRule(rights=POST.rights)

    for rule in (unknown, idle):
        assert verdict("post", Grant.SEND, rule, {}, RunHistory(), terms).word is Decision.REFUSE


def test_what_says_nothing_changes_nothing() -> None:
    """A rule without counting leaves the history, and its calls have no effects and no sentence to tell."""
    ran = ToolRun(tool="post", arguments={}, result={"status": "posted"}, iteration=1)

    assert recorded(POST, {}, ran.result, RunHistory()) == recorded(None, {}, ran.result, RunHistory()) == RunHistory()
    assert (sequence_of(POST, {}, RunHistory()), sequence_of(None, {}, RunHistory())) == ("1", "1")
    assert (POST.kinds({}), POST.describe(ran)) == ((), "")


@pytest.mark.parametrize("grant", [Grant.WRITE, Grant.SEND])
def test_what_has_no_rule_is_refused(grant: Grant) -> None:
    """A tool that writes or sends and stands in no table may be called by nobody."""
    told = judged("post_letter", grant, {"to": "x"}, SEEN, Terms(sender=SENDERS[Standing.PARTICIPANT]))

    assert (told.word, "has no rule" in told.reason) == (Decision.REFUSE, True)
