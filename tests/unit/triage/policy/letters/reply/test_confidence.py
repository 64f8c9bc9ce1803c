"""How sure an answer is, and when a person decides."""

from dataclasses import replace

import pytest

from triage.domain.mail import Trust
from triage.policy.letters.reply.confidence import TRUST, WEIGHTS, AnswerFacts, confidence_of

GOOD = AnswerFacts(intent_confidence=0.95, ticket="HARB-1", certain=True, tools_wanted=1, trust=Trust.VERIFIED)


def test_good_evidence_needs_no_person() -> None:
    """A clear inquiry of a proven sender about a certain ticket goes by itself, and its confidence is the weighted sum."""
    found = confidence_of(GOOD)

    assert found.person == ()
    assert found.value == pytest.approx(0.35 * 0.95 + 0.2 + 0.2 + 0.25, abs=0.001)
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_what_always_needs_a_person_is_told_first() -> None:
    """Reasons that no confidence outweighs, then trouble of the draft, whatever the threshold."""
    facts = replace(GOOD, always=("a complaint",), fallback="the model is down")

    assert confidence_of(facts, threshold=0.0).person == ("a complaint", "the model is down")


@pytest.mark.parametrize(
    "changed",
    [
        {"intent_confidence": 0.4},
        {"ticket": "", "certain": False},
        {"certain": False},
        {"tools_failed": 1},
        {"placeholders": True},
        {"disposition_confidence": 0.5},
    ],
)
def test_each_weakness_lowers_the_confidence(changed: dict[str, object]) -> None:
    """Whatever is missing lowers the value; below the threshold a person decides."""
    weak = confidence_of(replace(GOOD, **changed))  # type: ignore[arg-type]

    assert weak.value < confidence_of(GOOD).value
    assert confidence_of(replace(GOOD, **changed), threshold=1.0).person == (  # type: ignore[arg-type]
        f"confidence {weak.value:.0%} is below 100%",
    )


def test_every_trust_has_a_value() -> None:
    """The better a sender is proven, the surer his answer is."""
    assert list(TRUST) == list(Trust)
    assert sorted(TRUST.values(), reverse=True) == list(TRUST.values())
