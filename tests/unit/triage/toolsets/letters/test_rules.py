"""Rules of the letter tools: who may get a letter, how many, and what a person and a report read."""

import pytest

from tests.unit.triage.toolsets.runs import judged
from triage.domain.conversation import Grant, Json, ToolRun
from triage.domain.mail import Trust
from triage.policy.decision.permission import Decision, RunHistory, Terms, Verdict
from triage.policy.decision.rights import Sender
from triage.toolsets.letters.rules import DRAFT_RULE, ESCALATE_RULE, SEND_RULE

PROVEN = Sender(trust=Trust.VERIFIED)
ANSWER: dict[str, Json] = {"subject": "Export", "body": "It is fixed."}


def said(tool: str, history: RunHistory | None = None, sender: Sender = PROVEN, **terms: str) -> Verdict:
    """The verdict on a call."""
    grant = Grant.SEND if tool == "send_reply" else Grant.WRITE
    return judged(tool, grant, ANSWER, history or RunHistory(), Terms(sender=sender, **terms))  # type: ignore[arg-type]


def test_the_table_of_autonomy_decides_about_letters() -> None:
    """A proven sender may get a letter; who decides about it sees subject and text."""
    assert said("send_reply").word is Decision.ALLOW
    assert SEND_RULE.effect == "letter"
    assert SEND_RULE.whole(ANSWER) == ("reply", "Export\n\nIt is fixed.")


def test_no_subject() -> None:
    """Without a subject of its own the letter is its text."""
    assert SEND_RULE.whole({"body": "Yes."}) == ("reply", "Yes.")


@pytest.mark.parametrize("trust", [Trust.UNVERIFIED, Trust.WEAK, Trust.FAILED])
def test_nobody_unproven(trust: Trust) -> None:
    """Neither letter nor draft for a sender who is not proven; handing over is open to all."""
    sender = Sender(trust=trust)

    assert said("send_reply", sender=sender).word is Decision.REFUSE
    assert "hand the case to a person" in said("send_reply", sender=sender).reason
    assert said("create_draft", sender=sender).word is Decision.REFUSE
    assert said("escalate", sender=sender).word is Decision.ALLOW


def test_no_letter_at_all() -> None:
    """Where nobody may get one, it is refused before a person is asked."""
    for tool in ("send_reply", "create_draft"):
        refused = said(tool, no_letter="a mailbox of ours")

        assert (refused.word, refused.reason) == (Decision.REFUSE, "no letter may go: a mailbox of ours")


@pytest.mark.parametrize("rule", [SEND_RULE, DRAFT_RULE, ESCALATE_RULE])
def test_one_is_enough(rule: object) -> None:
    """A second letter, draft or escalation of one run is refused."""
    name = {id(SEND_RULE): "send_reply", id(DRAFT_RULE): "create_draft", id(ESCALATE_RULE): "escalate"}[id(rule)]
    once = {"send_reply": SEND_RULE, "create_draft": DRAFT_RULE, "escalate": ESCALATE_RULE}[name]
    history = once.record({}, {}, RunHistory())

    assert said(name, history).word is Decision.REFUSE


@pytest.mark.parametrize(
    ("rule", "result", "told"),
    [
        (
            SEND_RULE,
            {"status": "queued", "letter": 5, "to": ["ada@acme.example"], "by": "grace"},
            "Answers ada@acme.example (letter 5). grace accepted it.",
        ),
        (SEND_RULE, {"status": "queued", "letter": 5, "to": ["a@b.example"]}, "Answers a@b.example (letter 5)."),
        (SEND_RULE, {"status": "dry_run"}, "Would answer the sender."),
        (SEND_RULE, {"status": "awaiting_approval"}, ""),
        (DRAFT_RULE, {"status": "drafted", "letter": 6}, "Lays a draft of an answer before a person (letter 6)."),
        (ESCALATE_RULE, {"status": "dry_run"}, "Would hand it to a person."),
        (ESCALATE_RULE, {"status": "escalated"}, ""),
    ],
)
def test_reports(rule: object, result: Json, told: str) -> None:
    """What a report says of a call; who accepted it is named."""
    run = ToolRun(tool="x", arguments={}, result=result, iteration=1)

    assert next(one for one in (SEND_RULE, DRAFT_RULE, ESCALATE_RULE) if one is rule).describe(run) == told


def test_dry_run() -> None:
    """A dry run knows the effects that a call would have."""
    assert [rule.kinds({}) for rule in (SEND_RULE, DRAFT_RULE, ESCALATE_RULE)] == [
        *(("reply",), ("draft",), ("escalation",))
    ]
