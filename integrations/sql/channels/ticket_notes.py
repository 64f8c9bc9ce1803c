"""The ports `TicketNotes` and `Commands`: our comments on tickets that change, and what people answered there."""

from dataclasses import asdict
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, func, select, update

from integrations.sql.database.channel_tables import command_positions, heard_commands, ticket_notes
from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.database.rows import AnyRow, case_name, noun_of
from integrations.sql.database.schema import cases, effects
from integrations.sql.database.types import indexable
from triage.domain.channels.ticket_notes import HeardCommand, Hearing, TicketNote
from triage.domain.effects import EffectState

_NOW: Final = bindparam("now", type_=ticket_notes.c.due.type)
_STANDING: Final = select(ticket_notes).where(~ticket_notes.c.final).order_by(ticket_notes.c.made_at)
_NEXT: Final = select(ticket_notes.c.key).where(ticket_notes.c.due <= _NOW).order_by(ticket_notes.c.due).limit(1)
_LEASE: Final = (
    update(ticket_notes)
    .where(ticket_notes.c.key == bindparam("of"), ticket_notes.c.due <= _NOW)
    .values(due=bindparam("until", type_=ticket_notes.c.due.type), tries=ticket_notes.c.tries + 1)
    .returning(*ticket_notes.c)
)
_RELEASED: Final = (
    update(heard_commands)
    .where(heard_commands.c.comment == bindparam("of"), heard_commands.c.leased_until <= _NOW)
    .values(leased_until=bindparam("until", type_=heard_commands.c.leased_until.type))
    .returning(heard_commands.c.comment)
)


class SqlTicketNotes(TimedPart):
    """The ports `TicketNotes` and `Commands`: one row per note; a row is due while the comment says something else than it shall."""

    async def want(self, note: TicketNote) -> None:
        of = ticket_notes.c.key == indexable(note.key)
        known = await self._database.read(lambda c: c.execute(select(ticket_notes).where(of)).first())
        if known is not None and (known.final or (known.body, known.final) == (note.body, note.final)):
            return
        now = self._clock.now()
        row_values = {"body": note.body, "shown": note.shown, "final": note.final, "due": now}
        new = {"key": note.key, "ticket": note.ticket, "comment": "", "written": "", "tries": 0, "made_at": now}
        insert = insert_once(ticket_notes, postgres=self._database.postgres)

        def want(connection: Connection) -> None:
            connection.execute(insert, {**new, **row_values})
            connection.execute(update(ticket_notes).where(of, ~ticket_notes.c.final).values(row_values))

        await self._database.write(want)

    async def standing(self) -> tuple[TicketNote, ...]:
        return await self._database.read(lambda c: tuple(_note(row) for row in c.execute(_STANDING)))

    async def due(self, until: datetime) -> TicketNote | None:
        """Lease a note that does not say yet what it shall."""
        now = self._clock.now()
        key = await self._database.read(lambda c: c.scalar(_NEXT, {"now": now}))
        if key is None:
            return None
        given = {"now": now, "of": key, "until": until}
        row = await self._database.write(lambda c: c.execute(_LEASE, given).first())
        return None if row is None else _note(row)

    async def written(self, note: TicketNote, comment: str) -> None:
        """The comment says the note's body; if another is wanted since, that stays due."""
        of = ticket_notes.c.key == indexable(note.key)
        same = update(ticket_notes).where(of, ticket_notes.c.body == note.body).values(due=None)
        statement = update(ticket_notes).where(of).values(comment=comment, written=note.body)

        def written(connection: Connection) -> None:
            connection.execute(statement)
            connection.execute(same)

        await self._database.write(written)

    async def later(self, note: TicketNote, due: datetime | None) -> None:
        of = ticket_notes.c.key == indexable(note.key)
        await self._database.write(lambda c: c.execute(update(ticket_notes).where(of).values(due=due)))

    # --- Commands ---------------------------------------------------------------------------------

    async def position(self, project: str) -> int | None:
        statement = select(command_positions.c.change).where(command_positions.c.project == project)
        return await self._database.read(lambda c: c.scalar(statement))

    async def moved(self, project: str, change: int) -> None:
        insert = self._database.insert(command_positions).values(project=project, change=change)
        moved = insert.on_conflict_do_update(index_elements=["project"], set_={"change": change})
        await self._database.write(lambda c: c.execute(moved))

    async def written_by_us(self, key: str) -> str:
        """The latest case that wrote to this ticket, or made it."""
        done = effects.c.state == EffectState.DONE
        wrote = select(func.max(effects.c.case_id)).where(effects.c.target == key, done)
        made = select(func.max(cases.c.case_id)).where(cases.c.ticket == key)

        def latest(connection: Connection) -> str:
            number = connection.scalar(wrote) or connection.scalar(made)
            return case_name(number) if number else ""

        return await self._database.read(latest)

    async def touched(self, key: str) -> bool:
        effect = select(effects.c.id).where(effects.c.target == key).limit(1)
        note = select(ticket_notes.c.key).where(ticket_notes.c.ticket == key).limit(1)
        return await self._database.read(lambda c: (c.scalar(effect) or c.scalar(note)) is not None)

    async def hear(self, command: HeardCommand, until: datetime) -> Hearing:
        """Lease a command, unless it was carried out or another process has it. A known one costs no commit."""
        now = self._clock.now()
        known = select(heard_commands.c.leased_until).where(heard_commands.c.comment == command.comment)
        if (row := await self._database.read(lambda c: c.execute(known).first())) and not _free(row, now):
            return Hearing.DONE if row.leased_until is None else Hearing.HELD
        row_of = asdict(command) | {"leased_until": until, "told": ""}
        insert = self._database.insert(heard_commands).values(row_of).on_conflict_do_nothing()
        first = insert.returning(heard_commands.c.comment)

        def hear(connection: Connection) -> bool:
            given = {"of": command.comment, "now": now, "until": until}
            return bool(connection.scalar(first) or connection.scalar(_RELEASED, given))

        return Hearing.MINE if await self._database.write(hear) else Hearing.HELD

    async def obeyed(self, comment: str, answer: str) -> None:
        done = update(heard_commands).where(heard_commands.c.comment == comment)
        await self._database.write(lambda c: c.execute(done.values(leased_until=None, told=answer)))


def _free(row: AnyRow, now: datetime) -> bool:
    return row.leased_until is not None and row.leased_until <= now


def _note(row: AnyRow) -> TicketNote:
    return noun_of(TicketNote, row)
