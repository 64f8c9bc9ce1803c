"""One case under its lease, in six ports by subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from triage.domain.approvals import Approval
from triage.domain.cases import Case, Lease, StepDone
from triage.domain.conversation import AgentResult, Json, Messages, Turn
from triage.domain.effects import Effect
from triage.domain.traces import Copy, Digest, Fingerprint, Group, GroupState, Related, Summary, Throttled


class CaseStore(Protocol):
    """The leased case and its mail; called by the worker, by the runner after each step, and by steps that read.

    Raises `StoreDown`. Every write is one committed transaction and raises `LeaseLost` when the lease's epoch is no longer
    the job's; then nothing is written. The same holds for all ports of a `LeasedCase`.
    """

    @property
    def lease(self) -> Lease:
        """The right under which this book is written."""

    async def load(self) -> Case:
        """The case as of the last step."""

    async def peek(self, name: str) -> Case | None:
        """Another case as of its last step, None where there is none."""

    async def raw(self) -> bytes:
        """The mail as it came."""

    async def save(self, case: Case, step: StepDone, *, calls: int = 0) -> None:
        """The case after a step, with the journal's line and how often the tracker was asked, in one commit."""

    async def renew(self, seconds: float) -> None:
        """Hold the lease so much longer from now."""

    async def event(self, name: str, **facts: Json) -> None:
        """One more line of the audit."""


class Journal(Protocol):
    """Model answers and tool results of agent runs, kept before they are used; called by the agent run.

    A run is named by a text, such as `case-17/1`. What was kept first stands. Raises `StoreDown`, `LeaseLost`.
    """

    async def opening(self, run: str) -> Messages | None:
        """The first messages of a run, as they were sent."""

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        """Keep them before the model sees them."""

    async def turn(self, run: str, number: int) -> Turn | None:
        """A model answer kept earlier."""

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep a model answer before anything is done with it."""

    async def result(self, run: str, call: str) -> str | None:
        """A tool result kept earlier, as JSON text."""

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep a tool result before the model sees it."""

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """How the run ended."""


class Ledger(Protocol):
    """The rows that make an effect happen once; called by whatever writes to the tracker.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def intend(self, effect: Effect) -> Effect:
        """Commit the intent; where the key is known already, the row as it stands."""

    async def settle(self, effect: Effect) -> None:
        """Commit what became of it."""

    async def effects(self) -> tuple[Effect, ...]:
        """What this case has written or tried to, in order."""

    async def attached(self, ticket: str, sha256: str) -> bool:
        """Some case has hung this very file on the ticket."""

    async def highest(self, project: str) -> int:
        """The highest ticket number of the project seen so far, 0 where none was."""

    async def saw(self, project: str, number: int) -> None:
        """Remember a ticket number; one that is not higher writes nothing."""


class Threads(Protocol):
    """Which cases and tickets a mail belongs to; called by `identify`, `retrieve`, and where a case ends.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def ahead(self, lane: str) -> tuple[str, ...]:
        """The earlier cases of this lane that are not finished, or whose lane is not known yet: ten, the last first."""

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket that one of these mails belongs to; a second copy belongs where the first does."""

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The earlier cases that have one of these mails, or had it first, and are still to be done: ten, an hour long."""

    async def related(self, message_ids: Sequence[str]) -> tuple[Related, ...]:
        """The mails that have or answer one of these ids, and have a ticket or came earlier: ten, the first first."""

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """Who these mails are from or to, as far as they belong to the ticket."""

    async def link(
        self, message_ids: Sequence[str], content: str, ticket: str | None, people: Sequence[str] = ()
    ) -> None:
        """These Message-IDs belong to this case and, where there is one, this ticket; people stay once given."""

    async def copies(self, message_id: str) -> tuple[str, ...]:
        """The other cases whose mails came under this id, doubles left out: ten, the first first."""

    async def trace(self, trace: Fingerprint, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        """Leave the mail's trace and link its id; the case that came first with the same mail.

        The same is: the same content in answer to the same within so many seconds, or at any time under the same
        Message-ID; and what the caller knows to be the same, `also`. Of workers with the same mail at the same moment one
        goes on. Asked again it says the same. Reports of both cases tell of a copy that is believed less.
        """

    async def follow_up(self, seconds: float) -> str | None:
        """The ticket that the same proven sender's latest mail on this subject ended in."""


class Throttle(Protocol):
    """What came like this mail, and what of it is held back; called by the step that limits rates.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def group_counts(self, seconds: float) -> Mapping[Group, int]:
        """How many mails of each group came within so many seconds before this one; doubles do not count."""

    async def group_state(self, group: Group, seconds: float) -> GroupState:
        """Where those of the group ended that came before this one."""

    async def throttle(self, group: Group, *, seconds: float, every: int, apart: float, at_once: int = 0) -> Throttled:
        """Hold this mail by the group's brake; the held ones to tell of, where it is time to.

        It is at the first one, then as soon as `every` are untold and `apart` seconds have passed; and while there were
        fewer than `at_once` comments, for one that is like none of its group before it, or has another subject. Each mail
        is told of once; asked again it says the same. Of those that are untold the earliest collects.
        """

    async def digest(self, group: Group, seconds: float) -> Digest | None:
        """All held ones that no comment has told of, this one among them; asked again it says the same."""

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails of this one's flood that were told of in this ticket; None where it is held by no brake."""


class CaseApprovals(Protocol):
    """What this case asks people; called by tools that park a call and by the step that runs what was accepted.

    Raises `StoreDown`, `LeaseLost`.
    """

    async def park(self, approval: Approval) -> Approval:
        """Keep a tool call for a person; the same call of the same case is parked once.

        Where it is for one field of one ticket, what waits for that field already is superseded by it.
        """

    async def approvals(self) -> tuple[Approval, ...]:
        """What this case has parked, whatever has become of it, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedCase:
    """All that is written about one case, by the worker that holds its lease; opened by `Jobs.open`."""

    cases: CaseStore
    journal: Journal
    ledger: Ledger
    threads: Threads
    throttle: Throttle
    approvals: CaseApprovals

    @property
    def lease(self) -> Lease:
        """The right under which it is written, as last renewed."""
        return self.cases.lease
