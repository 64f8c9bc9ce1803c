"""A case: one mail and all that Triage learnt and did about it; exactly one per mail."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from triage.domain.approvals import Correction
from triage.domain.conversation import AgentResult, Json, ToolRun
from triage.domain.errors import CaseNotFound
from triage.domain.findings import Classification, Cues, Identity, Retrieval, Review, Route
from triage.domain.letters.reply import Reply
from triage.domain.mail import Message, Stub, Trust
from triage.domain.support.conversations import Support
from triage.domain.traces import Group
from triage.domain.untrusted import NOTHING

BESIDE: Final = 1_000
"""First number of runs that are separate from the agent's, so that they do not share its opening messages."""


class Outcome(StrEnum):
    """How a case ended. Every accepted mail gets one; nothing disappears without a record."""

    TICKETED = "ticketed"
    COMMENTED = "commented"
    UPDATED = "updated"
    ANSWERED = "answered"
    IGNORED = "ignored"
    WAITING = "waiting"
    QUARANTINED = "quarantined"
    SHADOWED = "shadowed"
    """Decided, and nothing written: the effects run in the shadow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The planned end of a case: any step may set it, the last step carries it out."""

    outcome: Outcome
    reason: str
    ticket: str | None = None
    """Key of the ticket, if it is not the thread's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One mail and its processing state. Immutable: each step returns a changed copy."""

    id: str
    """`case-17`."""
    source: str
    received_at: datetime
    verdict: Trust | None = None
    """The provider's verdict on the sender."""
    stub: Stub | None = None
    """Why only a stub of the mail exists; None for a whole mail."""
    done: tuple[str, ...] = ()
    """Names of the finished steps, in order; the runner continues after the last of them."""
    run: int = 1
    """Number of the agent run; a replay increments it."""
    flags: tuple[str, ...] = ()
    ticket: str | None = None
    """The thread's ticket; after the end, the ticket that this case ended in."""
    identity: Identity = field(default_factory=Identity)
    message: Message | None = None
    route: Route | None = None
    classification: Classification = field(default_factory=Classification)
    retrieval: Retrieval = field(default_factory=Retrieval)
    result: AgentResult | None = None
    reply: Reply | None = None
    """The answer to the mail; None where mails are not answered."""
    support: Support | None = None
    """What the support hub's agents found; None unless the route is `support`."""
    attached: tuple[str, ...] = ()
    """One line per file, link and watcher: added to the ticket, or why not."""
    review: Review | None = None
    correction: Correction | None = None
    """A person's correction of the disposition; every step obeys it."""
    collects: Group | None = None
    """Group whose rate limit holds the mail, if the case wakes after its end to report all mails without a comment."""
    end: End | None = None
    """The planned end; once set, only the last step runs."""
    outcome: Outcome | None = None
    reason: str = ""
    """Why it ended this way, one sentence for people."""

    @property
    def run_id(self) -> str:
        """Name of the current agent run in the journal: `case-17/1`."""
        return f"{self.id}/{self.run}"

    def run_beside(self, number: int) -> str:
        """Name of a run that is separate from the agent's, for a single question: `case-17/1001`."""
        return f"{self.id}/{BESIDE * self.run + number}"

    @property
    def mail(self) -> Message:
        """The parsed mail. Raises `LookupError` before the step `read`."""
        if self.message is None:
            raise LookupError(f"{self.id} has not been read yet")
        return self.message

    @property
    def own_subject(self) -> str:
        """The mail's subject; empty where that is the old thread's, of which the mail begins a new topic."""
        return "" if self.identity.new_topic and not self.identity.own_subject else self.mail.subject

    @property
    def calls(self) -> tuple[ToolRun, ...]:
        """The tool calls of its agent's run; none before it."""
        return self.result.tool_calls if self.result else ()

    @property
    def project(self) -> str:
        """Key of the project that the route names; empty: JIRA_PROJECT_KEY."""
        return self.route.project if self.route else ""

    @property
    def cues(self) -> Cues:
        """The cues that `classify` found; empty before."""
        return self.classification.cues

    @property
    def named(self) -> tuple[str, ...]:
        """Keys that the mail names, of the tickets that were found for it."""
        return tuple(one.ticket.key for one in self.retrieval.candidates if one.ticket.key in self.cues.keys)

    @property
    def model_missed(self) -> bool:
        """Whether rules decided because the model was down or its budget used up; a person then reviews the ticket."""
        return not {"model-down", "budget-used-up"}.isdisjoint(self.flags)

    def ending(self, outcome: Outcome, reason: str, ticket: str | None = None) -> Self:
        """The case with this planned end: all steps but the last are skipped."""
        return replace(self, end=End(outcome=outcome, reason=reason, ticket=ticket))

    def closed(self, outcome: Outcome, reason: str, ticket: str | None = None) -> Self:
        """The ended case; called by the last step only."""
        return replace(self, end=None, outcome=outcome, reason=reason, ticket=ticket or self.ticket)

    def decided(self, result: AgentResult) -> Self:
        """The case with the agent's result, without the candidates' excerpts: the run's journal has those."""
        bare = tuple(replace(candidate, excerpt=NOTHING) for candidate in self.retrieval.candidates)
        return replace(self, result=result, retrieval=replace(self.retrieval, candidates=bare))

    def afresh(self, run: int, correction: Correction | None) -> Self:
        """The case as it arrived, for another run of the agent that obeys the correction; its earlier effects are kept."""
        return type(self)(
            id=self.id,
            source=self.source,
            received_at=self.received_at,
            verdict=self.verdict,
            stub=self.stub,
            run=run,
            collects=self.collects,
            correction=correction,
            identity=Identity(not_of=correction.apart if correction else ""),
        )

    def flagged(self, *flags: str) -> Self:
        """The case with these flags added, each once."""
        return replace(self, flags=tuple(dict.fromkeys((*self.flags, *flags))))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """One line of a case's journal."""

    name: str
    ms: float
    note: str = ""
    """The step's finding in a few words, for the report."""
    trace: Mapping[str, Json] | None = None
    """Run, place, and redacted snapshots of what the step read and wrote; only where mails are answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's exclusive right to a case until a time; its epoch fences every write."""

    job: int
    case: str
    epoch: int
    attempts: int
    """Including this one; counted before the work, so that crashes count."""
    until: datetime
    waiting_since: datetime | None = None
    """Start of the uninterrupted wait for earlier cases; None if it does not wait."""


def case_id(text: str) -> str:
    """Normalise `17` or `case-17` to `case-17`. Raises `CaseNotFound`."""
    number = text.strip().casefold().removeprefix("case-")
    if not number.isdecimal():
        raise CaseNotFound(text)
    return f"case-{int(number)}"
