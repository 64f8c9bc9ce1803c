"""Members of the team: the days on which they get no tickets."""

from datetime import date

import pytest

from triage.config.team import Days, Member

MONDAY, TUESDAY, FRIDAY = date(2026, 11, 23), date(2026, 11, 24), date(2026, 11, 27)


@pytest.mark.parametrize(("day", "away"), [(MONDAY, False), (TUESDAY, True), (FRIDAY, True), (date(2027, 1, 1), False)])
def test_both_ends_belong_to_an_absence(day: date, *, away: bool) -> None:
    """From its first day to its last one; the days around it do not."""
    assert Days(TUESDAY, FRIDAY).covers(day) is away


def test_an_absence_without_an_end() -> None:
    """It lasts until the file says otherwise; of several the one of that day is returned."""
    first, open_end = Days(MONDAY, MONDAY), Days(FRIDAY)
    member = Member(person="ada", absent=(first, open_end))

    assert (member.away(MONDAY), member.away(TUESDAY), member.away(date(2030, 1, 1))) == (first, None, open_end)
