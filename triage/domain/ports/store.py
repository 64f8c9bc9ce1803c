"""Cases, jobs and all that is written about them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from triage.domain.cases import Approval, ApprovalState, Case, CaseLine, Effect, Lease, Report, StepDone
from triage.domain.conversation import AgentResult, Conversation, Json, Turn
from triage.domain.mail import Received
from triage.domain.traces import Copy, Crowd, Digest, Flood, Group, Held, Kin, Summary, Trace


class Book(Protocol):
    """All that is written about one case, by the worker that holds its lease.

    Each method is one committed transaction. Every write raises `LeaseLost` when the lease's epoch is no longer
    the job's, and then nothing is written.
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

    async def ahead(self, lane: str) -> tuple[str, ...]:
        """The earlier cases of this lane that are not finished, or whose lane is not known yet: ten, the last first."""

    async def opening(self, run: int) -> Conversation | None:
        """The first messages of a run, as they were sent."""

    async def keep_opening(self, run: int, profile: str, conversation: Conversation) -> None:
        """Keep them before the model sees them."""

    async def turn(self, run: int, number: int) -> Turn | None:
        """A model answer kept earlier."""

    async def keep_turn(self, run: int, number: int, turn: Turn, ms: float) -> None:
        """Keep a model answer before anything is done with it."""

    async def result(self, run: int, call: str) -> str | None:
        """A tool result kept earlier, as JSON text."""

    async def keep_result(self, run: int, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep a tool result before the model sees it."""

    async def keep_run(self, run: int, result: AgentResult) -> None:
        """How the run ended."""

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

    async def park(self, approval: Approval) -> Approval:
        """Keep a tool call for a person; the same call of the same case is parked once.

        Where it is for one field of one ticket, what waits for that field already is superseded by it.
        """

    async def approvals(self) -> tuple[Approval, ...]:
        """What this case has parked, whatever has become of it, in order."""

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket that one of these mails belongs to; a second copy belongs where the first does."""

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The earlier cases that have one of these mails, or had it first, and are still to be done: ten, an hour long."""

    async def kin(self, message_ids: Sequence[str]) -> tuple[Kin, ...]:
        """The mails that have or answer one of these ids, and have a ticket or came earlier: ten, the first first."""

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """Who these mails are from or to, as far as they belong to the ticket."""

    async def link(
        self, message_ids: Sequence[str], content: str, ticket: str | None, people: Sequence[str] = ()
    ) -> None:
        """These Message-IDs belong to this case and, where there is one, this ticket; people stay once given."""

    async def copies(self, message_id: str) -> tuple[str, ...]:
        """The other cases whose mails came under this id, doubles left out: ten, the first first."""

    async def trace(self, trace: Trace, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        """Leave the mail's trace and link its id; the case that came first with the same mail.

        The same is: the same content in answer to the same within so many seconds, or at any time under the same
        Message-ID; and what the caller knows to be the same, `also`. Of workers with the same mail at the same moment one
        goes on. Asked again it says the same. Reports of both cases tell of a copy that is believed less.
        """

    async def alike(self, seconds: float) -> Mapping[Group, int]:
        """How many mails of each group came within so many seconds before this one; doubles do not count."""

    async def crowd(self, group: Group, seconds: float) -> Crowd:
        """Where those of the group ended that came before this one."""

    async def follow_up(self, seconds: float) -> str | None:
        """The ticket that the same proven sender's latest mail on this subject ended in."""

    async def hold(self, group: Group, *, seconds: float, every: int, apart: float, at_once: int = 0) -> Held:
        """Hold this mail by the group's brake; the held ones to tell of, where it is time to.

        It is at the first one, then as soon as `every` are untold and `apart` seconds have passed; and while there were
        fewer than `at_once` comments, for one that is like none of its group before it, or has another subject. Each mail
        is told of once; asked again it says the same. Of those that are untold the earliest collects.
        """

    async def digest(self, group: Group, seconds: float) -> Digest | None:
        """All held ones that no comment has told of, this one among them; asked again it says the same."""

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails of this one's flood that were told of in this ticket; None where it is held by no brake."""

    async def event(self, name: str, **facts: Json) -> None:
        """One more line of the audit."""


class Archive(Protocol):
    """What has come in, for those who only look. All methods raise `StoreDown`."""

    async def cases(self, limit: int = 50, state: str | None = None, before: str | None = None) -> tuple[CaseLine, ...]:
        """The latest cases first; `before` the last one of a page gives the next page."""

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """What brakes have held, the latest first."""

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseUnknown`."""

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseUnknown`."""

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person."""

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""


class Store(Archive, Protocol):
    """Cases, jobs and all that is written about them. All methods raise `StoreDown`."""

    async def accept(self, received: Received) -> str:
        """Raw bytes, case and job in one durable transaction; the case's id.

        The same delivery (source and source id) again gives the first case's id and writes nothing. Raises `Replayed`
        where its token has brought another mail.
        """

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """Of the jobs that are due the one that came first, for so long; its attempt is counted in the same commit."""

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        """The same for one case, None where another worker has it or nothing is to be done."""

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        """Take a finished case up again (approval, replay). Raises `CaseUnknown`, `LeaseLost` while a worker has it."""

    def book(self, lease: Lease) -> Book:
        """The pages of one case."""

    async def finish(self, lease: Lease) -> None:
        """The job is done."""

    async def postpone(
        self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True, behind: str | None = None
    ) -> None:
        """Try again later; `counted=False` gives the attempt back (waiting is no failure).

        Where it is `behind` another case, it is due as soon as that one is read or has ended, if that is earlier.
        """

    async def bury(self, lease: Lease, trouble: str) -> None:
        """No worker takes it again by itself."""

    async def due(self) -> tuple[str, ...]:
        """Cases that wait for a worker now, in the order they came, a hundred at most."""

    async def next_due(self) -> float | None:
        """Seconds until the next job is due, 0 if one is, None where there is none."""

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Approvals that have given way to this one; their cases wait for the word on it."""

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's word, once. Raises `Refused` where it was given before or there is no such approval."""

    @property
    def unclean(self) -> bool:
        """Who had it last has not closed it, or has it still: a service that starts looks whether it is whole."""

    async def check(self) -> None:
        """What is on the disk is whole. It reads all of it: minutes where there are years of mail."""

    async def probe(self) -> None:
        """It answers, for a health check; however much is in it."""

    async def look_for_room(self) -> None:
        """There is room for mail, for a health check that sees a full disk coming."""

    async def secret(self) -> bytes:
        """The key of our marks: 32 random bytes, made once and kept with the cases."""

    async def close(self) -> None:
        """Let connections go."""
