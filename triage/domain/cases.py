"""A case: one mail and all that Triage learnt and did about it; exactly one per mail."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from triage.domain.conversation import AgentResult
from triage.domain.errors import CaseNotFound
from triage.domain.findings import Candidate, Cues, Joined, LeftOut, Review, Route, Suggestion
from triage.domain.mail import KindVerdict, Message, Stub, Trust
from triage.domain.traces import Group
from triage.domain.untrusted import NOTHING


class Outcome(StrEnum):
    """How a case ended. Every accepted mail gets one; nothing disappears without a record."""

    TICKETED = "ticketed"
    COMMENTED = "commented"
    UPDATED = "updated"
    ANSWERED = "answered"
    IGNORED = "ignored"
    WAITING = "waiting"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a case is to end: decided by any step, carried out by the last one."""

    outcome: Outcome
    reason: str
    ticket: str | None = None
    """Where it differs from that of the thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One mail on its way. Steps return a new one; nobody writes into it."""

    id: str
    """`case-17`."""
    source: str
    received_at: datetime
    verdict: Trust | None = None
    """What the provider said of the sender."""
    stub: Stub | None = None
    """Why there is only a stub of the mail, where there is one."""
    done: tuple[str, ...] = ()
    """Names of the steps done, in order; the next one follows the last of them in its table."""
    run: int = 1
    """Which decision this is: a replay counts up."""
    message: Message | None = None
    kind: KindVerdict | None = None
    trust: Trust = Trust.UNVERIFIED
    trust_because: tuple[str, ...] = ()
    """What the trust stands on."""
    joined: Joined | None = None
    """Why it belongs to the thread of `ticket`, where it does."""
    participant: bool = False
    """The sender is proven, and takes part in the thread of `ticket`. Everybody else who joined may comment at most."""
    apart: str = ""
    """The ticket of a thread in which the sender may not speak: named, never written to."""
    succeeds: str = ""
    """The ticket of its thread that has been done for too long to be opened again: the new one is linked to it."""
    follow_up: str = ""
    """The open ticket of the same proven sender's last mail on this subject: a likely one, no more."""
    ours: str = ""
    """The case for which we wrote the mail that this one answers, returns or is."""
    lane: str = ""
    """Root id of the thread: mails of one lane are handled in order."""
    ticket: str | None = None
    """The thread's ticket, then the one this case ended in."""
    route: Route | None = None
    cues: Cues = field(default_factory=Cues)
    candidates: tuple[Candidate, ...] = ()
    proposals: tuple[Suggestion, ...] = ()
    """Who could do it, the best first; none without ENABLE_SMART_ASSIGNMENT or where nobody scores enough."""
    left_out: tuple[LeftOut, ...] = ()
    searched: bool = False
    """The live search answered, so creating is allowed."""
    result: AgentResult | None = None
    enclosed: tuple[str, ...] = ()
    """A line for each file, link and watcher that went to the ticket, or could not and why."""
    review: Review | None = None
    collects: Group | None = None
    """The brake that holds it, where it comes back after its end to tell of all those that no comment has told of."""
    end: End | None = None
    """Decided and not yet carried out: the last step is the next one."""
    outcome: Outcome | None = None
    reason: str = ""
    """Why it ended so, in a sentence for people."""
    flags: tuple[str, ...] = ()

    @property
    def run_id(self) -> str:
        """The name of the agent run at hand, in the journal."""
        return f"{self.id}/{self.run}"

    @property
    def mail(self) -> Message:
        """The mail as read; only steps behind `read` may ask."""
        if self.message is None:
            raise LookupError(f"{self.id} has not been read yet")
        return self.message

    def ending(self, outcome: Outcome, reason: str, ticket: str | None = None) -> Self:
        """The case on its way to this end, past all steps but the last."""
        return replace(self, end=End(outcome=outcome, reason=reason, ticket=ticket))

    def closed(self, outcome: Outcome, reason: str, ticket: str | None = None) -> Self:
        """The case with its end; only the last step may say so."""
        return replace(self, end=None, outcome=outcome, reason=reason, ticket=ticket or self.ticket)

    def decided(self, result: AgentResult) -> Self:
        """The case with what was decided; what it was shown of other tickets stands in the run's journal."""
        bare = tuple(replace(candidate, excerpt=NOTHING) for candidate in self.candidates)
        return replace(self, result=result, candidates=bare)

    def flagged(self, *flags: str) -> Self:
        """The case with more to say about it."""
        return replace(self, flags=tuple(dict.fromkeys((*self.flags, *flags))))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """One line of a case's journal."""

    name: str
    ms: float
    note: str = ""
    """What the step found, in a few words for the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's right to a case, until a time and under an epoch that fences its writes."""

    job: int
    case: str
    epoch: int
    attempts: int
    """This one included; counted before the work."""
    until: datetime
    waiting_since: datetime | None = None
    """When it began to wait for the cases in front of it, without a break; none where it does not."""


def case_id(text: str) -> str:
    """`17` or `case-17` as `case-17`. Raises `CaseNotFound`."""
    number = text.strip().casefold().removeprefix("case-")
    if not number.isdecimal():
        raise CaseNotFound(text)
    return f"case-{int(number)}"
