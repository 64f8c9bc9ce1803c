"""What the core asks of the world, in our words; each docstring names the errors.

Every port may raise its `…Down` (a `Transient`) when the other side does not answer.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.cases import Approval, ApprovalState, Case, CaseLine, Effect, Lease, Report, StepDone
from triage.domain.conversation import AgentResult, Conversation, Json, ToolSpec, Turn
from triage.domain.mail import Message, Received, Signature
from triage.domain.mailboxes import Fetched, Folder, Listed, Standing
from triage.domain.tickets import (
    Attached,
    Created,
    Mark,
    Project,
    Sprint,
    Ticket,
    TicketChange,
    TicketDraft,
    TicketQuery,
    Upload,
    Workload,
)
from triage.domain.traces import Crowd, Digest, Flood, Group, Held, Trace


class Clock(Protocol):
    """The time, so that tests can hold it."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""


class Landmark(Protocol):
    """Called at named points of the way; the crash harness kills the process there."""

    def __call__(self, name: str) -> None:
        """The process has come to this point, nothing behind it has happened."""


def nowhere(name: str) -> None:
    """The landmark of everyday life: nothing happens there."""
    del name


class MailReader(Protocol):
    """Turns raw bytes into a message."""

    async def read(self, raw: bytes) -> Message:
        """As far as it can be read, with flags for what was odd.

        Raises `NotAMail` where there is no mail in it and `MailUnreadable` where reading it breaks the reader.
        """

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        """The decoded bytes of these attachments by their SHA-256, as `read` tells it; what is not there is left out.

        Raises as `read` does.
        """


class SignatureCheck(Protocol):
    """Verifies DKIM signatures (RFC 6376)."""

    async def check(self, raw: bytes, domain: str) -> tuple[Signature, ...]:
        """What those of a mail prove that may speak for a domain. Never raises: what cannot be known now is `none`."""

    async def ready(self) -> str:
        """Why it cannot check anything now, empty where it can."""

    async def close(self) -> None:
        """Let processes go."""


