"""The port `ForgetStore`: redacts a case in all tables that know it, in one transaction."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Table,
    Text,
    bindparam,
    delete,
    func,
    or_,
    select,
    type_coerce,
    union,
    update,
)
from sqlalchemy import case as sql_case

from integrations.sql.database.channel_tables import notices, ticket_notes
from integrations.sql.database.decision_tables import approvals, corrections, letters
from integrations.sql.database.engine import Database
from integrations.sql.database.leases import ALONE
from integrations.sql.database.rows import AnyRow, case_name, case_number, columns_of
from integrations.sql.database.schema import (
    JobState,
    agent_runs,
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
    tool_results,
    traces,
)
from integrations.sql.database.types import hashed
from integrations.sql.memory.builds import memory_mails
from integrations.sql.operations.mcp_log import IS_SESSION
from integrations.sql.operations.tables import webhook_deliveries
from integrations.sql.raw_mails.archived import unwant
from integrations.sql.raw_mails.reading import archived_mails, first_since
from integrations.sql.support.tables import dialogue_messages, dialogues
from triage.domain.approvals import ApprovalState
from triage.domain.channels.notices import NoticeKind
from triage.domain.conversation import Turn
from triage.domain.effects import EffectState
from triage.domain.letters import LetterState
from triage.domain.mail import Address, CopyState
from triage.domain.operations.forgetting import (
    FORGOTTEN,
    PersonCase,
    aged_case,
    forgotten_case,
    forgotten_letter,
    kept_facts,
)
from triage.domain.operations.mcp import OK
from triage.domain.ports import Clock, Failpoint

WORDED: Final = frozenset({"create", "edit", "change"})
"""Kinds of effects that write title or description of a ticket."""
HEADER: Final = 64 * 1024
"""Bytes of an unread mail in which its From line is looked for."""
_BLANK_LINE: Final = re.compile(r"\r?\n\r?\n")
_FROM: Final = re.compile(r"^from:((?:.*)(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_ADDRESS: Final = re.compile(r"[^\s<>()\",;:]+@[^\s<>()\",;:]+")

_DERIVED: Final[tuple[tuple[Table, Mapping[str, Any]], ...]] = (
    (steps, {"note": ""}),
    (
        approvals,
        dict.fromkeys(("reason", "was", "becomes", "sender", "edited", "instruction"), "") | {"arguments": "{}"},
    ),
    (corrections, {"sender": "", "sketch": ""}),
    (traces, dict.fromkeys(("sender", "newcomers", "scope", "sketch", "subject", "topic"), "")),
    (jobs, {"trouble": "", "worker": ""}),
    (dialogue_messages, {"text": ""}),
    (memory_mails, {"sender": "", "observations": "", "written": True}),
)
"""Columns that hold words or the identity of the person, by table, with what stands there afterwards."""
_MCP_CALLS: Final = (
    select(tool_results.c.run, tool_results.c.call, tool_results.c.arguments, tool_results.c.result)
    .join(agent_runs, agent_runs.c.run == tool_results.c.run)
    .where(IS_SESSION, tool_results.c.arguments != "")
)
_FIRST: Final[BindParameter[Any]] = bindparam("first")
_KEPT: Final = union(
    select(raw_mails.c.case_id).where(raw_mails.c.case_id < _FIRST),
    select(archived_mails.c.case_id).where(archived_mails.c.case_id < _FIRST, archived_mails.c.state == CopyState.KEPT),
).subquery()
"""The mails from before a number whose bytes are still there."""
_OLD: Final = (
    select(mails.c.id)
    .select_from(_KEPT)
    .join(mails, mails.c.id == _KEPT.c.case_id)
    .join(jobs, jobs.c.case_id == mails.c.id)
    .where(mails.c.accepted_at < bindparam("before"), jobs.c.due.is_(None))
    .where(mails.c.id.not_in(select(approvals.c.case_id).where(approvals.c.state == ApprovalState.OPEN)))
    .where(mails.c.id.not_in(select(letters.c.case_id).where(letters.c.due_at.is_not(None))))
    .order_by(mails.c.id)
    .limit(bindparam("limit"))
)
_SENT: Final = (LetterState.SENT, LetterState.UNKNOWN, LetterState.BOUNCED)


class SqlForgetting:
    """The port `ForgetStore`: follows the tables' `case_id`; runs of agents are found by their name, `case-17/1`."""

    def __init__(self, database: Database, clock: Clock, failpoint: Failpoint) -> None:
        self._database = database
        self._clock = clock
        self._failpoint = failpoint

    async def of_person(self, same: Callable[[str], bool]) -> tuple[PersonCase, ...]:
        return await self._database.read(lambda c: tuple(_person_case(c, number) for number in _sent_by(c, same)))

    async def naming(self, address: str, limit: int) -> tuple[str, ...]:
        of_letters = select(letters.c.case_id).where(_holds(letters, address))
        statement = select(cases.c.case_id).where(or_(_holds(cases, address), cases.c.case_id.in_(of_letters)))
        statement = statement.order_by(cases.c.case_id).limit(limit)
        return await self._database.read(lambda c: tuple(map(case_name, c.scalars(statement))))

    async def forget(self, case: str, names: Collection[str], *, under_way: bool) -> str:
        number, now = case_number(case), self._clock.now()

        def forgotten(connection: Connection) -> str:
            connection.execute(ALONE, {"job": number})
            if not under_way and (why := _under_way(connection, number)):
                return why
            _forget_mail(connection, number, now)
            self._failpoint("forget.half")
            _forget_thread(connection, number, names)
            _forget_outgoing(connection, number)
            return ""

        why = await self._database.write(forgotten)
        self._failpoint("forget.case")
        return why

    async def grown_old(self, before: datetime, limit: int) -> tuple[str, ...]:
        values = {"before": before, "limit": limit}
        return await self._database.read(
            lambda c: tuple(map(case_name, c.scalars(_OLD, values | {"first": first_since(c, before)})))
        )

    async def age(self, case: str) -> bool:
        number = case_number(case)

        def aged(connection: Connection) -> bool:
            connection.execute(ALONE, {"job": number})
            if _under_way(connection, number):
                return False
            old = connection.execute(select(cases.c.data).where(cases.c.case_id == number)).scalar_one()
            connection.execute(update(cases).where(cases.c.case_id == number).values(data=aged_case(old)))
            _forget_raw(connection, number, self._clock.now())
            return True

        return await self._database.write(aged)

    async def forget_calls(self, named: Callable[[str], bool], *, dry_run: bool) -> int:
        """Empty the calls of MCP clients in which the person is named; that they were made stays."""

        def forgotten(connection: Connection) -> int:
            found = [row for row in connection.execute(_MCP_CALLS).all() if named(f"{row.arguments}\n{row.result}")]
            for row in [] if dry_run else found:
                same = (tool_results.c.run == row.run) & (tool_results.c.call == row.call)
                kept = row.result if row.result.startswith(OK) else FORGOTTEN
                connection.execute(update(tool_results).where(same).values(arguments="", result=kept))
            return len(found)

        return await (self._database.read if dry_run else self._database.write)(forgotten)

    async def shred(self) -> bool:
        return await self._database.shred()


