"""One case under its lease, in seven ports by subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from triage.domain.approvals import Approval, Correction
from triage.domain.cases import Case, Lease, StepDone
from triage.domain.conversation import AgentResult, Json, Messages, Turn
from triage.domain.effects import Effect, Reports
from triage.domain.ports.support import CaseDialogue
from triage.domain.tickets import Ticket
from triage.domain.traces import Copy, Digest, Fingerprint, Group, GroupState, Related, Summary, Throttled


class CaseStore(Protocol):
    """The leased case and its mail; called by the worker, by the runner after each step, and by steps that read.

    Raises `StoreDown`. Every write is one committed transaction and raises `LeaseLost` when the lease's epoch is no longer
    the job's; then nothing is written. The same holds for all ports of a `LeasedCase`.
    """

    @property
    def lease(self) -> Lease:
        """The lease that fences every write, as last renewed."""

    async def load(self) -> Case:
        """The case as of the last step."""

    async def peek(self, name: str) -> Case | None:
        """Another case as of its last step, None if it does not exist."""

    async def raw(self) -> bytes:
        """The mail as it came. Raises `MailGone`; of an archived one `ArchiveDown`, `ArchiveDenied`, `ArchivedMailLost`."""

    async def save(
        self, case: Case, step: StepDone, *, calls: int = 0, ended: bool = False, deferred: bool = False
    ) -> None:
        """Store the case after a step, the journal's line and the number of requests to the tracker, in one commit.

        With `ended` also the event that the case has ended. `deferred`: in the commit of the next write of any port of
        this `LeasedCase`, so before anything that needs an intent leaves the process; a crash until then repeats the step.
        """

    async def flush(self) -> None:
        """Commit what was deferred, if anything was."""

    async def finish(self) -> None:
        """End the job as done, in one commit with what was deferred."""

    async def renew(self, seconds: float) -> None:
        """Extend the lease to this many seconds from now."""

    async def event(self, name: str, **facts: Json) -> None:
        """Add an event with its facts to the audit log."""


class Journal(Protocol):
    """Model answers and tool results of agent runs, kept before they are used; called by the agent run.

    A run has a name such as `case-17/1`. A second `keep_…` of the same turn or result changes nothing. Raises `StoreDown`, `LeaseLost`.
    """

    async def opening(self, run: str) -> Messages | None:
        """The first messages of a run, as sent; None if there is no such run."""

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        """Keep the first messages before the model sees them."""

    async def turn(self, run: str, number: int) -> Turn | None:
        """A model answer kept earlier, by its number in the run, or None."""

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep a model answer before anything is done with it."""

    async def result(self, run: str, call: str) -> str | None:
        """A tool result kept earlier, by the id of its call, as JSON text, or None."""

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep a tool result before the model sees it."""

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """Keep how the run ended."""

    def deferring(self) -> "Journal":
        """Return the same journal with deferred writes: they are committed with the case's next write.

        For answers that cost nothing and come out the same again: an effect's intent commits them with itself.
        """


class Ledger(Protocol):
    """The rows that make each effect happen once; called by whatever writes to the tracker.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def intend(self, effect: Effect) -> Effect:
        """Commit the intent and return its row; if the key is known, return the stored row unchanged.

        Raises `Paused` while a person has paused all writing.
        """

    async def settle(self, effect: Effect) -> None:
        """Commit the effect's new state and result."""

    async def effects(self) -> tuple[Effect, ...]:
        """All effects of this case, in the order of their intents."""

    async def attached(self, ticket: str, sha256: str) -> bool:
        """Whether any case has attached a file with this hash to the ticket."""

    async def reports(self, ticket: str) -> Reports:
        """The comments and collected reports that cases have written on the ticket, those of this case among the latter."""

    async def highest(self, project: str) -> int:
        """The highest ticket number of the project seen so far, 0 if none."""

    async def saw(self, project: str, number: int) -> None:
        """Remember a ticket number, if it is higher than the highest one."""

    async def made(self, tickets: Sequence[Ticket]) -> None:
        """Store the tickets that the case has created as `TicketStore.keep` does, in the commit that ends the case."""


