"""The REST API: one module per thing, each with a table of its endpoints."""