def _sent_by(connection: Connection, same: Callable[[str], bool]) -> list[int]:
    """Numbers of cases by sender; of mails that were never read, by their From line."""
    rows = connection.execute(select(cases.c.case_id, cases.c.sender).order_by(cases.c.case_id))
    read = [(row.case_id, row.sender) for row in rows]
    known = [number for number, sender in read if sender and same(Address.read(sender).address)]
    unread = [number for number, sender in read if not sender]
    return sorted([*known, *(number for number in unread if _from_line_names(connection, number, same))])


def _from_line_names(connection: Connection, number: int, same: Callable[[str], bool]) -> bool:
    raw = connection.scalar(
        select(func.substr(raw_mails.c.raw, 1, HEADER, type_=raw_mails.c.raw.type)).where(raw_mails.c.case_id == number)
    )
    if raw is None:
        return False
    head = _BLANK_LINE.split(bytes(raw).decode("utf-8", "replace"), maxsplit=1)[0]
    return any(same(found.lower()) for line in _FROM.findall(head) for found in _ADDRESS.findall(line))


def _written(connection: Connection, number: int) -> list[tuple[str, str]]:
    """Kind and place of all that was written for a case."""
    done = effects.c.case_id == number, effects.c.state.in_([EffectState.DONE, EffectState.UNKNOWN])
    rows = connection.execute(select(effects.c.kind, effects.c.target, effects.c.result).where(*done))
    return [(row.kind, row.target or row.result) for row in rows]


