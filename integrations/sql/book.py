"""The pages of one case: all that the worker who holds its lease writes about it, and nobody else."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Executable, Select, bindparam, case, func, insert, or_, select, update

from integrations.sql import approvals as sql_approvals
from integrations.sql import brakes as sql_brakes
from integrations.sql import threads as sql_threads
from integrations.sql import traces as sql_traces
from integrations.sql.engine import Database
from integrations.sql.jobs import HELD, JOB, RENEW, WAKE
from integrations.sql.rows import (
    JIRA_CALLS,
    RUNNING,
    AnyRow,
    approval_of,
    approval_row,
    case_name,
    case_number,
    columns_of,
    effect_of,
    effect_row,
    run_row,
)
from integrations.sql.schema import (
    JobState,
    agent_runs,
    approvals,
    cases,
    effects,
    email_events,
    jobs,
    llm_calls,
    mails,
    mentions,
    raw_mails,
    steps,
    thread_ids,
    ticket_numbers,
    tool_results,
)
from integrations.sql.types import indexable
from triage.domain.cases import Approval, Case, Effect, EffectState, Lease, StepDone
from triage.domain.conversation import AgentResult, Conversation, Json, Turn
from triage.domain.errors import LeaseLost
from triage.domain.mail import Message
from triage.domain.ports import Clock, Landmark
from triage.domain.traces import Copy, Crowd, Digest, Group, Held, Kin, Summary, Trace

STUCK: Final = timedelta(hours=1)
"""A case that came so long ago and has no end is in nobody's way any more."""
LONGEST_THREAD: Final = 100
"""Message-IDs of one mail that are looked at, the nearest first."""

Statement = Executable | tuple[Executable, Mapping[str, Any]]
"""Alone, or written once and for all, with its values: to build one costs more than to run it."""

_RUN: Final[BindParameter[Any]] = bindparam("of_run")
_PLACE: Final[BindParameter[Any]] = bindparam("place")
_DATA: Final = select(cases.c.data).where(cases.c.case_id == JOB)
_RAW: Final = select(raw_mails.c.raw).where(raw_mails.c.case_id == JOB)
_SAVE: Final = update(cases).where(cases.c.case_id == JOB)
_STEP: Final = insert(steps)
_EVENT: Final = insert(email_events)
_OPENING: Final = select(agent_runs.c.opening).where(agent_runs.c.case_id == JOB, agent_runs.c.run == _RUN)
_TURN: Final = select(llm_calls.c.answer).where(
    llm_calls.c.case_id == JOB, llm_calls.c.run == _RUN, llm_calls.c.number == _PLACE
)
_RESULT: Final = select(tool_results.c.result).where(
    tool_results.c.case_id == JOB, tool_results.c.run == _RUN, tool_results.c.call == _PLACE
)
_SETTLE: Final = update(effects).where(effects.c.case_id == JOB, effects.c.key == _PLACE).returning(effects.c.id)
_EFFECT: Final = select(effects).where(effects.c.key == _PLACE)
_EFFECTS: Final = select(effects).where(effects.c.case_id == JOB).order_by(effects.c.id)
_HIGHEST: Final = select(ticket_numbers.c.highest).where(ticket_numbers.c.project == _PLACE)


