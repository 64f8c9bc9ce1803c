"""Hours are read as people write them, and mistakes name their cure."""

from datetime import date, time

import pytest

from triage.config.triage_yaml import config_of
from triage.domain.calendar.periods import OFFICE
from triage.domain.errors import SettingsInvalid


def test_hours_are_read() -> None:
    """Named days replace the office hours, an empty one is free, 24:00 is the day's end."""
    text = "hours: {zone: Europe/Prague, monday: '8:00-12:00, 13:00 - 24:00', friday: '', holidays: [2026-12-24]}"

    hours = config_of(text.encode()).hours

    assert hours.days[0] == ((time(8), time(12)), (time(13), time(23, 59, 59)))
    assert hours.days[1] == OFFICE
    assert hours.days[4] == hours.days[5] == ()
    assert (hours.zone, hours.holidays) == ("Europe/Prague", frozenset({date(2026, 12, 24)}))


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("zone: Prag", "write it like Europe/Prague"),
        ("monday: nine to five", "write them like 09:00-17:30"),
        ("monday: 9:00-24:30", "write them like 09:00-17:30"),
        ("monday: 17:00-9:00", "ends before it begins"),
        ("monday: '9:00-12:00, 11:00-13:00'", "in order"),
        ("mondays: 9:00-12:00", "did you mean monday?"),
    ],
)
def test_mistakes_name_their_cure(text: str, cure: str) -> None:
    """Whoever writes hours that cannot be, reads how they are written."""
    with pytest.raises(SettingsInvalid) as told:
        config_of(f"hours: {{{text}}}".encode())

    assert cure in str(told.value)
