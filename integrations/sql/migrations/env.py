"""Alembic's entry point: runs the revisions in the given connection's transaction."""

from alembic import context

from integrations.sql.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
