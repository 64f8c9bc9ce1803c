"""Reads a raw mail, wherever it is; the table of those in the archive."""

import hashlib
from bisect import bisect_left
from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol, TypeVar

from sqlalchemy import Column, Connection, Table, Text, and_, func, select, text

from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import case_of_row, mails, metadata, partial, raw_mails
from integrations.sql.database.types import UtcDateTime
from triage.domain.errors import CaseNotFound
from triage.domain.mail import CopyState
from triage.domain.operations.errors import ArchivedMailLost, MailGone
from triage.domain.ports import ObjectStore

LEFT: Final = text("state <> 'kept'")
"""Copies that something is still to be done about; a text, so that PostgreSQL takes the index whatever the values are."""
archived_mails: Final = Table(
    "archived_mails",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    # Serves the search for copies that have to go.
    partial("ix_archived_mails_state", "state", "at", where=LEFT.text),
)

T = TypeVar("T")

_MAIL: Final = (
    select(mails.c.sha256, raw_mails.c.raw, archived_mails.c.key)
    .select_from(mails)
    .outerjoin(raw_mails, raw_mails.c.case_id == mails.c.id)
    .outerjoin(archived_mails, and_(archived_mails.c.case_id == mails.c.id, archived_mails.c.state == CopyState.KEPT))
    .where(mails.c.id == JOB)
)
_NEWEST: Final = select(func.max(mails.c.id))
_ACCEPTED: Final = select(mails.c.accepted_at).where(mails.c.id >= JOB).order_by(mails.c.id).limit(1)


def first_since(connection: Connection, since: datetime) -> int:
    """The number from which mails are younger: they are in the order of time, so a million are halved twenty times."""

    def accepted(number: int) -> datetime:
        at: datetime = connection.execute(_ACCEPTED, {"job": number}).scalar_one()
        return at

    return 1 + bisect_left(range(1, (connection.scalar(_NEWEST) or 0) + 1), since, key=accepted)


class RunsReads(Protocol):
    """Runs a function of a connection, which reads by a single statement."""

    async def __call__(self, work: Callable[[Connection], T]) -> T:
        """Return the result of `work`. Raises `StoreDown`."""


class RawMails:
    """One statement says where the mail is; whoever asks notices no difference but time."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    async def of(self, number: int, read: RunsReads) -> bytes:
        """The raw mail of a case. Raises `CaseNotFound`, `MailGone`, `StoreDown`, `ArchiveDown`, `ArchiveDenied`, `ArchivedMailLost`."""
        row = await read(lambda c: c.execute(_MAIL, {"job": number}).first())
        if row is None:
            raise CaseNotFound(case_name(number))
        if row.raw is not None:
            return bytes(row.raw)
        if row.key is None:
            raise MailGone(case_name(number))
        try:
            raw = await self._objects.get(row.key)
        except ArchivedMailLost:
            if await self._still(number, row.key, read):
                raise
            raise MailGone(case_name(number)) from None
        if hashlib.sha256(raw).hexdigest() != row.sha256:
            raise ArchivedMailLost(row.key)
        return raw

    async def _still(self, number: int, key: str, read: RunsReads) -> bool:
        """Whether the copy should be there: the mail may have been forgotten since the first look."""
        row = await read(lambda c: c.execute(_MAIL, {"job": number}).first())
        return row is not None and row.key == key
