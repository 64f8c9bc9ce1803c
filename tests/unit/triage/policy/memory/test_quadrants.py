"""Quadrants of actions, and their justification."""

from dataclasses import replace
from datetime import date

import pytest

from tests.unit.triage.policy.memory.observed import MAIL
from triage.domain.memory.notes import NoteTrust, Quadrant
from triage.policy.memory.quadrants import quadrant_of, quadrant_today
from triage.policy.memory.reading.wording import sentences_of_mail

TODAY = date(2026, 11, 3)


@pytest.mark.parametrize(
    ("text", "deadline", "quadrant"),
    [
        ("Please sign the contract.", date(2026, 11, 5), Quadrant.DO),
        ("Please sign the contract.", None, Quadrant.SCHEDULE),
        ("Please sign it.", date(2026, 12, 5), Quadrant.SCHEDULE),
        ("Please look immediately.", None, Quadrant.DELEGATE),
        ("Please look.", None, Quadrant.ELIMINATE),
        ("Tom, please look.", None, Quadrant.SCHEDULE),
    ],
)
def test_an_action_has_a_quadrant(text: str, deadline: date | None, quadrant: Quadrant) -> None:
    """Near deadlines and urgent words make it urgent; names, weighty matters and deadlines important."""
    mail = replace(MAIL, trust=NoteTrust.VERIFIED)

    assert quadrant_of(next(sentences_of_mail(text)), mail, deadline).quadrant is quadrant


def test_a_stranger_makes_nothing_urgent_by_words() -> None:
    """An unproven sender's `immediately` does not count; a ticket makes the matter important."""
    mail = replace(MAIL, ticket="HARB-1")
    found = quadrant_of(next(sentences_of_mail("Please look immediately.")), mail, None)

    assert (found.quadrant, found.why) == (Quadrant.SCHEDULE, "Nothing makes it urgent; ticket HARB-1 is about it.")


def test_the_day_changes_a_quadrant() -> None:
    """What was to be scheduled is to be done when its deadline is near, and says when it is overdue."""
    assert quadrant_today(date(2026, 11, 20), TODAY, "it matters").quadrant is Quadrant.SCHEDULE
    assert quadrant_today(date(2026, 11, 4), TODAY, "it matters").quadrant is Quadrant.DO
    assert quadrant_today(date(2026, 11, 2), TODAY, "").why == "Overdue since 2026-11-02; nothing makes it important."
