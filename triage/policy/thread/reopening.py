"""Decides what a mail about a done ticket does: propose to reopen it, or create a new linked ticket."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from triage.domain.cases import Case
from triage.domain.effects import Effect, EffectState
from triage.domain.tickets import Project, Ticket


@dataclass(frozen=True, slots=True)
class Reopening:
    """A done ticket that a mail addresses, and the status that would reopen it."""

    key: str
    status: str

    @property
    def why(self) -> str:
        """The reason that the approver reads."""
        return f"{self.key} is done and this mail speaks to it: to move it to {self.status} is a person's to decide"


def still_open_to_answers(ticket: Ticket, now: datetime, days: int) -> bool:
    """Tell whether the ticket was done at most `days` ago; a ticket without a time counts as old."""
    return ticket.done_at is not None and now - ticket.done_at < timedelta(days=days)


def reopening_of(case: Case, effects: Sequence[Effect], project: Project) -> Reopening | None:
    """Return what to propose; None if the ticket is open, or the mail says that it works."""
    status = next(
        (s.name for category in ("new", "indeterminate") for s in project.statuses if s.category == category), ""
    )
    if not status or case.cues.fixed.value == "yes":
        return None
    spoken = (e.target for e in effects if e.kind == "comment" and e.state is EffectState.DONE)
    done = frozenset(_done(case))
    return next((Reopening(key, status) for key in spoken if key in done), None)


def _done(case: Case) -> Iterator[str]:
    """Yield the tickets that were done when this run saw them, among candidates and search results."""
    yield from (one.ticket.key for one in case.retrieval.candidates if not one.ticket.open)
    for run in case.calls:
        yield from (str(t["key"]) for t in (*run.facts.get("tickets", ()), run.facts) if t.get("category") == "done")
    if case.ticket and "ticket-closed" in case.flags:
        yield case.ticket
