"""Decides what a mail about a done ticket does: propose to reopen it, or create a new linked ticket."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from triage.domain.cases import Case, Effect, EffectState
from triage.domain.tickets import Project, Ticket


@dataclass(frozen=True, slots=True)
class Reopening:
    """A done ticket that was spoken to, and the status that would open it again."""

    key: str
    status: str

    @property
    def why(self) -> str:
        """For the person who is asked."""
        return f"{self.key} is done and this mail speaks to it: to move it to {self.status} is a person's to decide"


def still_open_to_answers(ticket: Ticket, now: datetime, days: int) -> bool:
    """It has been done for so few days that an answer is about the same matter; one that tells no time is old."""
    return ticket.done_at is not None and now - ticket.done_at < timedelta(days=days)


def reopening_of(case: Case, effects: Sequence[Effect], project: Project) -> Reopening | None:
    """What to propose, None where nobody was spoken to who does not listen; a mail that says it works asks for nothing."""
    status = next(
        (s.name for category in ("new", "indeterminate") for s in project.statuses if s.category == category), ""
    )
    if not status or case.cues.fixed.value == "yes":
        return None
    spoken = (e.target for e in effects if e.kind == "comment" and e.state is EffectState.DONE)
    done = frozenset(_done(case))
    return next((Reopening(key, status) for key in spoken if key in done), None)


def _done(case: Case) -> Iterator[str]:
    """Tickets that were done when this run saw them: among the candidates, and in what its searches returned."""
    yield from (one.ticket.key for one in case.candidates if not one.ticket.open)
    for run in case.result.tool_calls if case.result else ():
        if run.tool == "read_jira_tickets" and isinstance(run.result, Mapping):
            yield from (str(t["key"]) for t in run.result.get("tickets", ()) if t.get("category") == "done")
    if case.ticket and "ticket-closed" in case.flags:
        yield case.ticket
