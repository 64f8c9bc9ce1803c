"""What the audit shows to whom."""

from datetime import UTC, datetime

from triage.domain.operations.audit import CaseEvent


def test_an_event_without_words() -> None:
    """Plain facts stay; what a step read and found is nested, and goes."""
    facts = {"step": "classify", "ms": 1.5, "output": {"cues": ["asap"]}, "seen": ["asap"], "note": None}
    event = CaseEvent(id=1, case="case-1", at=datetime(2026, 11, 23, tzinfo=UTC), name="step.trace", facts=facts)

    assert event.wordless().facts == {"step": "classify", "ms": 1.5, "note": None}
    assert event.facts is facts