class SqlBook:
    """Every write is one commit, and begins by asking whether the lease still holds."""

    def __init__(self, database: Database, lease: Lease, clock: Clock, landmark: Landmark) -> None:
        self._database = database
        self._lease = lease
        self._case = lease.job
        self._clock = clock
        self._landmark = landmark

    @property
    def lease(self) -> Lease:
        """The right under which this book is written."""
        return self._lease

    # --- the case -----------------------------------------------------------------------------

    async def load(self) -> Case:
        """The case as of the last step."""
        case: Case = await self._one(_DATA, job=self._case)
        return case

    async def peek(self, name: str) -> Case | None:
        """Another case as of its last step."""
        case: Case | None = await self._one(_DATA, job=case_number(name))
        return case

    async def raw(self) -> bytes:
        """The mail as it came."""
        return bytes(await self._one(_RAW, job=self._case))

    async def save(self, case: Case, step: StepDone, *, calls: int = 0) -> None:
        """The case after a step, and the journal's line; with a mail that was just read, the ids it has and answers."""
        first = len(case.done) == 1
        mail = case.message if first else None
        await self._write(
            (_SAVE, columns_of(case) | {"job": self._case}),
            *([self._mention(mail)] if mail and mail.ids else []),
            (_STEP, {**self._stamp(), "name": step.name, "ms": step.ms, "note": step.note}),
            # Its lane is known now; those that it may have been in front of look again.
            *([(WAKE, {"job": self._case, "now": self._clock.now()})] if first else []),
            *([self._event(JIRA_CALLS, {"step": step.name, "n": calls})] if calls else []),
        )
        self._landmark("step.saved")

    def _mention(self, mail: Message) -> Executable:
        rows = [{"message_id": name, "case_id": self._case} for name in _names(mail.ids)]
        return self._database.insert(mentions).values(rows).on_conflict_do_nothing()

    async def renew(self, seconds: float) -> None:
        """Hold the lease so much longer from now."""
        until = self._clock.now() + timedelta(seconds=seconds)
        held = {"job": self._case, "held": self._lease.epoch, "until": until}
        rows = await self._database.write(lambda c: c.execute(RENEW, held).all())
        if not rows:
            raise LeaseLost(self._case)
        self._lease = replace(self._lease, until=until)

    async def ahead(self, lane: str) -> tuple[str, ...]:
        """The earlier cases of this lane that are not finished, or whose lane is not known yet: ten, the last first.

        The last one: of a thread under backlog each case waits for its neighbour, and one is woken when one ends.
        """
        lately = self._clock.now() - STUCK
        rows = await self._read(
            select(cases.c.case_id)
            .select_from(cases.join(jobs, jobs.c.case_id == cases.c.case_id).join(mails, mails.c.id == cases.c.case_id))
            .where(cases.c.lane.in_([lane, ""]), cases.c.case_id < self._case)
            .where(jobs.c.due.is_not(None), mails.c.accepted_at > lately)
            # A case that has ended and only waits to tell of others is in nobody's way.
            .where(or_(cases.c.outcome.is_(None), jobs.c.state == JobState.LEASED))
            .order_by(cases.c.case_id.desc())
            .limit(sql_threads.MOST_KIN)
        )
        return tuple(case_name(row.case_id) for row in rows)

    # --- the journal --------------------------------------------------------------------------

    async def opening(self, run: int) -> Conversation | None:
        """The first messages of a run, as they were sent."""
        opening: Conversation | None = await self._one(_OPENING, job=self._case, of_run=run)
        return opening

    async def keep_opening(self, run: int, profile: str, conversation: Conversation) -> None:
        """Keep them; what was sent first stands."""
        opening = {"run": run, "profile": profile, "status": RUNNING, "opening": conversation}
        kept = self._database.insert(agent_runs).values(**self._stamp("started_at"), **opening)
        await self._write(kept.on_conflict_do_nothing())

    async def turn(self, run: int, number: int) -> Turn | None:
        """A model answer kept earlier."""
        turn: Turn | None = await self._one(_TURN, job=self._case, of_run=run, place=number)
        return turn

    async def keep_turn(self, run: int, number: int, turn: Turn, ms: float) -> None:
        """Keep a model answer; what was answered first stands."""
        answer = {
            "model": turn.model,
            "answer": turn,
            "input_tokens": turn.usage.input_tokens,
            "output_tokens": turn.usage.output_tokens,
            "cost_usd": turn.usage.cost_usd,
        }
        kept = self._database.insert(llm_calls).values(**self._stamp(), run=run, number=number, ms=ms, **answer)
        await self._write(kept.on_conflict_do_nothing())
        self._landmark("llm.journalled")

    async def result(self, run: int, call: str) -> str | None:
        """A tool result kept earlier."""
        result: str | None = await self._one(_RESULT, job=self._case, of_run=run, place=call)
        return result

    async def keep_result(self, run: int, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep a tool result; what was answered first stands."""
        kept = self._database.insert(tool_results).values(
            **self._stamp(), run=run, call=call, tool=tool, arguments=arguments, result=result
        )
        await self._write(kept.on_conflict_do_nothing())

    async def keep_run(self, run: int, result: AgentResult) -> None:
        """How the run ended; also of one that ended before it was opened."""
        now = self._clock.now()
        end = run_row(result) | {"ended_at": now}
        begin = {"case_id": self._case, "run": run, "profile": "", "opening": (), "started_at": now}
        kept = self._database.insert(agent_runs).values(**begin, **end)
        await self._write(kept.on_conflict_do_update(index_elements=["case_id", "run"], set_=end))

    async def event(self, name: str, **facts: Json) -> None:
        """One more line of the audit."""
        await self._write(self._event(name, facts))

    def _event(self, name: str, facts: Mapping[str, Json]) -> Statement:
        return _EVENT, {**self._stamp(), "name": name, "facts": facts}

    # --- the ledger ---------------------------------------------------------------------------

    async def intend(self, effect: Effect) -> Effect:
        """Commit the intent; where the key is known already, the row as it stands."""
        intent = self._database.insert(effects).values(**self._stamp("intended_at"), **effect_row(effect))
        [row] = await self._write(
            intent.on_conflict_do_nothing(index_elements=["key"]), (_EFFECT, {"place": effect.key})
        )
        self._landmark("effect.intent")
        return effect_of(row)

    async def settle(self, effect: Effect) -> None:
        """Commit what became of it."""
        became = {
            "state": effect.state,
            "result": effect.result,
            "note": effect.note,
            "posts": effect.posts,
            "body_hash": effect.body_hash,
        }
        which = {"job": self._case, "place": effect.key}
        rows = await self._write((_SETTLE, {**became, "settled_at": self._clock.now(), **which}))
        if not rows:
            raise LookupError(f"{effect.key} was never intended")
        if effect.state is EffectState.DONE:
            self._landmark("effect.committed")

    async def effects(self) -> tuple[Effect, ...]:
        """What this case has written or tried to, in order."""
        rows = await self._read(_EFFECTS, job=self._case)
        return tuple(effect_of(row) for row in rows)

    async def attached(self, ticket: str, sha256: str) -> bool:
        """Some case has hung this very file on the ticket."""
        same = effects.c.body_hash == sha256, effects.c.kind == "attach", effects.c.target == ticket
        return bool(await self._read(select(effects.c.id).where(*same, effects.c.state == EffectState.DONE).limit(1)))

    async def highest(self, project: str) -> int:
        """The highest ticket number of the project seen so far, 0 where none was."""
        return await self._one(_HIGHEST, place=project) or 0

    async def saw(self, project: str, number: int) -> None:
        """Remember a ticket number; one that is not higher waits for nobody who writes it down."""
        if number <= await self.highest(project):
            return
        seen = self._database.insert(ticket_numbers).values(project=project, highest=number)
        higher = case(
            (seen.excluded.highest > ticket_numbers.c.highest, seen.excluded.highest), else_=ticket_numbers.c.highest
        )
        await self._write(seen.on_conflict_do_update(index_elements=["project"], set_={"highest": higher}))

    async def park(self, approval: Approval) -> Approval:
        """Keep a tool call for a person; the same call of the same case is parked once."""
        row = approval_row(approval) | {"arguments_hash": _hash(approval.arguments)} | self._stamp("parked_at")
        kept = self._database.insert(approvals).values(row)
        parked = kept.on_conflict_do_nothing(index_elements=["case_id", "tool", "arguments_hash"])

        def alone(connection: Connection) -> Approval:
            self._fenced(connection, [parked])
            return sql_approvals.standing(connection, self._case, approval.tool, row["arguments_hash"])

        return await self._database.write(alone)

    async def approvals(self) -> tuple[Approval, ...]:
        """What this case has parked, whatever has become of it, in order."""
        rows = await self._read(select(approvals).where(approvals.c.case_id == self._case).order_by(approvals.c.id))
        return tuple(approval_of(row) for row in rows)

    # --- the thread ---------------------------------------------------------------------------

    async def thread_ticket(self, message_ids: Sequence[str]) -> str | None:
        """The ticket of the first of these mails that has one; a second copy has that of the first."""
        names = _names(message_ids)
        return await self._database.read(lambda c: sql_threads.ticket(c, names))

    async def unfinished(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The earlier cases that have one of these mails, or had it first, and are still to be done."""
        names, lately = _names(message_ids), self._clock.now() - STUCK
        return await self._database.read(lambda c: sql_threads.unfinished(c, self._case, names, lately))

    async def kin(self, message_ids: Sequence[str]) -> tuple[Kin, ...]:
        """The mails that have or answer one of these ids, and have a ticket or came earlier: ten, the first first."""
        names, lately = _names(message_ids), self._clock.now() - STUCK
        return await self._database.read(lambda c: sql_threads.kin(c, self._case, names, lately))

    async def participants(self, message_ids: Sequence[str], ticket: str) -> frozenset[str]:
        """Who these mails are from or to, as far as they belong to the ticket."""
        names = _names(message_ids)
        return await self._database.read(lambda c: sql_threads.participants(c, names, ticket))

    async def link(
        self, message_ids: Sequence[str], content: str, ticket: str | None, people: Sequence[str] = ()
    ) -> None:
        """These Message-IDs belong to this case and, where there is one, this ticket."""
        await self._write(*(self._link(name, content, ticket, people) for name in _names(message_ids)))

    def _link(self, message_id: str, content: str, ticket: str | None, people: Sequence[str]) -> Executable:
        link = self._database.insert(thread_ids).values(
            message_id=message_id, case_id=self._case, content=content, ticket=ticket, people=tuple(people) or None
        )
        kept = {name: func.coalesce(link.excluded[name], thread_ids.c[name]) for name in ("ticket", "people")}
        return link.on_conflict_do_update(index_elements=["message_id", "case_id"], set_={"content": content, **kept})

    # --- others like it -----------------------------------------------------------------------

    async def copies(self, message_id: str) -> tuple[str, ...]:
        """The other cases whose mails came under this id, the first first."""
        [name] = _names([message_id])
        return await self._database.read(lambda c: sql_traces.copies(c, self._case, name))

    async def trace(self, trace: Trace, seconds: float, also: Sequence[str] = ()) -> Copy | None:
        """Leave the mail's trace and link its id; the case that came first with the same mail."""
        ids = _names([trace.message_id] if trace.message_id else [])
        links = [self._link(name, trace.content, None, trace.people) for name in ids]
        now = self._clock.now()

        known = [case_number(name) for name in also]

        def claimed(connection: Connection) -> Copy | None:
            self._fenced(connection, ())
            copy = sql_traces.claim(connection, self._case, trace, now, timedelta(seconds=seconds), known)
            self._fenced(connection, links)
            return copy

        return await self._database.write(claimed)

    async def alike(self, seconds: float) -> Mapping[Group, int]:
        """How many mails of each group came before this one."""
        return await self._database.read(lambda c: sql_brakes.counts(c, self._case, timedelta(seconds=seconds)))

    async def crowd(self, group: Group, seconds: float) -> Crowd:
        """Where those of the group ended that came before this one."""
        return await self._database.read(lambda c: sql_brakes.crowd(c, self._case, group, timedelta(seconds=seconds)))

    async def follow_up(self, seconds: float) -> str | None:
        """The ticket that the same sender's latest mail on this subject ended in."""
        return await self._database.read(lambda c: sql_traces.follow_up(c, self._case, timedelta(seconds=seconds)))

    async def hold(self, group: Group, *, seconds: float, every: int, apart: float, at_once: int = 0) -> Held:
        """Hold this mail; the held ones to tell of, where it is time to."""
        now, window, pause = self._clock.now(), timedelta(seconds=seconds), timedelta(seconds=apart)

        def held(connection: Connection) -> Held:
            self._fenced(connection, ())
            return sql_brakes.hold(connection, self._case, group, now, window, every, pause, at_once)

        return await self._database.write(held)

    async def digest(self, group: Group, seconds: float) -> Digest | None:
        """All held ones that no comment has told of, this one among them."""
        now, window = self._clock.now(), timedelta(seconds=seconds)

        def told(connection: Connection) -> Digest | None:
            self._fenced(connection, ())
            return sql_brakes.digest(connection, self._case, group, now, window)

        return await self._database.write(told)

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails of this one's flood that were told of in this ticket."""
        return await self._database.read(lambda c: sql_brakes.summary(c, self._case, group, ticket))

    # --- how it is written --------------------------------------------------------------------

    async def _write(self, *statements: Statement) -> Sequence[AnyRow]:
        """All of them in one commit while the lease holds; the rows of the last one."""
        return await self._database.write(lambda connection: self._fenced(connection, statements))

    def _fenced(self, connection: Connection, statements: Sequence[Statement]) -> Sequence[AnyRow]:
        held = {"job": self._case, "held": self._lease.epoch}
        if connection.execute(HELD, held).first() is None:
            raise LeaseLost(self._case)
        told = (one if isinstance(one, tuple) else (one, None) for one in statements)
        results = [connection.execute(statement, values) for statement, values in told]
        return results[-1].all() if results and results[-1].returns_rows else ()

    async def _read(self, statement: Select[Any], **values: Any) -> Sequence[AnyRow]:
        return await self._database.read(lambda connection: connection.execute(statement, values).all())

    async def _one(self, statement: Select[Any], **values: Any) -> Any:
        """The one value that it gives, None where there is none."""
        return await self._database.read(lambda connection: connection.scalar(statement, values))

    def _stamp(self, when: str = "at") -> dict[str, Any]:
        """What every row says: whose it is, and when it was written."""
        return {"case_id": self._case, when: self._clock.now()}


def _names(message_ids: Sequence[str]) -> list[str]:
    """Each once, as the database spells them."""
    return list(dict.fromkeys(indexable(message_id) for message_id in message_ids[:LONGEST_THREAD]))


def _hash(text: str) -> str:
    """What stands for the text in an index."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
