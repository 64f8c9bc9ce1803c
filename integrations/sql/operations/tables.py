"""The tables of operations: access tokens, accounts and their sessions, webhooks out, facts for insights, grants of mailboxes."""

from typing import Final

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, LargeBinary, Table, Text

from integrations.sql.database.schema import case_of_row, metadata, partial
from integrations.sql.database.types import IndexedText, SafeText, UtcDateTime

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

accounts: Final = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("address", SafeText, nullable=False, unique=True),
    Column("name", SafeText, nullable=False),
    Column("scope", Text, nullable=False),
    # Argon2 with salt and parameters; empty: he signs in through a provider alone.
    Column("password", Text, nullable=False),
    Column("issuer", SafeText, nullable=False),
    Column("subject", SafeText, nullable=False),
    Column("managed", Boolean, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("disabled_at", UtcDateTime),
    Column("signed_in_at", UtcDateTime),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    # Hex SHA-256 of the cookie, which is kept nowhere.
    Column("digest", Text, nullable=False, unique=True),
    Column("account", Integer, ForeignKey("accounts.id")),
    Column("token", Integer, ForeignKey("api_tokens.id")),
    Column("peer", Text, nullable=False),
    Column("agent", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    Column("ended_at", UtcDateTime),
    Index("ix_sessions_account", "account"),
)

# What people changed that leaves no other row. Never emptied.
changes: Final = Table(
    "changes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("case_id", Integer, ForeignKey("mails.id"), index=True),
    Column("kind", Text, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("detail", SafeText, nullable=False),
)

# The Jira project that the workers on this database write to, and when one of them last said so.
tracker_claims: Final = Table(
    "tracker_claims",
    metadata,
    Column("name", Text, primary_key=True),
    Column("tracker", SafeText, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
)

webhooks_out: Final = Table(
    "webhooks_out",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("url", SafeText, nullable=False),
    # Signs every delivery, so it is stored as it is.
    Column("secret", Text, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("trouble", SafeText, nullable=False),
)

webhook_deliveries: Final = Table(
    "webhook_deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("webhook", Integer, ForeignKey("webhooks_out.id"), nullable=False),
    Column("case_id", Integer, ForeignKey("mails.id"), nullable=False),
    Column("payload", SafeText, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("trouble", SafeText, nullable=False),
    partial("ix_webhook_deliveries_due_at", "due_at", where="state = 'waiting'"),
    Index("ix_webhook_deliveries_webhook", "webhook", "id"),
)

# A row for each ended case, so that insights read no case. Texts are empty where nothing is known.
case_facts: Final = Table(
    "case_facts",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    # On which the mail was accepted (UTC), as ISO 8601.
    Column("day", Text, nullable=False, index=True),
    # From the mail to its first ticket; NULL: it has none.
    Column("seconds", Double),
    Column("project", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("component", IndexedText, nullable=False),
    Column("language", Text, nullable=False),
    Column("joined", Text, nullable=False),
)

mail_grants: Final = Table(
    "mail_grants",
    metadata,
    Column("account", IndexedText, primary_key=True),
    Column("client", SafeText, nullable=False),
    # Access and refresh token, encrypted with a key that is not in the database.
    Column("sealed", LargeBinary, nullable=False),
    Column("scope", SafeText, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("granted_at", UtcDateTime, nullable=False),
    Column("renewed_at", UtcDateTime, nullable=False),
    Column("trouble", SafeText, nullable=False),
    # The process that renews it now; nobody: empty.
    Column("turn", Text, nullable=False),
    Column("turn_until", UtcDateTime),
)
