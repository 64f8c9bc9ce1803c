"""What is read of a mail for the ranking of people."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.cases import Case
from triage.domain.findings import Identity
from triage.domain.mail import Message, Trust
from triage.domain.tickets import Person, Project
from triage.domain.untrusted import Untrusted
from triage.toolsets.people.ranking import task_of

NOW = datetime(2026, 11, 20, tzinfo=UTC)
JANA = Person(id="jana", name=Untrusted("Jana Novak"))
PROJECT = Project(key="OPS", name="Operations", people=(JANA,), issue_types=("Bug",), priorities=("Highest", "Medium"))
MAIL = Message(subject=Untrusted("Please ask Jana about the server"), text=Untrusted("The print of labels is pale."))
CASE = Case(id="case-7", source="file", received_at=NOW, message=MAIL, identity=Identity(trust=Trust.VERIFIED))


def test_a_new_topic_is_not_ranked_by_the_old_subject() -> None:
    """Neither a wish nor a matter of the subject counts for a mail that begins a new topic under it."""
    apart = replace(CASE, identity=replace(CASE.identity, new_topic="OPS-7"))
    own, old = (task_of(case, PROJECT, NOW) for case in (CASE, apart))

    assert (own.wishes.asked, own.matters) == (frozenset({"jana"}), frozenset({"infrastructure"}))
    assert (old.wishes.asked, old.matters) == (frozenset(), frozenset())
