"""A case: one mail and all that Triage learnt and did about it; exactly one per mail."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from triage.domain.conversation import AgentResult
from triage.domain.errors import CaseNotFound
from triage.domain.mail import KindVerdict, Message, Stub, Trust
from triage.domain.tickets import Person, Ticket, TicketLine
from triage.domain.traces import Flood, Group
from triage.domain.untrusted import NOTHING, Untrusted

EXCERPT: Final = 500
"""Characters of a candidate's text that a prompt shows."""


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
class Cue:
    """A heuristic finding and the words that gave it."""

    value: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What word lists and patterns find in a mail; no model is asked."""

    priority: Cue = Cue(value="Medium")
    """Highest, High, Medium or Low."""
    type: Cue = Cue(value="general")
    """bug, feature, support or general."""
    technologies: tuple[Cue, ...] = ()
    people: tuple[str, ...] = ()
    """Names or addresses of known people that the text mentions."""
    keys: tuple[str, ...] = ()
    """Ticket keys of our project in subject and text: a hint, never an authority."""
    fixed: Cue = Cue(value="no")
    """`yes` where the mail says that something works again."""
    question: Cue = Cue(value="no")
    """`yes` where the mail asks rather than reports."""
    sender_domain: str = ""


class PipelineName(StrEnum):
    """Which table of steps a case takes."""

    PIPELINE = "pipeline"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What the first matching rule says."""

    rule: str
    way: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"
    because: tuple[str, ...] = ()
    """Why the rule holds, a line for each of its conditions."""
    passed_over: tuple[str, ...] = ()
    """Earlier rules that lacked nothing but a proof of the sender or the forwarding, and what to write about it."""


class Joined(StrEnum):
    """What ties a mail to the ticket of its thread."""

    REPLY_ID = "reply-id"
    """It answers a mail of ours: the signed Message-ID is known to those who got it."""
    REFERENCES = "references"
    """It answers a mail of the ticket, or is answered by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An existing ticket that may be about the same thing.

    A case is written again at each step, so it keeps no whole tickets.
    """

    ticket: TicketLine
    score: float
    """0 to 1."""
    evidence: tuple[str, ...]
    """`title: export, invoices`, `error text: ORA-00942`, `same component: Billing`."""
    excerpt: Untrusted = NOTHING
    """The beginning of its text, until the case is decided."""

    @classmethod
    def of(cls, ticket: Ticket, score: float, evidence: tuple[str, ...]) -> Self:
        """The candidate that a ticket makes."""
        return cls(ticket=ticket.line, score=score, evidence=evidence, excerpt=Untrusted(ticket.description[:EXCERPT]))


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that speaks for a person, and how much."""

    why: str
    """`similar to HARB-3, HARB-12`, `4 open tickets`."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Somebody a new ticket could go to."""

    person: Person
    score: float
    points: tuple[Point, ...]
    """What the score is made of, the most first."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Somebody it cannot go to."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """May it stand as it is, or does a person look?"""

    unattended: bool
    reasons: tuple[str, ...] = ()


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
    cues: Cues = Cues()
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


class EffectState(StrEnum):
    """Where a write stands."""

    INTENDED = "intended"
    """Committed before the first byte is sent."""
    UNKNOWN = "unknown"
    """Sent, answer lost."""
    DONE = "done"
    REFUSED = "refused"
    """The other side said no, definitely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that leaves the process: written at most once."""

    key: str
    """`case-17:create:1`; from the case, what it is and which one of that kind, never from the text."""
    kind: str
    """create, comment, edit, change or transition, among others."""
    target: str = ""
    """The ticket it changes; empty for create."""
    label: str = ""
    """The mark it carries."""
    body_hash: str = ""
    above: int = 0
    """create: the highest ticket number known before, so the search for a lost one starts there."""
    state: EffectState = EffectState.INTENDED
    result: str = ""
    """The ticket key or comment id."""
    note: str = ""
    """What was dropped, why it was refused."""
    posts: int = 0
    """How often it was sent."""


class ApprovalState(StrEnum):
    """What became of a parked effect."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """A later mail has proposed something else for the same field of the same ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A tool call that waits for a person; what is approved is exactly these bytes."""

    id: int = 0
    case: str
    tool: str
    arguments: str
    """Canonical JSON."""
    reason: str
    """Why it may not run unattended."""
    state: ApprovalState = ApprovalState.OPEN
    by: str = ""
    ticket: str = ""
    """Whose field it is; empty, like all below, for what an older version has parked."""
    field: str = ""
    """`status`, `assignee`, `summary`, `sprint` or `comment`."""
    was: str = ""
    """What the field held when it was parked, in words."""
    becomes: str = ""
    """What it would hold, in words; all of a comment."""
    sender: str = ""
    """Who wrote the mail, as its From says."""
    trust: str = ""
    superseded_by: int = 0
    """The later approval that has taken its place."""

    @property
    def voids(self) -> bool:
        """It is for a field that holds one value, so it takes the place of an older one; comments stand side by side."""
        return bool(self.ticket) and self.field not in {"", "comment"}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """A case in a list."""

    id: str
    received_at: datetime
    sender: str
    subject: str
    state: str
    """The outcome, or `ready`, `working`, `retrying` before there is one."""
    ticket: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """A step as journalled."""

    at: datetime
    name: str
    ms: float
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """A model answer as journalled."""

    run: int
    number: int
    model: str
    text: str
    calls: tuple[str, ...]
    """Tool names."""
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run of the tool loop as journalled."""

    run: int
    profile: str
    status: str
    system: str
    user: str
    """The opening prompts, as sent."""
    result: AgentResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything about one case, for a person who asks why."""

    case: Case
    state: str
    attempts: int
    trouble: str
    """The last error that made it wait, empty where all is well."""
    steps: tuple[StepLine, ...] = ()
    runs: tuple[RunLine, ...] = ()
    turns: tuple[TurnLine, ...] = ()
    effects: tuple[Effect, ...] = ()
    approvals: tuple[Approval, ...] = ()
    flood: Flood | None = None
    """What the brake has held that holds this case."""
    rival: str = ""
    """The case with a copy of this mail by a better or worse proven sender: one of the two may be forged."""
    events: tuple[tuple[datetime, str, str], ...] = ()
    """When, what, details as JSON."""
    jira_calls: int = 0


def case_id(text: str) -> str:
    """`17` or `case-17` as `case-17`. Raises `CaseNotFound`."""
    number = text.strip().casefold().removeprefix("case-")
    if not number.isdecimal():
        raise CaseNotFound(text)
    return f"case-{int(number)}"
