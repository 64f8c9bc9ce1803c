"""The queue of letters: each queued once by its key, leased by one sender at a time."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, func, select, update

from integrations.sql.database.decision_tables import letter_beginnings, letters
from integrations.sql.database.engine import Database, insert_once
from integrations.sql.database.rows import AnyRow, case_number
from integrations.sql.database.types import indexable
from integrations.sql.decisions.kill_switch import standing as paused
from triage.domain.letters import DOUBTFUL, Letter, LetterKind, LetterState, Returned
from triage.domain.letters.errors import LetterGone, TooManyLetters
from triage.domain.ports import Clock, Failpoint

DAY: Final = timedelta(days=1)
MINUTE: Final = timedelta(minutes=1)
LOCK: Final = 0x6C65_7474_6572  # "letter"
TAKEN: Final = {LetterState.WAITING: LetterState.SENDING, LetterState.SENDING: LetterState.UNKNOWN}
"""State of a leased letter by its state before: one whose lease ran out while it was sent may have left."""
_ALONE: Final = select(func.pg_advisory_xact_lock(LOCK))
_IN_DOUBT_OR_OUT: Final = frozenset({LetterState.SENT, *DOUBTFUL})


class SqlLetters:
    """The port `LetterStore`: each method is one transaction."""

    def __init__(self, database: Database, clock: Clock, failpoint: Failpoint) -> None:
        self._database = database
        self._clock = clock
        self._failpoint = failpoint

    async def queue(self, letter: Letter, *, most: int | None = None) -> Letter:
        now, add = self._clock.now(), insert_once(letters, postgres=self._database.postgres)
        row = letter_row(replace(letter, queued_at=now))
        known = select(letters).where(letters.c.key == letter.key)

        def queued(connection: Connection) -> Letter:
            found = connection.execute(known).first()
            if found is not None:
                return letter_of(found)
            self._alone(connection)
            if most is not None and (connection.scalar(_written(letter.person, now - DAY)) or 0) >= most:
                raise TooManyLetters(most)
            connection.execute(add, row)
            return letter_of(connection.execute(known).one())

        kept = await self._database.write(queued)
        self._failpoint("letter.queued")
        return kept

    async def lease(self, seconds: float, *, per_minute: int) -> Letter | None:
        """The next letter that is due, in the state that says what to do with it."""
        now = self._clock.now()
        until = now + timedelta(seconds=seconds)

        def leased(connection: Connection) -> Letter | None:
            self._alone(connection)
            full = (connection.scalar(_begun(now - MINUTE)) or 0) >= per_minute
            stays = full or paused(connection) is not None  # what was begun is still looked for
            row = connection.execute(_due(now, without=LetterState.WAITING if stays else None)).first()
            if row is None:
                return None
            letter = letter_of(row)
            taken = replace(letter, state=TAKEN.get(letter.state, letter.state), due_at=until)
            if letter.state is LetterState.WAITING:
                taken = replace(taken, started_at=now, attempts=letter.attempts + 1)
            connection.execute(update(letters).where(letters.c.id == letter.id).values(**standing(taken)))
            return taken

        letter = await self._database.write(leased)
        if letter is not None:
            self._failpoint("letter.leased")
        return letter

    async def settle(self, letter: Letter, *, was: Collection[LetterState]) -> bool:
        """Commit what has become of a letter, if it is still in one of these states."""
        these = (letters.c.id == letter.id) & letters.c.state.in_(list(was))
        statement = update(letters).where(these).values(**standing(letter)).returning(letters.c.id)
        return await self._database.write(lambda c: c.execute(statement).first() is not None)

    async def cancel(self, number: int, by: str) -> Letter:
        waits = (letters.c.id == number) & (letters.c.state == LetterState.WAITING)
        over = {"state": LetterState.CANCELLED, "due_at": None, "decided_by": by, "note": f"{by} took it back"}
        statement = update(letters).where(waits).values(**over).returning(*letters.c)
        row = await self._database.write(lambda c: c.execute(statement).first())
        if row is None:
            raise LetterGone(number)
        return letter_of(row)

    async def returned(self, back: Returned) -> Letter | None:
        """Record what came back; whatever comes back proves that the letter had left."""

        def recorded(connection: Connection) -> Letter | None:
            row = connection.execute(select(letters).where(letters.c.key == back.key).with_for_update()).first()
            if row is None:
                return None
            letter = replace(letter_of(row), note=back.note)
            if letter.state in _IN_DOUBT_OR_OUT:
                letter = replace(letter, state=LetterState.BOUNCED if back.bounced else LetterState.SENT)
                letter = letter if letter.state is LetterState.SENT else replace(letter, due_at=None)
            connection.execute(update(letters).where(letters.c.id == letter.id).values(**standing(letter)))
            return letter

        return await self._database.write(recorded)

    async def letters(
        self,
        limit: int = 50,
        *,
        case: str | None = None,
        number: int | None = None,
        state: LetterState | None = None,
        before: int | None = None,
    ) -> tuple[Letter, ...]:
        statement = select(letters).order_by(letters.c.id.desc()).limit(limit)
        job = None if case is None else case_number(case)
        wanted = ((letters.c.case_id, job), (letters.c.id, number), (letters.c.state, state))
        statement = statement.where(*(column == value for column, value in wanted if value is not None))
        if before is not None:
            statement = statement.where(letters.c.id < before)
        return await self._database.read(lambda c: tuple(letter_of(row) for row in c.execute(statement)))

    async def written(self, person: str, since: datetime) -> int:
        return await self._database.read(lambda c: c.scalar(_written(person, since)) or 0)

    async def next_due(self) -> float | None:
        due = await self._database.read(lambda c: c.scalar(select(func.min(letters.c.due_at))))
        return None if due is None else max(0.0, (due - self._clock.now()).total_seconds())

    async def began(self, kind: LetterKind, at: datetime) -> datetime:
        """The moment from which letters of this kind are sent. Asks first, so that all but the first call cost no commit."""
        statement = select(letter_beginnings.c.at).where(letter_beginnings.c.kind == kind.value)
        known: datetime | None = await self._database.read(lambda c: c.scalar(statement))
        if known is not None:
            return known
        once = insert_once(letter_beginnings, postgres=self._database.postgres)

        def first(connection: Connection) -> datetime:
            connection.execute(once, {"kind": kind.value, "at": at.replace(microsecond=0)})
            kept: datetime = connection.execute(statement).scalar_one()
            return kept

        return await self._database.write(first)

    def _alone(self, connection: Connection) -> None:
        """Keep others from counting until the commit; SQLite's transaction is a lock itself."""
        if self._database.postgres:
            connection.execute(_ALONE)


