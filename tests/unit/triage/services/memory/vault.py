"""A vault in a folder of the test, as wiring builds it, and a clock that a test moves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cli.wiring.memory.notes import note_rules
from integrations.vault.markdown_vault import MarkdownVault
from triage.services.memory.notes import NoteService


class Hours:
    """A clock that is an hour later each time that it is asked."""

    def __init__(self) -> None:
        self._now = datetime(2026, 11, 22, 10, tzinfo=UTC)

    def now(self) -> datetime:
        """The time."""
        self._now += timedelta(hours=1)
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass, at once."""
        self._now += timedelta(seconds=seconds)


def notes_in(folder: Path) -> NoteService:
    """The service over a real folder."""
    vault = MarkdownVault(folder, note_rules(), create=True)
    return NoteService(vault=vault, kept=vault, clock=Hours())
