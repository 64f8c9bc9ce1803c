"""The supervisor: the golden table of its decisions, and loops that end."""

from dataclasses import replace

import pytest

from triage.domain.support.articles import CitedSentence, KnowledgeAnswer
from triage.domain.support.conversations import (
    Resolution,
    Supervision,
    Support,
    SupportAgent,
    SupportClass,
    SupportStatus,
)
from triage.policy.support.supervisor import MOST, TREE, supervise

CLASS = SupportClass(issue_type="billing")
NEW = Support()
CLASSIFIED = Support(status=SupportStatus.CLASSIFIED, classification=CLASS)
ANSWER = KnowledgeAnswer(sentences=(CitedSentence(text="Yes.", passage="help:a#0"),))


def resolved(confidence: float, *, resolved: bool = False, data: str = "", reason: str = "") -> Support:
    """A conversation after the resolver."""
    found = Resolution(
        resolved=resolved, confidence=confidence, answer=ANSWER, needs_data=data, escalation_reason=reason
    )
    return replace(CLASSIFIED, resolution=found)


@pytest.mark.parametrize(
    ("support", "agent", "reasoning", "confidence"),
    [
        (NEW, SupportAgent.CLASSIFIER, "it is new and not classified", 1.0),
        (CLASSIFIED, SupportAgent.RESOLVER, "it is classified and not answered", 1.0),
        (replace(CLASSIFIED, tool_results={}), SupportAgent.RESOLVER, "data are there: it can be answered now", 1.0),
        (resolved(0.9, data="the plan"), SupportAgent.TOOL_AGENT, "the answer needs data: the plan", 1.0),
        (resolved(0.1, data="the plan"), SupportAgent.TOOL_AGENT, "the answer needs data: the plan", 1.0),
        (resolved(0.69), SupportAgent.ESCALATION, "confidence 0.69 is below 0.70", 0.31),
        (resolved(0.0, reason="policy exception"), SupportAgent.ESCALATION, "policy exception", 1.0),
        (resolved(0.7, resolved=True), SupportAgent.END, "answered from help:a", 0.7),
        (
            replace(CLASSIFIED, resolution=Resolution(resolved=True, confidence=1.0, settled="thanks")),
            SupportAgent.END,
            "the customer says “thanks”",
            1.0,
        ),
        (
            replace(resolved(0.1, data="x"), tool_results={}),
            SupportAgent.ESCALATION,
            "confidence 0.10 is below 0.70",
            0.9,
        ),
        (resolved(0.9), SupportAgent.ESCALATION, "no agent can go on with it: a person takes over", 1.0),
        (resolved(0.9, reason="no"), SupportAgent.ESCALATION, "no", 1.0),
        (
            replace(NEW, status=SupportStatus.CLASSIFIED),
            SupportAgent.ESCALATION,
            "no agent can go on with it: a person takes over",
            1.0,
        ),
    ],
)
def test_each_branch_of_the_tree(support: Support, agent: SupportAgent, reasoning: str, confidence: float) -> None:
    """The branch that holds names agent, reason and confidence; data are asked for before the confidence counts."""
    assert supervise(support) == Supervision(next_agent=agent, reasoning=reasoning, confidence=confidence)


def test_an_answer_from_the_account_names_it() -> None:
    """Where no article is cited the account is the source."""
    support = replace(CLASSIFIED, resolution=Resolution(resolved=True, confidence=0.8))

    assert supervise(support).reasoning == "answered from the account"


def test_no_loop_goes_on_for_ever() -> None:
    """Whatever the findings are, a person takes over after so many decisions."""
    support = NEW
    for _ in range(MOST):
        assert supervise(support).next_agent is SupportAgent.CLASSIFIER
        support = support.decided(supervise(support))

    assert supervise(support).next_agent is SupportAgent.ESCALATION


def test_every_row_has_a_case_of_its_own() -> None:
    """The rows are those of the design: two that bound the loop, and its tree with data before confidence."""
    assert [row.name for row in TREE] == [
        "too long",
        "new",
        "classified",
        "needs data",
        "unsure",
        "resolved",
        "nothing fits",
    ]


def test_the_threshold_is_configuration() -> None:
    """A house that wants more certainty gets it."""
    assert supervise(resolved(0.8, resolved=True), 0.9).next_agent is SupportAgent.ESCALATION
    assert TREE[4].reasoning(NEW, 0.7) == "there is no resolution"
    assert (TREE[4].sure(None), TREE[5].sure(None), TREE[5].reasoning(NEW, 0.7)) == (1.0, 1.0, "")
