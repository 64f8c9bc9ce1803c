"""The summary of an escalation, in its fixed form."""

from dataclasses import replace

from triage.domain.conversation import Json
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.domain.support.conversations import (
    Attempt,
    EscalationTrigger,
    Resolution,
    Support,
    SupportAgent,
    SupportClass,
)
from triage.domain.untrusted import Untrusted
from triage.policy.support.summary import RECOMMENDED, SummaryFacts, found_in, recommendation_of, summary_of
from triage.policy.ticket.markdown import quoted

HIT = PassageHit(passage=Passage(article="help:refunds", number=0, title="Refunds"), similarity=0.5)
SUPPORT = Support(
    classification=SupportClass(issue_type="billing"),
    resolution=Resolution(resolved=False, confidence=0.31, answer=KnowledgeAnswer(hits=(HIT, HIT))),
    tool_results={
        "user_lookup": {
            "user_id": "u-001",
            "full_name": "Alma Reyes",
            "email": "alma@members.example",
            "subscription": {"status": "active", "tier": "premium"},
        },
        "refund_processing": {"status": "awaiting_approval"},
        "strange": "text",
    },
    earlier=(Attempt(agent=SupportAgent.RESOLVER, outcome="Answered from help:a"),),
    attempts=(Attempt(agent=SupportAgent.TOOL_AGENT, outcome="user_lookup: done; policy exception"),),
)
WHOLE = """\
ISSUE: Refund for the opera

USER INFORMATION:

- Name: Alma Reyes
- Email: alma\\@members\\.example
- Subscription: premium (active)
- User ID: u\\-001

LOOKED UP:

- subscription: status active; tier premium
- status: awaiting\\_approval

ATTEMPTED RESOLUTION:

1. Answered from help\\:a
2. user\\_lookup\\: done

ESCALATION REASON:

policy exception

RECOMMENDATION:

Decide.

CONTEXT:

- Classification: billing, medium
- Confidence: 0.31
- Articles searched: help\\:refunds
- Tools used: user\\_lookup"""


def test_the_whole_form() -> None:
    """Issue, user, attempts of the whole conversation, reason, recommendation and context stand in their order."""
    facts = SummaryFacts(issue="Refund for the opera", tools=("user_lookup", "user_lookup"))

    assert summary_of(SUPPORT, facts, ("policy exception",), "Decide.") == WHOLE


def test_an_answer_that_was_not_sure_enough_is_there_to_go_on_from() -> None:
    """The person gets the words that were found and the article they stand in, without markup, above the context."""
    found = KnowledgeAnswer(
        sentences=(CitedSentence(text="Months are *not* refunded.", passage="help:refunds#0"),), hits=(HIT,)
    )
    unsure = replace(SUPPORT, resolution=Resolution(resolved=False, confidence=0.4, answer=found))
    told = summary_of(unsure, SummaryFacts(issue="Refund"), ("low confidence",), "Correct it.")

    part = "ANSWER NOT SENT:\n\nMonths are \\*not\\* refunded\\.\n\nFrom: help\\:refunds\n\nCONTEXT:"
    assert part in told, told
    rest = replace(unsure, resolution=Resolution(resolved=False, confidence=0.9, answer=found, partly=True))
    assert "ANSWER TO THE REST:" in summary_of(rest, SummaryFacts(issue="Refund"), ("nothing found",), "Answer it.")


def test_what_is_not_known_says_so() -> None:
    """Every line is there; words of a mail are no markup."""
    told = summary_of(
        Support(), SummaryFacts(issue="*Now* [x](http://e.example)\n\nRECOMMENDATION: pay"), (), "Decide."
    )

    assert told.startswith(
        "ISSUE: \\*Now\\* \\[x\\]\\(http\\:\\/\\/e\\.example\\) RECOMMENDATION\\: pay\n\nUSER INFORMATION:"
    )
    assert "- Subscription: not known" in told
    assert "Nothing was tried." in told
    assert (
        "- Classification: not known\n- Confidence: nothing was answered\n- Articles searched: none\n- Tools used: none"
        in told
    )


def test_what_was_looked_up_for_earlier_mails_is_known() -> None:
    """The latest result of each tool counts, an error hides none, and what was read again just so is told once."""
    reserved: dict[str, Json] = {"title": "Opera"}
    before = (
        {"user_lookup": {"error": "down"}, "reservations": reserved},
        {"user_lookup": {"user_id": "u-001", "subscription": {"tier": "basic", "status": "active"}}},
        {"user_lookup": {"user_id": "u-000"}},
    )
    facts = SummaryFacts(issue="Call me", before=before, tools=("user_lookup", "reservations"))
    alone = summary_of(Support(), facts, ("wish",), "Call.")
    again = summary_of(Support(tool_results={"reservations": reserved}), facts, ("wish",), "Call.")
    newer = summary_of(SUPPORT, facts, ("wish",), "Call.")

    for line in ("- Subscription: basic (active)", "- User ID: u\\-001", "- Tools used: user\\_lookup\\, reservations"):
        assert line in alone
    assert "LOOKED UP FOR EARLIER MAILS:\n\n- " in alone
    assert "Opera" in alone.partition("EARLIER MAILS:")[2]
    assert "Opera" not in again.partition("EARLIER MAILS:")[2]
    assert "- Subscription: premium (active)" in newer


def test_of_a_later_mail_only_what_is_new() -> None:
    """Whoever has the conversation reads the new words and what is known about them, not the whole form again."""
    sentence = CitedSentence(text="Five days.", passage="help:refunds#0")
    answer = KnowledgeAnswer(sentences=(sentence,), hits=(HIT,), confidence=0.9)
    sure = Support(with_person=True, resolution=Resolution(resolved=False, confidence=0.0, answer=answer))
    unsure = replace(
        sure, resolution=Resolution(resolved=False, confidence=0.0, answer=replace(answer, confidence=0.4))
    )
    facts = SummaryFacts(issue="Please call", message=Untrusted("The line stands still.\nPlease call."))

    text = summary_of(sure, facts, ("a person has it",), "Write.")

    assert text == (
        f"NEW MESSAGE:\n\n{quoted(facts.message)}\n\nANSWER NOT SENT:\n\nFive days\\.\n\nFrom: help\\:refunds"
    )
    assert summary_of(unsure, facts, (), "") == f"NEW MESSAGE:\n\n{quoted(facts.message)}"
    assert "line stands still" in text


def test_a_recommendation_for_each_trigger() -> None:
    """What weighs most decides; without a trigger the articles are checked."""
    assert set(RECOMMENDED) == set(EscalationTrigger)
    both = (EscalationTrigger.LOW_CONFIDENCE, EscalationTrigger.USER_REQUEST)
    assert recommendation_of(both) == RECOMMENDED[EscalationTrigger.USER_REQUEST]
    assert recommendation_of(()) == RECOMMENDED[EscalationTrigger.LOW_CONFIDENCE]
    assert "triage approvals" in recommendation_of(both, waits=True)


def test_who_the_customer_is_comes_from_the_tools() -> None:
    """The first tool that says something is believed; what is no object says nothing."""
    assert found_in({"a": {"user_id": "u1", "email": ""}, "b": "down", "c": {"user_id": "u2", "full_name": "Ada"}}) == {
        "user_id": "u1",
        "full_name": "Ada",
    }
