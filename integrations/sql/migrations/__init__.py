"""How the tables became what they are: one revision after the other, numbered so that a later one sorts later."""

from typing import Final

HEAD: Final = "0016"
"""The newest revision; known without loading alembic, which takes a quarter of a second."""
