"""Stand-ins for values that somebody must not see: numbered by first occurrence, so that nothing of a value is in its stand-in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class StandIns:
    """What stands for what in one text, conversation or recording; equal values have equal stand-ins."""

    _known: dict[str, dict[str, str]] = field(default_factory=dict)

    def of(self, kind: str, value: str, shape: Callable[[int], str]) -> str:
        """Return the stand-in of a value; a new value gets what `shape` makes of its number among its kind, from 1."""
        known = self._known.setdefault(kind, {})
        if value not in known:
            known[value] = shape(len(known) + 1)
        return known[value]

    def all(self, kind: str) -> Mapping[str, str]:
        """Return all stand-ins of a kind by their values, in the order of their numbers."""
        return self._known.get(kind, {})
