"""What the store's tests share: a clock that is held, mails, and a case in which everything is filled in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from sqlalchemy import select

from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import jobs
from integrations.sql.store import SqlStore
from triage.domain.approvals import Approval
from triage.domain.cases import Case, Lease, Outcome, StepDone
from triage.domain.conversation import AgentResult, ChatMessage, Role, RunStatus, ToolCall, ToolRun, Turn, Usage
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import (
    Candidate,
    Classification,
    Cue,
    Cues,
    Identity,
    PipelineName,
    Retrieval,
    Review,
    Route,
)
from triage.domain.mail import Address, Attachment, Hop, Kind, KindVerdict, Message, Received, Trust
from triage.domain.ports import Clock, LeasedCase
from triage.domain.tickets import Person, Ticket
from triage.domain.traces import Fingerprint
from triage.domain.untrusted import Untrusted

MORNING = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
HOSTILE = "NUL \0, half a pair \ud800, emoji \N{PILE OF POO}, quote ', percent %(x)s :x"
"""Text that a database may choke on."""


class HeldClock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.time = MORNING

    def now(self) -> datetime:
        """The held time."""
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass, at once."""
        self.time += timedelta(seconds=seconds)


class Marks:
    """A landmark that remembers where we came by."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, name: str) -> None:
        """Here."""
        self.seen.append(name)


def mail(number: int | str = 1, source: str = "file", raw: bytes | None = None) -> Received:
    """A mail, another one for each number."""
    text = f"From: ada@example.com\r\nSubject: {number}\r\n\r\nIt is broken.\r\n".encode(errors="replace")
    return Received(source=source, source_id=str(number), raw=text if raw is None else raw, at=MORNING)


def step(name: str = "classify") -> StepDone:
    """A step that was done."""
    return StepDone(name=name, ms=12.5, note="bug, High")


def effect(case: str, number: int = 1) -> Effect:
    """A ticket to be."""
    return Effect(key=f"{case}:create:{number}", kind="create", label="triage-0123", body_hash="abc", above=41)


def settled(intent: Effect, state: EffectState = EffectState.DONE) -> Effect:
    """What became of it."""
    return replace(intent, state=state, result="OPS-42", note="dropped: assignee", posts=1)


def approval(case: str, arguments: str = '{"ticket_key":"OPS-7"}') -> Approval:
    """A tool call that has to wait."""
    return Approval(case=case, tool="modify_jira_ticket", arguments=arguments, reason="closes a ticket")


OPENING = (ChatMessage(role=Role.SYSTEM, text="You file tickets."), ChatMessage(role=Role.USER, text="A mail came in."))
TURN = Turn(
    text="I search first.",
    calls=(ToolCall(id="call-1", name="read_jira_tickets", arguments='{"search_text": "export"}'),),
    usage=Usage(input_tokens=900, output_tokens=40, cached_tokens=512, cost_usd=0.004),
    model="some-model",
    finish="tool_calls",
)
RESULT = AgentResult(
    status=RunStatus.COMPLETED,
    final_message="Created OPS-42.",
    tool_calls=(ToolRun(tool="read_jira_tickets", arguments={"days": 30}, result=[{"key": "OPS-7"}], iteration=1),),
    iterations=2,
    usage=Usage(input_tokens=1800, output_tokens=90, cost_usd=0.01),
    model="some-model",
)
MESSAGE = Message(
    message_id="1@example.com",
    in_reply_to=("0@example.com",),
    references=("a@example.com", "0@example.com"),
    subject=Untrusted("Export größer als erwartet"),
    sender=Address(address="ada@example.com", name=Untrusted("Ada Byron")),
    to=(Address(address="help@example.com"),),
    date=datetime(2026, 11, 20, 9, 59, tzinfo=timezone(timedelta(hours=1))),
    text=Untrusted("It is broken."),
    reply=Untrusted("It is broken."),
    attachments=(
        Attachment(
            name=Untrusted("log.txt"), content_type="text/plain", size=7, inline=False, sha256="00", content_id=None
        ),
    ),
    headers=(("subject", "Export"), ("x-spam", "no")),
    hops=(
        Hop(by=Untrusted("mx.example.org"), at=datetime(2026, 11, 20, 9, 0, tzinfo=UTC), delay=2.5, defect="no-date"),
    ),
    flags=("many-from",),
    size=512,
)
TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Export is slow"),
    status="Open",
    category="new",
    issue_type="Bug",
    assignee=Person(id="u1", name=Untrusted("Grace")),
    created=MORNING,
)


def full(case: Case) -> Case:
    """The case with something in every field."""
    return Case(
        id=case.id,
        source=case.source,
        received_at=case.received_at,
        verdict=Trust.WEAK,
        done=("read", "identify"),
        run=2,
        message=MESSAGE,
        identity=Identity(
            kind=KindVerdict(kind=Kind.HUMAN, evidence=("no list header",), may_ticket=True, may_answer=True),
            trust=Trust.VERIFIED,
            thread_key="a@example.com",
        ),
        ticket="OPS-42",
        route=Route(rule="default", pipeline=PipelineName.PIPELINE),
        classification=Classification(
            cues=Cues(priority=Cue(value="High", evidence=("blocking",)), people=("Grace",), keys=("OPS-7",))
        ),
        retrieval=Retrieval(candidates=(Candidate.of(TICKET, 0.7, ("title: export",)),), searched=True),
        result=RESULT,
        review=Review(unattended=True, reasons=("sure",)),
        outcome=Outcome.TICKETED,
        reason="a new bug",
        flags=("hidden-text",),
    )


HOUR = 3600.0
SAME = Fingerprint(content="same", message_id="a@x", sender="ada", thread="t", storm="s", topic="ada on export")


async def opened(store: SqlStore, number: int = 1) -> LeasedCase:
    """A new mail's case, leased."""
    case = await store.inbox.accept(mail(number))
    lease = await store.jobs.lease_case(case, "w", 60)
    assert lease is not None
    return store.jobs.open(lease)


def next_lease(lease: Lease) -> Lease:
    """The lease after this one, for reading: the first lease of a case does not read what only it can have written."""
    return replace(lease, epoch=lease.epoch + 1)


async def due(store: SqlStore, clock: Clock) -> tuple[str, ...]:
    """The cases that a worker may take now, in order of arrival."""
    statement = select(jobs.c.case_id).where(jobs.c.due <= clock.now()).order_by(jobs.c.case_id)
    return await store._database.read(lambda c: tuple(case_name(number) for number in c.scalars(statement)))


async def leased(store: SqlStore, seconds: float = 60) -> Lease:
    """The next job, which there is."""
    lease = await store.jobs.lease("w", seconds)
    assert lease is not None
    return lease


async def ended(leased_case: LeasedCase, ticket: str | None, outcome: Outcome = Outcome.TICKETED) -> None:
    """The case comes to its end."""
    await leased_case.cases.save((await leased_case.cases.load()).closed(outcome, "done", ticket), step())


def other(number: int, **keys: Any) -> Fingerprint:
    """Another mail of the same groups."""
    return replace(SAME, content=f"content-{number}", message_id=f"{number}@x", **keys)


def about(case: Case, subject: str) -> Case:
    """The case with a mail on this subject."""
    return replace(case, message=Message(subject=Untrusted(subject)))
