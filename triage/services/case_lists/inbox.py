"""Lists cases for the inbox of the console; puts them off and keeps views."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from triage.domain.cases import case_id
from triage.domain.operations.case_lists import (
    CaseListChanges,
    InboxLine,
    Pulse,
    SavedView,
    SearchInvalid,
    ViewNotFound,
)
from triage.domain.ports import CaseLists, Clock, ViewStore
from triage.domain.reports import EVERY_CASE, CaseFilter
from triage.policy.case_lists.query import ReaderClock, case_named, filter_of, ticket_named
from triage.policy.case_lists.snooze import snoozed_until
from triage.policy.case_lists.tabs import Tab, tab_of, tabs_of, within

SHOWN: Final = 50
"""Lines of a page."""
THREAD: Final = 200
"""Cases of a thread that are shown."""
LONGEST_NAME: Final = 60
"""Characters of a view's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxQuery:
    """A request for a page of the inbox."""

    tab: str = ""
    query: str = ""
    before: str = ""
    """Number of the last case of the page before."""
    zone: tzinfo
    """The reader's, for days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxPage:
    """One page of the inbox."""

    tab: str
    tabs: tuple[Tab, ...]
    lines: tuple[InboxLine, ...] = ()
    more: str = ""
    """`before` of the next page; empty: this is the last one."""
    wrong: str = ""
    """What is wrong with the search, and the cure."""
    pulse: str
    """The store's pulse when the page was read; the live view continues from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxService:
    """Called by the console. All methods raise `StoreDown`."""

    lists: CaseLists
    store: ViewStore
    clock: Clock

    async def page(self, asked: InboxQuery) -> InboxPage:
        """Return a page, newest case first; an invalid search is reported and finds nothing."""
        changes, now = await self.lists.changes(None), self.clock.now()
        try:
            where, wrong = filter_of(asked.query, ReaderClock(now, asked.zone)), ""
        except SearchInvalid as e:
            where, wrong = EVERY_CASE, str(e)
        tab = tab_of(asked.tab, asked.query.strip(), where)
        older = case_id(asked.before) if asked.before else None
        lines = () if wrong else await self.lists.page(SHOWN + 1, older, within(tab, where, now))
        return InboxPage(
            tab=tab,
            tabs=await self.tabs(tab),
            lines=lines[:SHOWN],
            more=lines[SHOWN - 1].case.id.removeprefix("case-") if len(lines) > SHOWN else "",
            wrong=wrong,
            pulse=str(changes.pulse),
        )

    async def tabs(self, shown: str) -> tuple[Tab, ...]:
        """Return the tabs with the number of cases of each, whatever is searched for."""
        now = self.clock.now()
        needs = await self.lists.count(CaseFilter(needs_at=now))
        snoozed = await self.lists.count(CaseFilter(snoozed_at=now))
        return tabs_of(await self.lists.counts(), needs, snoozed, shown)

    async def thread(self, case: str) -> tuple[InboxLine, ...]:
        """Return the cases of a case's thread, newest first. Raises `CaseNotFound`."""
        return await self.lists.thread(case_id(case), THREAD)

    async def changes(self, since: Pulse | None) -> CaseListChanges:
        """Return what has changed since a pulse; without one only the pulse."""
        return await self.lists.changes(since)

    async def case_meant(self, text: str) -> str:
        """Return the number of the only case that a text names by itself or by its ticket; else nothing."""
        if number := case_named(text):
            found = await self.lists.lines((case_id(number),))
        elif key := ticket_named(text):
            found = await self.lists.page(2, None, CaseFilter(ticket=key))
        else:
            return ""
        return found[0].case.id.removeprefix("case-") if len(found) == 1 else ""

    async def snooze(self, case: str, choice: str, zone: tzinfo, by: str) -> datetime:
        """Put a case off until `later`, `tomorrow`, `monday` or a day; return the time. Raises `SearchInvalid`, `CaseNotFound`."""
        until = snoozed_until(choice, ReaderClock(self.clock.now(), zone))
        await self.lists.snooze(case_id(case), until, by)
        return until

    async def wake(self, case: str, by: str) -> None:
        """Take a snooze back. Raises `CaseNotFound`."""
        await self.lists.snooze(case_id(case), self.clock.now(), by)

    async def views(self, owner: str) -> tuple[SavedView, ...]:
        """Return his own views and the shared ones, by name."""
        return await self.store.views(owner)

    async def keep(self, view: SavedView, zone: tzinfo) -> SavedView:
        """Keep a search under a name, in place of one of his with the same name. Raises `SearchInvalid`."""
        name, now = " ".join(view.name.split())[:LONGEST_NAME], self.clock.now()
        if not name:
            raise SearchInvalid("name", "a view needs one")
        filter_of(view.query, ReaderClock(now, zone))
        return await self.store.keep(replace(view, name=name, made_at=now))

    async def drop(self, view: int, owner: str, *, others: bool) -> SavedView:
        """Delete a view, with `others` somebody else's, too. Raises `ViewNotFound`."""
        found = next((one for one in await self.store.views(owner) if one.id == view), None)
        if found is None or not (others or found.owner == owner):
            raise ViewNotFound(view)
        await self.store.drop(view)
        return found
