"""Counts what the search for duplicates found: recall by place, comments by rules alone, time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from triage.domain.findings import Candidate

PLACES: Final = (1, 5, 10, 20)
NOWHERE: Final = 10**6


@dataclass(slots=True)
class DuplicateFigures:
    """Figures of the search for duplicates, counted answer by answer."""

    places: list[int] = field(default_factory=list)
    """Of each duplicate: where the first ticket of its matter stands, from 1."""
    commented_right: int = 0
    commented_wrong: int = 0
    """Duplicates that a rule would have commented on the right ticket, and on a wrong one."""
    others: int = 0
    """Reports without a duplicate."""
    commented_others: int = 0
    ms: list[float] = field(default_factory=list)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    """Of each report: the probability of the best candidate, and whether it is of the same matter."""
    linked: list[bool] = field(default_factory=list)
    """Of each report whose new ticket would be linked: whether the link is right."""

    def count(
        self, found: tuple[Candidate, ...], right: frozenset[str], ms: float, *, duplicate: bool, may_be_from: float
    ) -> None:
        """Add one answer; `right` are the tickets of the same matter."""
        self.ms.append(ms)
        self._count_best(found, right, may_be_from)
        decided = next((one.ticket.key for one in found if one.certain and one.ticket.open), None)
        if not duplicate:
            self.others += 1
            self.commented_others += decided is not None
            return
        places = (place for place, one in enumerate(found, 1) if one.ticket.key in right)
        self.places.append(next(places, NOWHERE))
        self.commented_right += decided in right
        self.commented_wrong += decided is not None and decided not in right

    def _count_best(self, found: tuple[Candidate, ...], right: frozenset[str], may_be_from: float) -> None:
        if found:
            best = max(found, key=lambda one: one.probability)
            self.answers.append((best.probability, best.ticket.key in right))
            if best.probability >= may_be_from:
                self.linked.append(best.ticket.key in right)

    def recall(self, place: int) -> float:
        """Share of the duplicates whose matter stands at this place or before."""
        return _share(sum(one <= place for one in self.places), len(self.places))

    def keys(self) -> Mapping[str, Any]:
        """Return the figures by the names of `--json`."""
        ordered = sorted(self.ms) or [0.0]
        return {
            "queries": len(self.places),
            **{f"recall_at_{place}": self.recall(place) for place in PLACES},
            "mrr": _share(sum(1 / place for place in self.places if place < NOWHERE), len(self.places)),
            "wrong_comment_rate": _share(self.commented_others, self.others),
            "right_comment_rate": _share(self.commented_right, len(self.places)),
            "p50_ms": round(ordered[len(ordered) // 2], 2),
            "p95_ms": round(ordered[int(len(ordered) * 0.95)], 2),
            "non_duplicates": self.others,
            "duplicates_commented_wrong": _share(self.commented_wrong, len(self.places)),
            "linked": len(self.linked),
            "linked_right": _share(sum(self.linked), len(self.linked)),
        }


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
