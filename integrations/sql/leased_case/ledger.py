"""The port `Ledger`: rows of effects."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Executable, bindparam, select, update

from integrations.sql.database.engine import insert_into, insert_once
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import AnyRow, effect_of, values_of
from integrations.sql.database.schema import effects
from integrations.sql.database.ticket_tables import ticket_numbers
from integrations.sql.decisions.kill_switch import standing
from integrations.sql.leased_case.fence import Fence
from integrations.sql.leased_case.reports import reports_on
from triage.domain.effects import Effect, EffectState, Reports
from triage.domain.errors import Paused
from triage.domain.tickets import Ticket

Put = Callable[[Connection, Sequence[Ticket]], None]
"""Stores tickets in a transaction."""

_PLACE: Final[BindParameter[Any]] = bindparam("place")
_SETTLE: Final = update(effects).where(effects.c.case_id == JOB, effects.c.key == _PLACE).returning(effects)
_EFFECT: Final = select(effects).where(effects.c.key == _PLACE)
_EFFECTS: Final = select(effects).where(effects.c.case_id == JOB).order_by(effects.c.id)
_ATTACHED: Final = (
    select(effects.c.id)
    .where(effects.c.body_hash == _PLACE, effects.c.kind == "attach", effects.c.target == bindparam("ticket"))
    .where(effects.c.state == EffectState.DONE)
    .limit(1)
)
_HIGHEST: Final = select(ticket_numbers.c.highest).where(ticket_numbers.c.project == _PLACE)


_FREE: Final = select(ticket_numbers.c.project).where(
    ticket_numbers.c.project == _PLACE, ticket_numbers.c.highest < bindparam("number")
)
_SAW: Final = (
    update(ticket_numbers)
    .where(ticket_numbers.c.project == _FREE.with_for_update(skip_locked=True).scalar_subquery())
    .values(highest=bindparam("number"))
)
"""Whoever finds the row locked leaves it: another process is writing a number that is as good."""


class SqlLedger:
    """The port `Ledger`: one row per effect, unique by its key; nobody else writes the case's rows while the lease holds."""

    def __init__(self, fence: Fence, put: Put) -> None:
        self._fence = fence
        self._put = put
        self._read: tuple[Effect, ...] | None = () if fence.first else None
        """The case's rows; None before the first look and after a write that failed."""
        self._unseen: set[str] = set()
        """Projects that had no number when they were looked for; to insert one would wait for who writes another."""
        self._highest: dict[str, int] = {}
        """By project, as last read: a number only rises, and a search for a lost ticket that starts lower finds it, too."""

    async def intend(self, effect: Effect) -> Effect:
        """Commit the intent; if the key is known, return the stored row unchanged. Raises `Paused`: nothing is sent without an intent."""
        intent = _intent(postgres=self._fence.postgres)
        row = self._fence.stamp("intended_at") | values_of(effect)

        def intended(connection: Connection) -> AnyRow:
            if (pause := standing(connection)) is not None:
                raise Paused(pause.by, pause.why)
            new = connection.execute(intent, row).first()
            return new or connection.execute(_EFFECT, {"place": effect.key}).one()

        before, self._read = self._read, None
        standing_row = await self._fence.write_by(intended)
        kept = effect_of(standing_row)
        self._read = _with(before, kept) if standing_row.case_id == self._fence.job else before
        self._fence.failpoint("effect.intent")
        return kept

    async def settle(self, effect: Effect) -> None:
        """Commit the effect's new state. Raises `LookupError` if it was never intended."""
        became = {
            "state": effect.state,
            "result": effect.result,
            "note": effect.note,
            "posts": effect.posts,
            "body_hash": effect.body_hash,
        }
        which = {"job": self._fence.job, "place": effect.key}
        before, self._read = self._read, None
        rows = await self._fence.write((_SETTLE, {**became, "settled_at": self._fence.now(), **which}))
        if not rows:
            raise LookupError(f"{effect.key} was never intended")
        self._read = _with(before, effect_of(rows[0]))
        if effect.state is EffectState.DONE:
            self._fence.failpoint("effect.committed")

    async def effects(self) -> tuple[Effect, ...]:
        if self._read is None:
            self._read = tuple(effect_of(row) for row in await self._fence.rows(_EFFECTS, job=self._fence.job))
        return self._read

    async def attached(self, ticket: str, sha256: str) -> bool:
        return bool(await self._fence.rows(_ATTACHED, place=sha256, ticket=ticket))

    async def reports(self, ticket: str) -> Reports:
        return await self._fence.read_by(lambda c: reports_on(c, ticket, self._fence.job))

    async def highest(self, project: str) -> int:
        if project not in self._highest:
            stored = await self._fence.value(_HIGHEST, place=project)
            self._unseen |= {project} if stored is None else set()
            self._highest[project] = stored or 0
        return self._highest[project]

    async def saw(self, project: str, number: int) -> None:
        """Remember a ticket number, with the case's next write, if nobody remembers one at the same moment; it waits for no lock."""
        if number > await self.highest(project):
            self._highest[project] = number
            if project in self._unseen:
                self._unseen.discard(project)
                first = insert_once(ticket_numbers, postgres=self._fence.postgres)
                self._fence.defer(f"first of {project}", (first, {"project": project, "highest": number}))
            self._fence.defer(f"saw {project}", (_SAW, {"place": project, "number": number}))

    async def made(self, tickets: Sequence[Ticket]) -> None:
        self._fence.defer_last("made", lambda connection: self._put(connection, tickets))


@cache
def _intent(*, postgres: bool) -> Executable:
    """Insert a row and return it; no row if the key is known."""
    return insert_into(effects, postgres=postgres).on_conflict_do_nothing().returning(effects)


def _with(known: tuple[Effect, ...] | None, written: Effect) -> tuple[Effect, ...] | None:
    """The case's rows after a write; one that is new stands last."""
    return None if known is None else tuple(({one.key: one for one in known} | {written.key: written}).values())
