"""Migrations of the schema, one revision a file, in order."""

from typing import Final

HEAD: Final = "0048"
"""The newest revision; known without loading alembic, which takes a quarter of a second."""