class Threads(Protocol):
    """Which cases and tickets a mail belongs to; called by `identify`, `retrieve`, and where a case ends.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def ahead(self, thread_key: str, people: Sequence[str]) -> tuple[str, ...]:
        """The unfinished earlier cases with this thread key, or unread ones by one of these people or an unknown sender.

        Ten at most, the latest first. People are hashes, as in `Flow.sender`.
        """

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket that one of these mails belongs to, or None; a copy belongs to the ticket of the first mail."""

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The unfinished earlier cases with one of these mails: ten at most, none older than an hour."""

    async def related(self, message_ids: Sequence[str]) -> tuple[Related, ...]:
        """The mails that have or answer one of these ids, and have a ticket or came earlier: ten at most, oldest first."""

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """The hashed senders, recipients and proven senders' organisations of those of these mails that belong to the ticket."""

    async def link(
        self,
        message_ids: Sequence[str],
        content: str,
        ticket: str | None,
        people: Sequence[str] = (),
        *,
        deferred: bool = False,
    ) -> None:
        """Link these Message-IDs to this case and its ticket, if any; None or no people leaves the stored values.

        Deferred, it is committed with the next write of the case.
        """

    async def copies(self, message_id: str) -> tuple[str, ...]:
        """The other cases whose mails have this Message-ID, duplicates left out: ten at most, oldest first."""

    async def trace(self, trace: Fingerprint, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        """Store the mail's fingerprint and link its id; return the first case with the same mail, or None.

        Mails are the same if they answer the same mails and have the same content within this many seconds, or at any time
        under the same Message-ID; `also` names cases that the caller knows to be the same. Of workers with the same mail at
        the same moment one goes on. A repeated call returns the same. A copy with lower trust shows in the reports of both.
        """

    async def earlier_tickets(self, seconds: float, *, alike: bool = True) -> tuple[str, ...]:
        """The tickets of the sender's other mails within this many seconds that were proven alike: ten at most, the latest first.

        `alike` keeps those of mails on this subject, of a proven sender alone.
        """


class Throttle(Protocol):
    """Counts similar mails and throttles mails over a rate limit; called by the step `throttle`.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def group_counts(self, seconds: float) -> Mapping[Group, int]:
        """Number of mails of each group within this many seconds before this one, without duplicates."""

    async def group_state(self, group: Group, seconds: float) -> GroupState:
        """Where the earlier mails of the group within this many seconds ended."""

    async def throttle(
        self, group: Group, ticket: str = "", *, seconds: float, every: int, apart: float, at_once: int = 0
    ) -> Throttled:
        """Record that this mail is throttled for this ticket, if the group has one; return the mails whose summary there is due.

        A summary is due for the first mail, then as soon as `every` mails are unreported and `apart` seconds have passed;
        and, while there are fewer than `at_once` comments, for a mail unlike all earlier ones of its group in words or
        subject. Each mail is reported once; a repeated call returns the same. The earliest unreported mail collects.
        """

    async def digest(self, group: Group, seconds: float, ticket: str = "") -> Digest | None:
        """All mails throttled for this ticket without a summary, if this is one of them, else None; a repeated call returns the same."""

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails of this flood reported in this ticket; None if no rate limit holds this mail."""


class CaseApprovals(Protocol):
    """The parked calls of this case; called by tools that park a call and by the step that runs accepted ones.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def park(self, approval: Approval) -> Approval:
        """Store a tool call for a person's decision; the same call of the same case is parked once.

        A call for a field with one value supersedes the open calls for that field of that ticket.
        """

    async def approvals(self) -> tuple[Approval, ...]:
        """All parked calls of this case, in any state, oldest first."""

    async def void(self, approval: int) -> None:
        """Close an accepted call of this case that was overtaken before it could run."""

    async def newer_mail(self) -> str | None:
        """The latest later case of this thread that is not ignored, None if there is none."""


class CaseHistory(Protocol):
    """What people and earlier mails say about a mail like this one; called by `classify` and where a case is corrected.

    Raises `StoreDown`.
    """

    async def correction(self) -> Correction | None:
        """The latest correction of this case, or None."""

    async def examples(self, sender: str) -> tuple[Correction, ...]:
        """Corrections of other cases, latest first: fifty of this sender and the latest hundred of all."""

    async def survivor(self, ticket: str) -> str:
        """The ticket that this one was merged into; the ticket itself if it was not merged, or if merges form a circle."""

    async def reported(self) -> bool:
        """Whether one of the last mails of the same equally proven sender made a ticket or joined one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedCase:
    """The ports of one case for the worker that holds its lease; opened by `Jobs.open`."""

    cases: CaseStore
    journal: Journal
    ledger: Ledger
    threads: Threads
    throttle: Throttle
    approvals: CaseApprovals
    history: CaseHistory
    dialogue: CaseDialogue

    @property
    def lease(self) -> Lease:
        """The lease, as last renewed."""
        return self.cases.lease
