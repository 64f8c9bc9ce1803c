"""Cases, jobs and journal in SQLite or PostgreSQL: `store` is the face, `schema` the tables."""
