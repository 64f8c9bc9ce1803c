"""A mail has one letter of a kind, and whoever may get none gets none."""

from triage.domain.mail import Trust
from triage.policy.decision.permission import RunHistory, Terms
from triage.policy.decision.rights import Sender
from triage.policy.letters.one_letter import counted, one_letter

TERMS = Terms(sender=Sender(trust=Trust.VERIFIED))


def test_the_first_of_each_kind() -> None:
    """A call that has written one kind leaves the others free."""
    history = counted("reply")({}, {"status": "queued"}, RunHistory())

    assert one_letter("reply")({}, RunHistory(), TERMS) == ""
    assert one_letter("reply")({}, history, TERMS) == "this mail has its reply already: one is enough"
    assert one_letter("invitation")({}, history, TERMS) == ""


def test_nobody_to_write_to() -> None:
    """The reason why no letter may go is the refusal."""
    terms = Terms(sender=Sender(trust=Trust.VERIFIED), no_letter="a robot wrote it")

    assert one_letter("reply")({}, RunHistory(), terms) == "no letter may go: a robot wrote it"
