"""Whom a run may assign: those whom it was shown."""

from triage.policy.decision.permission import RunHistory
from triage.policy.decision.resolution import Live
from triage.toolsets.people.tools import SUGGEST_RULE


def test_proposed_people_may_be_named() -> None:
    """Each proposal of an answer is known to the run afterwards; an answer without any adds nobody."""
    record = SUGGEST_RULE.record
    assert record is not None
    seen = record({}, {"proposals": [{"username": "ada"}, {"username": "bob"}]}, RunHistory())

    assert set(seen.seen[Live.PERSON]) == {"ada", "bob"}
    assert not record({}, {}, RunHistory()).seen.get(Live.PERSON)
