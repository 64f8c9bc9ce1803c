"""Builds the note service over the vault's folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.services.memory.notes import NoteService

FOLDER: Final = "memory"
"""The vault where the database is no file."""
REST: Final = 1.0
"""Seconds for which files are taken to be as they were seen; what is written is held against the file itself."""


def notes_of(settings: Settings) -> "NoteService":
    """Return the service. Raises `SettingsInvalid` where the memory is off.

    Only the default folder is made: an empty one in the place of a disk that is gone would forget everything.
    """
    from integrations.system_clock import SystemClock
    from integrations.vault.markdown_vault import MarkdownVault
    from triage.policy.memory.front_matter import note_of, text_of
    from triage.services.memory.notes import NoteService

    if not settings.enable_memory:
        raise SettingsInvalid(
            ("the team's memory is off: set ENABLE_MEMORY=true (MEMORY_DIR says where its notes are)",)
        )
    vault = MarkdownVault(vault_folder(settings), note_of, text_of, create=not settings.memory_dir, rest=REST)
    return NoteService(vault=vault, clock=SystemClock())


def vault_folder(settings: Settings) -> Path:
    """Return MEMORY_DIR, else the folder `.memory` beside the SQLite file, else `memory` here."""
    from integrations.sql.database.engine import address_of
    from integrations.sql.database.sqlite import file_of

    if settings.memory_dir:
        return Path(settings.memory_dir).absolute()
    file = file_of(address_of(settings.database_url.get_secret_value()))
    return Path(f"{file.removesuffix('.db')}.memory" if file else FOLDER).absolute()
