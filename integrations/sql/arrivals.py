"""The statements of intake: raw bytes, mail, case and job of each new mail."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, func, insert, literal_column, select

from integrations.sql.database.engine import insert_into
from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import cases, jobs, mails, raw_mails
from integrations.sql.database.types import indexable
from integrations.sql.fair_order import key_of, places
from integrations.sql.tokens import refused
from triage.domain.cases import Case
from triage.domain.mail import Received
from triage.domain.ports import Failpoint

LOCK: Final = 0x696E_7461_6B65  # "intake"

Delivery = tuple[str, str]
"""Source and source id as stored; equal for a repeated delivery."""


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a batch."""

    replayed: frozenset[int]
    """Indexes of mails whose token another mail has used: they are not stored."""
    numbers: Sequence[int]
    """Case numbers of all other mails, in the batch's order."""
    new: bool
    """Whether at least one was not stored before."""


@cache
def _new_mails(*, postgres: bool) -> Any:
    statement = insert_into(mails, postgres=postgres).on_conflict_do_nothing(index_elements=["source", "source_id"])
    return statement.returning(mails.c.source, mails.c.source_id, mails.c.id)


NEW_RAW: Final = insert(raw_mails)
# Columns that are empty until the mail is parsed are literals: each bound value costs as much as a row.
NEW_CASES: Final = insert(cases).values(
    dict.fromkeys(("lane", "sender", "subject", "reason", "words"), literal_column("''"))
)
NEW_JOBS: Final = insert(jobs)
ID_OF: Final = select(mails.c.id)


def write(connection: Connection, given: Sequence[Received], now: datetime, failpoint: Failpoint) -> Written:
    """Store the new mails of a batch."""
    postgres = connection.dialect.name == "postgresql"
    if postgres:  # one writer at a time, as in SQLite, so numbers follow arrival
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    replayed = refused(connection, given, now)
    batch = [(_delivery(received), received) for place, received in enumerate(given) if place not in replayed]
    if not batch:
        return Written(replayed, (), new=False)
    rows = connection.execute(_new_mails(postgres=postgres), [_mail(*one, now) for one in batch])
    known = {(source, source_id): number for source, source_id, number in rows}
    meant = dict(reversed(batch))  # of duplicates in the batch the first counts
    new = [(number, meant[delivery]) for delivery, number in known.items()]
    if new:
        _write_new(connection, new, now, failpoint)
    for delivery in meant.keys() - known.keys():
        known[delivery] = _number_of(connection, delivery)
    return Written(replayed, [known[delivery] for delivery, _ in batch], new=bool(new))


def _write_new(
    connection: Connection, new: Sequence[tuple[int, Received]], now: datetime, failpoint: Failpoint
) -> None:
    """Store raw bytes, cases and jobs; the lock makes sure that no other writer has used a higher number."""
    connection.execute(NEW_RAW, [{"case_id": number, "raw": received.raw} for number, received in new])
    failpoint("raw.written")
    connection.execute(NEW_CASES, [{"case_id": number, "data": _case(number, received)} for number, received in new])
    connection.execute(NEW_JOBS, _jobs(connection, new, now))
    failpoint("row.inserted")


def _jobs(connection: Connection, new: Sequence[tuple[int, Received]], now: datetime) -> list[dict[str, Any]]:
    """The rows of jobs, each with its place in the fair order."""
    found = places(connection, [received for _, received in new], now)
    return [
        {
            "case_id": number,
            "due": now,
            "turn": place.turn,
            "sender": key_of(received)[0],
            "mailbox": key_of(received)[1],
            "opens": place.first,
            "automated": received.flow.automated,
        }
        for (number, received), place in zip(new, found, strict=True)
    ]


def _number_of(connection: Connection, delivery: Delivery) -> int:
    """The case number of a delivery stored before."""
    source, source_id = delivery
    return int(connection.execute(ID_OF.where(mails.c.source == source, mails.c.source_id == source_id)).scalar_one())


def _delivery(received: Received) -> Delivery:
    return indexable(received.source), indexable(received.source_id)


def _mail(delivery: Delivery, received: Received, now: datetime) -> dict[str, Any]:
    return {
        "source": delivery[0],
        "source_id": delivery[1],
        "received_at": received.at,
        "accepted_at": now,
        "size": len(received.raw),
        "sha256": hashlib.sha256(received.raw).hexdigest(),
    }


def _case(number: int, received: Received) -> Case:
    """The case of a mail that is not parsed yet."""
    return Case(
        id=case_name(number),
        source=received.source,
        received_at=received.at,
        verdict=received.verdict,
        stub=received.stub,
    )
