"""Compares the routes of the latest mails under another triage.yaml; nothing is written."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triage.domain.cases import Case
from triage.domain.findings import Route
from triage.domain.mail import Message
from triage.services.case_reports import CaseReports
from triage.services.routing.route_tester import RouteTester


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedMail:
    """A mail that would go elsewhere."""

    case: str
    message: Message
    now: Route
    then: Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What another triage.yaml would change."""

    tested: int
    unread: int
    """Mails whose text is removed, or not parsed yet."""
    moved: tuple[MovedMail, ...]
    warnings: tuple[str, ...]
    """What is doubtful about the other rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTrial:
    """Called by the console. Thread, history and the project's people are not known here, as in `triage route`."""

    reports: CaseReports
    now: Callable[[], RouteTester]
    of_text: Callable[[str], RouteTester]
    """Returns the tester of a triage.yaml. Raises `SettingsInvalid`."""

    async def of(self, text: str, most: int) -> Trial:
        """Try a triage.yaml on the latest mails. Raises `SettingsInvalid` with every problem, and `StoreDown`."""
        other, present = self.of_text(text), self.now()
        cases = [report.case for report in await self.reports.latest(most)]
        read = [case for case in cases if case.message]
        moved = await asyncio.to_thread(_moved, read, present, other)
        return Trial(tested=len(read), unread=len(cases) - len(read), moved=moved, warnings=tuple(other.warnings()))


def _moved(cases: Sequence[Case], present: RouteTester, other: RouteTester) -> tuple[MovedMail, ...]:
    found = []
    for case in cases:
        now = present.test(case.mail, case.source, case.verdict).route
        then = other.test(case.mail, case.source, case.verdict).route
        if _place(now) != _place(then):
            found.append(MovedMail(case=case.id, message=case.mail, now=now, then=then))
    return tuple(found)


def _place(route: Route) -> tuple[object, ...]:
    return route.rule, route.pipeline, route.profile, route.project, route.labels
