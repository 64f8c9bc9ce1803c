"""The support hub without a knowledge base."""

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.pipeline.support_hub import NOTHING, SupportHub


def test_an_empty_hub_answers_nothing() -> None:
    """It says so, and takes the priority from the urgency."""
    found = SupportClass(issue_type="general", urgency=Urgency.HIGH)
    hub = SupportHub(classify=lambda *_: found, asks_for_person=lambda _: "")

    assert NOTHING.refused
    assert hub.answer("how?", (), "billing").refused
    assert hub.priority(hub.classify("", ""), "") is SupportPriority.P2
