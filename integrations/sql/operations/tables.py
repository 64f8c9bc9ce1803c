"""The tables of operations: access tokens."""

from typing import Final

from sqlalchemy import Column, Integer, Table, Text

from integrations.sql.database.schema import metadata
from integrations.sql.database.types import SafeText, UtcDateTime

api_tokens: Final = Table(
    "api_tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    # Hex SHA-256 of the token, which is kept nowhere.
    Column("digest", Text, nullable=False, unique=True),
    Column("name", SafeText, nullable=False),
    Column("scope", Text, nullable=False),
    Column("person", SafeText, nullable=False),
    Column("hint", Text, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("revoked_at", UtcDateTime),
    Column("used_at", UtcDateTime),
)