def _person_case(connection: Connection, number: int) -> PersonCase:
    written = _written(connection, number)
    case = connection.execute(
        select(cases.c.outcome, cases.c.ticket, cases.c.sender).where(cases.c.case_id == number)
    ).one()
    made = connection.scalar(select(func.count()).where(letters.c.case_id == number, letters.c.state.in_(_SENT)))
    tickets = [key for _, key in written if key]
    return PersonCase(
        case=case_name(number),
        sender=case.sender or "",
        outcome=case.outcome or "",
        tickets=tuple(dict.fromkeys((*tickets, *([case.ticket] if case.ticket else [])))),
        worded=tuple(dict.fromkeys(key for kind, key in written if key and kind in WORDED)),
        letters=made or 0,
        under_way=_under_way(connection, number),
    )


def _under_way(connection: Connection, number: int) -> str:
    """Why the case is not over, empty if it is."""
    row = connection.execute(select(jobs.c.state, jobs.c.due).where(jobs.c.case_id == number)).one()
    if row.state == JobState.LEASED or row.due is not None:
        return "a worker has not finished it; run `triage work --until-idle` first, or wait"
    open_one = select(approvals.c.id).where(approvals.c.case_id == number, approvals.c.state == ApprovalState.OPEN)
    if (approval := connection.scalar(open_one.limit(1))) is not None:
        return f"no. {approval} waits for a person; answer it first: `triage approve {approval}` or `triage reject {approval}`"
    waiting = select(letters.c.id).where(letters.c.case_id == number, letters.c.due_at.is_not(None))
    if (letter := connection.scalar(waiting.limit(1))) is not None:
        return f"letter {letter} has not left; wait, or take it back: `triage undo {case_name(number)}`"
    return ""


def _forget_mail(connection: Connection, number: int, now: datetime) -> None:
    """The case itself, what was derived from its mail, and the conversation with the model."""
    mine = cases.c.case_id == number
    old = connection.execute(select(cases.c.data).where(mine)).scalar_one()
    new = forgotten_case(old, hashed(old.identity.thread_key), now)
    connection.execute(update(cases).where(mine).values(columns_of(new)))
    _forget_raw(connection, number, now)
    for table, values in _DERIVED:
        connection.execute(update(table).where(table.c.case_id == number).values(dict(values)))
    _forget_dialogue(connection, number)
    # The note of a write in doubt says since when; it holds no words.
    connection.execute(
        update(effects).where(effects.c.case_id == number, effects.c.state != EffectState.UNKNOWN).values(note="")
    )
    ended = {"state": JobState.DONE, "due": None, "behind": None, "again": False, "waiting_since": None}
    connection.execute(update(jobs).where(jobs.c.case_id == number).values(ended))
    _forget_events(connection, number)


def _forget_events(connection: Connection, number: int) -> None:
    for row in connection.execute(select(email_events).where(email_events.c.case_id == number)).all():
        facts = kept_facts(row.facts)
        connection.execute(update(email_events).where(email_events.c.id == row.id).values(facts=facts))


def _forget_dialogue(connection: Connection, number: int) -> None:
    """Remove what the conversation tells of the mail: attempts quote it, tags are words of it."""
    its = select(dialogue_messages.c.dialogue_id).where(dialogue_messages.c.case_id == number)
    for row in connection.execute(select(dialogues).where(dialogues.c.id.in_(its))).all():
        bare = replace(row.data, attempts=(), tags=())
        connection.execute(update(dialogues).where(dialogues.c.id == row.id).values(data=bare))