class Mailbox(Protocol):
    """One folder of one mail account, over a connection that is opened, used and closed, then opened again.

    All methods raise `MailboxDown` and, where only a person can help, `MailboxDenied`; after either the connection
    is worth nothing and must be closed. What is cancelled half-way cuts the connection too.
    """

    @property
    def name(self) -> str:
        """As it is called in reports and in the source of its mails."""

    @property
    def account(self) -> str:
        """Whose it is: the same name for another account is not the same mailbox."""

    @property
    def moves(self) -> bool:
        """What is settled leaves the folder."""

    async def open(self) -> Folder:
        """Connect, log in, look into the folder."""

    async def uids(self, *, above: int = 0, since: datetime | None = None) -> tuple[int, ...]:
        """Mails that are there now, lowest first; where a time is given, those that came then or (a day at most)
        before.
        """

    async def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Size and time of these, without those that are gone."""

    async def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """The mails, without those that are gone or that the server will not give.

        One over the limit comes as a stub of its headers. Nothing is marked as read.
        """

    async def wait(self, seconds: float) -> None:
        """Until there may be something new, or so much time has passed."""

    async def settle(self, uids: Sequence[int]) -> None:
        """Mark or move what has been accepted, as the settings ask; again changes nothing."""

    async def close(self) -> None:
        """Let the connection go, in whatever state it is."""


class Mailboxes(Protocol):
    """Where we stand in each mailbox. All methods raise `StoreDown`."""

    async def standing(self, name: str) -> Standing | None:
        """What was kept last, None for a mailbox never seen."""

    async def keep(self, standing: Standing) -> None:
        """Keep it, durably."""

    async def standings(self) -> tuple[Standing, ...]:
        """All, by name."""

    async def accepted(self, source: str, ids: Sequence[str]) -> frozenset[str]:
        """Those of the deliveries that are mails of ours already."""

    async def same(self, source: str, digests: Sequence[str]) -> frozenset[str]:
        """Those SHA-256 of raw bytes that a mail of this source already has."""


class Tracker(Protocol):
    """The one project we write tickets to.

    Reads retry what is `Transient` by themselves; writes are sent once. All methods raise `TrackerDown`,
    `TrackerBusy` and `TrackerDenied`.
    """

    @property
    def calls(self) -> int:
        """Requests sent by this view so far, for the report and the bench."""

    @property
    def trouble(self) -> str:
        """Why nothing is asked of it just now (down, or our login is refused), empty while all is well."""

    def view(self) -> "Tracker":
        """The same connections and caches with a count of its own: each case gets one."""

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project, the best match first where words are given, else the latest updated first.

        An answer that only looks empty (dead token, HTML page) raises; it never means "no such ticket".
        """

    async def get(self, key: str) -> Ticket:
        """One ticket. Raises `TicketGone`, also for keys of other projects."""

    async def project(self) -> Project:
        """The live metadata, cached for five minutes."""

    async def me(self) -> str:
        """The id of our own account, asked once: work is given to people, never to it."""

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets of the project by person id, from one search, cached for five minutes; nobody idle is in it."""

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest tickets that belong to somebody (half a year, 500 at most), without their text; cached likewise."""

    async def newest(self) -> int:
        """The highest ticket number that a search shows; a lower bound, since the index lags."""

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """One POST with the mark inside, fields dropped step by step where Jira refuses them.

        Raises `TrackerUnsure` when the answer is lost, `TrackerRejected` when even the plain ticket is refused.
        """

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """The ticket that carries this mark and was created by us, looked for upward from a number, then by label."""

    async def change(self, key: str, change: TicketChange) -> None:
        """Set these values; setting them again changes nothing. Raises `TicketGone`, `TrackerRejected`."""

    async def transition(self, key: str, status: str) -> None:
        """Bring the ticket into a status by its name; nothing happens where it already is.

        Raises `TrackerRejected` with the statuses that can be reached.
        """

    async def comment(self, key: str, body: str, mark: Mark) -> str:
        """Add a Markdown comment that carries the mark; its id. Raises `TrackerUnsure`, `TicketGone`."""

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of the comment that carries this mark, None where there is none."""

    async def attached(self, key: str) -> tuple[Attached, ...]:
        """The files of a ticket. Raises `TicketGone`."""

    async def attach(self, key: str, upload: Upload) -> str:
        """Hang a file on a ticket; its id. Raises `TrackerUnsure`, `TicketGone`, `TrackerRejected` where it is too large."""

    async def link(self, key: str, other: str, kind: str) -> None:
        """Tie `key` to `other` ("key duplicates other"); nothing happens where they are tied so already.

        Raises `TicketGone`, and `TrackerRejected` where there is no such kind of link.
        """

    async def watch(self, key: str, person: str) -> None:
        """Let a person, by id, hear of the ticket; again changes nothing. Raises `TrackerRejected`, `TicketGone`."""

    async def sprints(self) -> tuple[Sprint, ...]:
        """Active, then future, then the five latest closed sprints of the project's board, cached for five minutes."""

    async def place(self, key: str, sprint: int) -> None:
        """Put the ticket into a sprint; again changes nothing. Raises `TrackerRejected`, `TicketGone`."""

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Tickets that our account created within so many days and that carry a mark of ours, oldest first."""

    async def close(self) -> None:
        """Let connections and threads go."""


class TicketIndex(Protocol):
    """The project's tickets as we last saw them: quick to search, never the last word. All methods raise `StoreDown`."""

    async def keep(self, tickets: Sequence[Ticket]) -> None:
        """As the tracker tells of them; what is older than what we have changes nothing.

        A mark of ours on one of them brings its case back at once where that waits for a lost answer.
        """

    async def forget(self, keys: Sequence[str]) -> None:
        """They are gone, or not ours any more."""

    async def find(self, project: str, words: Sequence[str], limit: int) -> tuple[Ticket, ...]:
        """Those with any of these words in summary or description, the best match first."""

    async def doubt(self, keys: Sequence[str]) -> None:
        """Something has happened to these; they wait to be looked at."""

    async def doubted(self, limit: int) -> tuple[str, ...]:
        """Keys that wait, the longest waiting first."""

    async def size(self, project: str) -> int:
        """How many are known."""


