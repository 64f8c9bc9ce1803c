"""The port `LetterStore`."""

from integrations.sql.letters.store import SqlLetters

__all__ = ["SqlLetters"]
