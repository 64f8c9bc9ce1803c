"""The route of a mail by its bytes alone."""

import pytest

from tests.unit.triage.services.routing.test_rule_trial import routed_by
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted

RULES = """routing:
  rules:
    - {name: partner, match: {sender_domain: corner-shop.example, unproven: false}, route: pipeline}
    - {name: rest, match: {all: true}, route: pipeline}
    - {name: late, match: {subject_contains: Export}, route: pipeline}
"""
MAIL = Message(
    subject=Untrusted("Export"),
    text=Untrusted("The export crashes. Asap, please."),
    sender=Address(address="ada@corner-shop.example"),
)


@pytest.mark.parametrize(("verdict", "rule"), [(Trust.VERIFIED, "partner"), (Trust.UNVERIFIED, "rest")])
def test_the_verdict_of_the_provider_counts(verdict: Trust, rule: str) -> None:
    """A rule about senders holds for proven ones alone; each rule says whether it holds."""
    tested = routed_by(RULES).test(MAIL, "postmark", verdict)

    assert (tested.route.rule, tested.facts.proof.trust) == (rule, verdict)
    assert [reading.rule for reading in tested.readings] == ["partner", "rest", "late"]


def test_cues_are_read() -> None:
    """Type and priority come from the words of the mail."""
    cues = routed_by(RULES).cues(MAIL)

    assert (cues.type.value, cues.priority.value) == ("bug", "High")


def test_doubtful_rules_are_named() -> None:
    """A rule that no mail reaches, and one whose evidence nobody checks."""
    assert [line.partition(":")[0] for line in routed_by(RULES).warnings()] == ["partner", "late"]