class Model(Protocol):
    """Answers a conversation."""

    @property
    def name(self) -> str:
        """As it is called in reports."""

    async def complete(self, conversation: Conversation, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next turn. Raises `ModelDown`, `ModelDenied`, `ModelOverflow`."""


class Doorbell(Protocol):
    """Wakes workers. Carries ids only: losing a ring costs time, never work."""

    async def ring(self, case: str) -> None:
        """There is work. Never raises: the sweep finds what was not rung."""

    async def wait(self, seconds: float) -> None:
        """Until somebody rings or so much time has passed."""

    async def close(self) -> None:
        """Let connections go."""


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

    async def save(self, case: Case, step: StepDone) -> None:
        """The case after a step, with the journal's line, in one commit."""

    async def renew(self, seconds: float) -> None:
        """Hold the lease so much longer from now."""

    async def ahead(self, lane: str) -> str | None:
        """An earlier case of this lane that is not finished, or an earlier one whose lane is not known yet."""

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
        """Remember a ticket number."""

    async def park(self, approval: Approval) -> Approval:
        """Keep a tool call for a person; the same call of the same case is parked once."""

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket that one of these mails belongs to; a second copy belongs where the first does."""

    async def unfinished(self, message_ids: Sequence[str]) -> str | None:
        """The earlier case that has one of these mails, or had it first, and is still to be done; an hour long."""

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """Who these mails are from or to, as far as they belong to the ticket."""

    async def link(
        self, message_ids: Sequence[str], content: str, ticket: str | None, people: Sequence[str] = ()
    ) -> None:
        """These Message-IDs belong to this case and, where there is one, this ticket; people stay once given."""

    async def trace(self, trace: Trace, seconds: float) -> str | None:
        """Leave the mail's trace and link its id; the case that came first with the same mail.

        The same is: the same content within so many seconds, or at any time under the same Message-ID. Of workers
        with the same mail at the same moment one goes on. Asked again it says the same.
        """

    async def alike(self, seconds: float) -> Mapping[Group, int]:
        """How many mails of each group came within so many seconds before this one; doubles do not count."""

    async def crowd(self, group: Group, seconds: float) -> Crowd:
        """Where those of the group ended that came before this one."""

    async def follow_up(self, seconds: float) -> str | None:
        """The ticket that the same proven sender's latest mail on this subject ended in."""

    async def hold(self, group: Group, *, seconds: float, every: int, apart: float) -> Held:
        """Hold this mail by the group's brake; the held ones to tell of, where it is time to.

        It is at the first one, then as soon as `every` are untold and `apart` seconds have passed. Each mail is told
        of once; asked again it says the same. Of those that are untold the earliest collects.
        """

    async def digest(self, group: Group, seconds: float) -> Digest | None:
        """All held ones that no comment has told of, this one among them; asked again it says the same."""

    async def event(self, name: str, **facts: Json) -> None:
        """One more line of the audit."""


class Store(Protocol):
    """Cases, jobs and all that is written about them. All methods raise `StoreDown`."""

    async def accept(self, received: Received) -> str:
        """Raw bytes, case and job in one durable transaction; the case's id.

        The same delivery (source and source id) again gives the first case's id and writes nothing. Raises `Replayed`
        where its token has brought another mail.
        """

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """The job that has been due longest, for so long; its attempt is counted in the same commit."""

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        """The same for one case, None where another worker has it or nothing is to be done."""

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        """Take a finished case up again (approval, replay). Raises `CaseUnknown`, `LeaseLost` while a worker has it."""

    def book(self, lease: Lease) -> Book:
        """The pages of one case."""

    async def finish(self, lease: Lease) -> None:
        """The job is done."""

    async def postpone(self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True) -> None:
        """Try again later; `counted=False` gives the attempt back (waiting is no failure)."""

    async def bury(self, lease: Lease, trouble: str) -> None:
        """No worker takes it again by itself."""

    async def due(self) -> tuple[str, ...]:
        """Cases that wait for a worker now, the longest waiting first, a hundred at most."""

    async def next_due(self) -> float | None:
        """Seconds until the next job is due, 0 if one is, None where there is none."""

    async def cases(self, limit: int = 50, state: str | None = None) -> tuple[CaseLine, ...]:
        """The latest cases first."""

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """What brakes have held, the latest first."""

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseUnknown`."""

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseUnknown`."""

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person."""

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's word, once. Raises `Refused` where it was given before or there is no such approval."""

    async def check(self) -> None:
        """What is on the disk is whole: a service that starts looks, before it takes mail for it."""

    async def look_for_room(self) -> None:
        """There is room for mail, for a health check that sees a full disk coming."""

    async def secret(self) -> bytes:
        """The key of our marks: 32 random bytes, made once and kept with the cases."""

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""

    async def close(self) -> None:
        """Let connections go."""
