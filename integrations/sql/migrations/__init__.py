"""Migrations of the schema, one revision a file, in order."""

from typing import Final

OLDEST: Final = "0015"
"""The revision that makes the first tables; a database may have this one, or a later one."""
HEAD: Final = "0048"
"""The newest revision; known without loading alembic, which takes a quarter of a second."""
