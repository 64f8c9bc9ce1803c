"""The store in SQLite or PostgreSQL: `store` is the entry point, `schema` holds the tables."""
