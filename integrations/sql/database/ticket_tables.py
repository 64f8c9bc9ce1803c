"""The tables of the copy of Jira's tickets."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text, text

from integrations.sql.database.schema import metadata, number_of_row
from integrations.sql.database.types import IndexedText, JsonDataclass, UtcDateTime
from triage.domain.tickets import Ticket

ticket_numbers: Final = Table(
    "ticket_numbers",
    metadata,
    Column("project", Text, primary_key=True),
    Column("highest", Integer, nullable=False),
)


# The search index over them is a file of each host: see `integrations/search_index`.
tickets: Final = Table(
    "tickets",
    metadata,
    number_of_row(),
    Column("key", IndexedText, nullable=False, unique=True),
    Column("project", Text, nullable=False, index=True),
    Column("number", Integer, nullable=False, server_default=text("0")),
    Column("updated", UtcDateTime),
    # NULL: only announced so far, or gone.
    Column("data", JsonDataclass(Ticket)),
    Column("doubted_at", UtcDateTime, index=True),
    # Hash of title and description in which a forgotten person's words stand: they are not stored again.
    Column("withheld", Text),
    # From the project's row in `ticket_changes`; NULL for a ticket that was only announced.
    Column("change", BigInteger),
    # Copied from `data`, so that workloads are counted without decoding tickets.
    Column("assignee", IndexedText),
    Column("category", Text),
    Index("ix_tickets_load", "project", "category", "assignee"),
    Index("ix_tickets_change", "project", "change"),
    Index("ix_tickets_number", "project", "number"),
)


# One row per project, locked by each writer until its commit, so that changes become visible in their order.
ticket_changes: Final = Table(
    "ticket_changes",
    metadata,
    Column("project", Text, primary_key=True),
    Column("last", BigInteger, nullable=False),
)


ticket_coverage: Final = Table(
    "ticket_coverage",
    metadata,
    Column("project", Text, primary_key=True),
    Column("lowest", Integer, nullable=False),
    Column("as_of", UtcDateTime, nullable=False),
    Column("checked", Integer),
    Column("reconciled", UtcDateTime),
)
