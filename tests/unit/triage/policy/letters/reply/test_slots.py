"""Free times in a letter."""

import json
from datetime import date

import pytest

from triage.config.letters.texts import letter_texts
from triage.domain.letters.reply import Execution, ToolExecution
from triage.policy.letters.reply.slots import free_times

FREE = (
    '{"zone":"Europe/Prague","busy":[],"free":["Tue 2026-11-24 09:00-09:30","Tue 2026-11-24 10:00-10:30",'
    '"Wed 2026-11-25 09:00","soon"]}'
)


def times(
    result: str, language: str = "de", state: Execution = Execution.DONE, wished: tuple[date, ...] = ()
) -> tuple[tuple[str, ...], str]:
    """What a letter offers after this result."""
    execution = ToolExecution(tool="check_calendar", state=state, result=result)
    return free_times((execution,), language, letter_texts(), wished)


def test_three_times_are_offered_as_the_reader_writes_them() -> None:
    """Day and time stand as in the reader's language, with the calendar's time zone."""
    assert times(FREE) == (
        (
            "Dienstag, 24.11.2026, 09:00 Uhr\u201309:30",
            "Dienstag, 24.11.2026, 10:00 Uhr\u201310:30",
            "Mittwoch, 25.11.2026, 09:00 Uhr",
        ),
        "Europe/Prague",
    )


@pytest.mark.parametrize("result", ["", '{"zone": ', "[]", '{"busy": []}'])
def test_without_a_result_nothing_is_offered(result: str) -> None:
    """A result that was cut, empty or of another shape offers no time."""
    assert times(result) == ((), "UTC")


def test_a_calendar_that_failed_offers_nothing() -> None:
    """Only a tool that has run counts; a slot of another shape is shown as it is."""
    assert times(FREE, state=Execution.FAILED) == ((), "UTC")
    assert times('{"free": ["soon"]}')[0] == ("soon",)


def test_wished_days_come_first() -> None:
    """Times on the days that the writer named are offered before others, all in the order of time."""
    free = [f"Mon 2026-11-{day} {hour}:00-{hour}:30" for day in (23, 24, 25, 26) for hour in (10, 12)]
    told, _ = times(f'{{"free": {json.dumps(free)}}}', "en", wished=(date(2026, 11, 24), date(2026, 11, 26)))

    assert told == (
        "Tuesday, 2026-11-24, 10:00\u201310:30",
        "Tuesday, 2026-11-24, 12:00\u201312:30",
        "Thursday, 2026-11-26, 10:00\u201310:30",
    )
