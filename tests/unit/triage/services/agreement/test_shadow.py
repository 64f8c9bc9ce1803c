"""The mails and tickets of some days, page by page."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from triage.domain.cases import Case, Outcome
from triage.domain.mail import Message
from triage.domain.ports import Archive, Clock, TrackerView
from triage.domain.reports import CaseLine
from triage.domain.tickets import Ticket, TicketQuery
from triage.domain.untrusted import Untrusted
from triage.services.agreement.shadow import ShadowAgreementService

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
CASE = Case(id="", source="file", received_at=NOW, outcome=Outcome.SHADOWED)
TICKET = Ticket(key="", summary=Untrusted("Fire"), status="To Do", category="new", issue_type="Bug", created=NOW)


@dataclass
class Shelf:
    """250 cases, an hour apart, of which every fiftieth has been forgotten."""

    pages: list[str | None] = field(default_factory=list)

    async def cases(self, limit: int, *, before: str | None) -> tuple[CaseLine, ...]:
        """As the port says."""
        self.pages.append(before)
        newest = int(before.removeprefix("case-")) - 1 if before else 250
        return tuple(_line(number) for number in range(newest, max(newest - limit, 0), -1))

    async def report(self, case: str) -> Any:
        """As the port says."""
        number = int(case.removeprefix("case-"))
        message = Message(subject=Untrusted(f"Mail {number}")) if number % 50 else None
        return SimpleNamespace(case=replace(CASE, id=case, received_at=_line(number).received_at, message=message))


def _line(number: int) -> CaseLine:
    at = NOW - timedelta(hours=251 - number)
    return CaseLine(id=f"case-{number}", received_at=at, sender="", subject="", state="ignored", ticket="", reason="")


@dataclass
class Tracker:
    """220 tickets, an hour apart."""

    asked: list[int | None] = field(default_factory=list)

    async def me(self) -> str:
        """As the port says."""
        return "bot"

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """As the port says."""
        self.asked.append(query.below)
        newest = query.below - 1 if query.below else 220
        return tuple(
            replace(TICKET, key=f"OPS-{number}", created=NOW - timedelta(hours=221 - number))
            for number in range(newest, max(newest - query.limit, 0), -1)
        )


def service(shelf: Shelf, tracker: Tracker) -> ShadowAgreementService:
    """The service over these."""
    view = SimpleNamespace(people=tracker, tickets=tracker)
    clock = SimpleNamespace(now=lambda: NOW)
    return ShadowAgreementService(
        archive=cast("Archive", shelf), tracker=cast("TrackerView", view), clock=cast("Clock", clock)
    )


async def test_only_what_is_young_enough_is_read() -> None:
    """Mails of the days that were asked for, oldest first, without those that were forgotten; tickets as far back."""
    shelf, tracker, heard = Shelf(), Tracker(), list[int]()
    found = await service(shelf, tracker).comparisons(5, heard.append)

    assert (len(found), found[0].case, found[-1].case) == (117, "case-131", "case-249")
    assert shelf.pages == [None, "case-151", "case-131"]
    assert (tracker.asked, heard) == ([0, 121], [98, 117])


async def test_all_there_is() -> None:
    """A project and a store that are younger than that are read to their beginning."""
    shelf, tracker = Shelf(), Tracker()
    found = await service(shelf, tracker).comparisons(90, lambda _: None)

    assert (len(found), tracker.asked) == (245, [0, 121, 21, 1])