def _forget_raw(connection: Connection, number: int, now: datetime) -> None:
    """The raw bytes, here or in the archive, and what was said to models and tools; counts, times and costs stay."""
    connection.execute(delete(raw_mails).where(raw_mails.c.case_id == number))
    unwant(connection, number, now)
    runs = agent_runs.c.case_id == number
    silent = {"opening": (), "tool_calls_log": (), "final_message": "", "error": ""}
    connection.execute(update(agent_runs).where(runs).values(silent))
    named = f"{case_name(number)}/%"
    for row in connection.execute(select(llm_calls).where(llm_calls.c.run.like(named))).all():
        answer = Turn(text="", usage=row.answer.usage, model=row.answer.model, finish=row.answer.finish)
        same = (llm_calls.c.run == row.run) & (llm_calls.c.number == row.number)
        connection.execute(update(llm_calls).where(same).values(answer=answer))
    nothing = {"arguments": "", "result": ""}
    connection.execute(update(tool_results).where(tool_results.c.run.like(named)).values(nothing))
    _forget_traces(connection, number)


def _forget_traces(connection: Connection, number: int) -> None:
    traced = select(email_events.c.id, email_events.c.facts).where(
        email_events.c.case_id == number, email_events.c.name == "step.trace"
    )
    for row in connection.execute(traced).all():
        facts = kept_facts(row.facts)
        connection.execute(update(email_events).where(email_events.c.id == row.id).values(facts=facts))


def _forget_thread(connection: Connection, number: int, names: Collection[str]) -> None:
    """Message-IDs become hashes, which still find the ticket of a thread and a second delivery of the mail."""
    connection.execute(delete(mentions).where(mentions.c.case_id == number))
    for row in connection.execute(select(thread_ids).where(thread_ids.c.case_id == number)).all():
        same = (thread_ids.c.case_id == number) & (thread_ids.c.message_id == row.message_id)
        people = tuple(one for one in row.people or () if one not in names) or None
        connection.execute(update(thread_ids).where(same).values(message_id=hashed(row.message_id), people=people))
    trace = traces.c.case_id == number
    if name := connection.scalar(select(traces.c.message_id).where(trace)):
        connection.execute(update(traces).where(trace).values(message_id=hashed(name)))
    source = connection.scalar(select(mails.c.source_id).where(mails.c.id == number)) or ""
    if "@" in source:  # a provider that names its deliveries by Message-ID
        connection.execute(update(mails).where(mails.c.id == number).values(source_id=hashed(source)))


def _forget_letters(connection: Connection, number: int) -> None:
    for row in connection.execute(select(letters).where(letters.c.case_id == number)).all():
        bare = {"data": forgotten_letter(row.data), "person": "", "note": ""}
        stopped = {"due_at": None, "state": LetterState.CANCELLED} if row.due_at is not None else {}
        connection.execute(update(letters).where(letters.c.id == row.id).values(bare | stopped))


def _forget_outgoing(connection: Connection, number: int) -> None:
    """Letters, notices, notes on tickets, webhooks: what was told stays told, without its words."""
    _forget_letters(connection, number)
    silent = {"text": FORGOTTEN, "cure": "", "links": "", "stands": False, "due": None}
    # A key keeps its event from being told again; that of a dead mail holds the trouble's words.
    key = sql_case((notices.c.kind == NoticeKind.DEAD_CASE.value, None), else_=notices.c.key)
    connection.execute(update(notices).where(notices.c.case_name == case_name(number)).values(**silent, key=key))
    mine = select(approvals.c.id).where(approvals.c.case_id == number)
    keys = [f"approval {approval}" for approval in connection.scalars(mine)]
    bare = {"body": "", "written": "", "final": True, "due": None}
    connection.execute(update(ticket_notes).where(ticket_notes.c.key.in_(keys)).values(bare))
    closed = {"state": ApprovalState.EXPIRED}
    waiting = (approvals.c.case_id == number) & (approvals.c.state == ApprovalState.OPEN)
    connection.execute(update(approvals).where(waiting).values(closed))
    _forget_deliveries(connection, number)


def _forget_deliveries(connection: Connection, number: int) -> None:
    delivered = webhook_deliveries.c.case_id == number
    for row in connection.execute(select(webhook_deliveries).where(delivered)).all():
        payload = {"payload": _without_reason(row), "trouble": ""}
        connection.execute(update(webhook_deliveries).where(webhook_deliveries.c.id == row.id).values(payload))


def _without_reason(row: AnyRow) -> str:
    data = json.loads(row.payload)
    return json.dumps({**data, "data": {**data["data"], "reason": ""}})


def _holds(table: Table, address: str) -> ColumnElement[bool]:
    return func.lower(type_coerce(table.c.data, Text)).contains(address, autoescape=True)
