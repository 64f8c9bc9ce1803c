"""Reads free times from the result of a calendar's tool, and writes them as people of a language do."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from triage.domain.conversation import Json
from triage.domain.letters.reply import Execution, ToolExecution
from triage.policy.letters.reply.draft import Texts, date_text

FREE: Final = "free"
"""Key of the free times."""
MOST: Final = 3
"""Times that a letter offers."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_SLOT: Final = re.compile(r"(?:\w+ )?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?:-(\d\d:\d\d))?")
"""`Mon 2026-11-23 09:00-09:30`, in the calendar's time zone."""


def free_times(
    executions: Sequence[ToolExecution], language: str, texts: Texts, wished: Collection[date] = ()
) -> tuple[tuple[str, ...], str]:
    """Return at most three free times, first those on the wished days, and their time zone; none if the calendar was not read."""
    results = [_read(one.result) for one in executions if one.state is Execution.DONE]
    found = next((result for result in results if FREE in result), {})
    slots = [str(slot) for slot in found.get(FREE) or ()]
    days = {day.isoformat() for day in wished}
    best = sorted(range(len(slots)), key=lambda place: days.isdisjoint(_DAY.findall(slots[place])))[:MOST]
    return tuple(_slot_text(slots[place], language, texts) for place in sorted(best)), str(found.get("zone", "UTC"))


def _read(result: str) -> Mapping[str, Json]:
    try:
        read = json.loads(result)
    except ValueError:  # cut, because it was too long
        return {}
    return read if isinstance(read, Mapping) else {}


def _slot_text(slot: str, language: str, texts: Texts) -> str:
    found = _SLOT.fullmatch(slot)
    if found is None:
        return slot
    day, start, end = found.groups()
    day_text = date_text(datetime.fromisoformat(f"{day}T{start}+00:00"), language, texts)
    return f"{day_text}\u2013{end}" if end else day_text
