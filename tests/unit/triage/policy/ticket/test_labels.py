"""The labels that code puts on new tickets."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.config.ticket.fields import LabelRules
from triage.domain.cases import Case
from triage.domain.findings import Alert, AlertSeverity, AlertState, Classification, Cue, Cues, Identity
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.labels import labels_for

OWN = frozenset({"ours.example"})
EVERY = ("from-mail", "react-native", "c++", "acme.example")


def case(sender: str = "Ada@acme.example", trust: Trust = Trust.UNVERIFIED) -> Case:
    """A mail that names two technologies."""
    return Case(
        id="case-1",
        source="file",
        received_at=datetime(2026, 11, 20, tzinfo=UTC),
        message=Message(sender=Address(address=sender) if sender else None),
        identity=Identity(trust=trust),
        classification=Classification(cues=Cues(technologies=(Cue(value="React Native"), Cue(value="C++")))),
    )


@pytest.mark.parametrize(
    ("sender", "trust", "rules", "labels"),
    [
        ("ada@acme.example", Trust.UNVERIFIED, LabelRules(), EVERY),
        ("ada@acme.example", Trust.FAILED, LabelRules(), EVERY[:3]),
        ("ada@ours.example", Trust.VERIFIED, LabelRules(), EVERY[:3]),
        ("ada@gmail.com", Trust.VERIFIED, LabelRules(), EVERY[:3]),
        ("", Trust.UNVERIFIED, LabelRules(), EVERY[:3]),
        ("ada@acme.example", Trust.VERIFIED, LabelRules(common="", technologies=False), EVERY[3:]),
        ("ada@acme.example", Trust.VERIFIED, LabelRules(customers=False, technologies=False), EVERY[:1]),
    ],
)
def test_labels(sender: str, trust: Trust, rules: LabelRules, labels: tuple[str, ...]) -> None:
    """A common one, the technologies, the customer's domain: not a public one, our own, or that of a forged sender."""
    assert labels_for(case(sender, trust), rules, OWN) == labels


def test_a_program_is_no_customer() -> None:
    """The domain of a monitoring service labels nothing."""
    alert = Alert(
        source="grafana",
        severity=AlertSeverity.HIGH,
        object=Untrusted("crane"),
        state=AlertState.FIRING,
        key="grafana:crane",
    )
    watched = replace(case(), identity=Identity(trust=Trust.VERIFIED, alert=alert))

    assert labels_for(watched, LabelRules(), OWN) == EVERY[:3]
