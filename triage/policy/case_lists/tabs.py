"""The tabs of the inbox: which cases each shows, and how many there are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from triage.domain.cases import Outcome
from triage.domain.operations.case_lists import InboxLine
from triage.domain.reports import CaseFilter
from triage.policy.case_lists.query import STATES

NEEDS: Final = "needs"
ALL: Final = "all"
SNOOZED: Final = "snoozed"
ALWAYS: Final = (Outcome.TICKETED.value, Outcome.COMMENTED.value, Outcome.IGNORED.value)
"""States whose tabs are there before the first case has them."""
PERSON: Final = frozenset({"waiting", "quarantined", "retrying", "dead"})
"""States in which a case waits for a person."""
TABS: Final = (NEEDS, ALL, *STATES, SNOOZED)


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the inbox with the number of its cases."""

    name: str
    count: int

    @property
    def label(self) -> str:
        """The name of the tab as people read it."""
        return "Needs you" if self.name == NEEDS else self.name.capitalize()


def tab_of(wanted: str, query: str, where: CaseFilter) -> str:
    """Return the tab that is shown: what waits, unless somebody searches; a search for states is made among all."""
    if where.states:
        return ALL
    return wanted if wanted in TABS else ALL if query else NEEDS


def within(tab: str, where: CaseFilter, now: datetime) -> CaseFilter:
    """Return the filter within a tab. What waits for a person stands case by case, everything else by thread."""
    if tab == NEEDS:
        return replace(where, needs_at=now)
    if tab == SNOOZED:
        return replace(where, snoozed_at=now)
    if tab == ALL:
        return replace(where, one_per_thread=True)
    return replace(where, states=(tab,), one_per_thread=True)


def tabs_of(counts: Mapping[str, int], needs: int, snoozed: int, shown: str) -> tuple[Tab, ...]:
    """Return the tabs in their order; those of other states only where there are cases, or one is shown."""
    states = (
        Tab(state, counts.get(state, 0))
        for state in (*ALWAYS, *(state for state in STATES if state not in ALWAYS))
        if state in ALWAYS or counts.get(state) or state == shown
    )
    put_off = (Tab(SNOOZED, snoozed),) if snoozed or shown == SNOOZED else ()
    return (Tab(NEEDS, needs), Tab(ALL, sum(counts.values())), *states, *put_off)


def is_snoozed(line: InboxLine, now: datetime) -> bool:
    """Whether nobody is asked about the case yet."""
    return line.case.snoozed_until is not None and line.case.snoozed_until > now


def needs_somebody(line: InboxLine, now: datetime) -> bool:
    """Whether the case stands among what needs a person."""
    return (line.waits > 0 or line.case.state in PERSON) and not is_snoozed(line, now)