def _written(person: str, since: datetime) -> Select[int]:
    return (
        select(func.count())
        .select_from(letters)
        .where(letters.c.person == indexable(person.lower()), letters.c.queued_at > since)
        .where(letters.c.automatic, letters.c.state != LetterState.CANCELLED)
    )


def _begun(since: datetime) -> Select[int]:
    return select(func.count()).select_from(letters).where(letters.c.started_at > since)


def _due(now: datetime, without: LetterState | None) -> Select[tuple[object, ...]]:
    """The letter that is due for the longest time, unless it is in the state `without`."""
    statement = select(letters).where(letters.c.due_at <= now).order_by(letters.c.due_at, letters.c.id).limit(1)
    return statement if without is None else statement.where(letters.c.state != without)


def letter_of(row: AnyRow) -> Letter:
    """A letter, with what has become of it since."""
    letter: Letter = row.data
    return replace(
        letter,
        id=row.id,
        state=LetterState(row.state),
        queued_at=row.queued_at,
        due_at=row.due_at,
        started_at=row.started_at,
        attempts=row.attempts,
        by=row.decided_by,
        note=row.note,
    )


def letter_row(letter: Letter) -> dict[str, Any]:
    """The columns of a new letter, without its number."""
    return {
        "case_id": case_number(letter.case),
        "key": letter.key,
        "data": letter,
        "person": letter.person,
        "automatic": letter.automatic,
        "queued_at": letter.queued_at,
        **standing(letter),
    }


def standing(letter: Letter) -> dict[str, Any]:
    """The columns that change."""
    return {
        "state": letter.state,
        "due_at": letter.due_at,
        "started_at": letter.started_at,
        "attempts": letter.attempts,
        "decided_by": letter.by,
        "note": letter.note,
    }
