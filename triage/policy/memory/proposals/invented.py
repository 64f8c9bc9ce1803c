"""Finds numbers, addresses and links in a text that none of its sources holds: a model has made them up, or took them from elsewhere."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from triage.policy.text.sentences import plain

_FIRM: Final = re.compile(r"https?://[^\s<>()\"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""Links and addresses."""
_NUMBER: Final = re.compile(r"\d+")


def invented(text: str, sources: Iterable[str], days: Iterable[date | None] = ()) -> tuple[str, ...]:
    """Return names, addresses and numbers of a text that no source contains; parts of `days` count as contained."""
    held = plain("\n".join(sources))
    numbers = {int(found) for found in _NUMBER.findall(held)}
    numbers |= {part for day in days if day for part in (day.year, day.month, day.day)}
    firm = [found.rstrip(".,;:!?") for found in _FIRM.findall(text)]
    loose = _FIRM.sub(" ", text)
    return tuple(
        dict.fromkeys(
            [
                *(each for each in firm if plain(each) not in held),
                *(each for each in _NUMBER.findall(loose) if int(each) not in numbers),
            ]
        )
    )
