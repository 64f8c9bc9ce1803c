"""What alembic runs: the revisions, on the connection and in the transaction it is given."""

from alembic import context

from integrations.sql.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
