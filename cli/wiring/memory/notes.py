"""Builds the note service over the vault's folder."""

import gc
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.wiring.index import folder_of
from integrations.system_clock import SystemClock
from triage.config.mailboxes import specs_of
from triage.config.settings import Settings
from triage.config.triage_yaml import load_config
from triage.domain.errors import SettingsInvalid
from triage.policy.memory.front_matter import note_of, text_of
from triage.policy.memory.graph import links_of
from triage.policy.memory.search import VERSION, rarity, words_of
from triage.services.memory.notes import NoteService

if TYPE_CHECKING:
    from integrations.vault.note_table import NoteRules

FOLDER: Final = "memory"
"""The vault where the database is no file."""
REST: Final = 1.0
"""Seconds for which files are taken to be as they were seen; what is written is held against the file itself."""


def must_be_on(settings: Settings) -> None:
    """Raise `SettingsInvalid` where the memory is off."""
    if not settings.enable_memory:
        off = "the team's memory is off: set ENABLE_MEMORY=true (MEMORY_DIR says where its notes are)"
        raise SettingsInvalid((off,))


def notes_of(settings: Settings) -> NoteService:
    """Return the service. Raises `SettingsInvalid` where the memory is off.

    Only the default folder is made: an empty one in the place of a disk that is gone would forget everything.
    """
    from integrations.vault.markdown_vault import MarkdownVault

    must_be_on(settings)
    gc.freeze()  # what is loaded by now stays: the collector shall not walk through it while thousands of notes are read
    vault = MarkdownVault(
        vault_folder(settings), note_rules(), table=table_of(settings), create=not settings.memory_dir, rest=REST
    )
    return NoteService(vault=vault, kept=vault, clock=SystemClock(), team=team_of(settings))


def team_of(settings: Settings) -> frozenset[str]:
    """Return the addresses by which mail reaches the team. Raises `SettingsInvalid` where triage.yaml is broken."""
    specs = specs_of(settings, load_config(settings.triage_config).mailboxes)
    users = (parseaddr(settings.mail_from)[1], *(spec.user for spec in specs))
    return frozenset(one.lower() for one in users if "@" in one)


def note_rules() -> "NoteRules":
    """Return how notes are read, written and found."""
    from integrations.vault.note_table import NoteRules

    return NoteRules(
        version=VERSION, note_of=note_of, text_of=text_of, words_of=words_of, links_of=links_of, rarity=rarity
    )


def table_of(settings: Settings) -> Path | None:
    """Return the file in which this host keeps what it has read of the notes, beside its index of tickets."""
    folder = folder_of(settings)
    return folder.with_name(f"{folder.name.removesuffix('.index')}.notes") if folder else None


def vault_folder(settings: Settings) -> Path:
    """Return MEMORY_DIR, else the folder `.memory` beside the SQLite file, else `memory` here."""
    from integrations.sql.database.engine import address_of
    from integrations.sql.database.sqlite import file_of

    if settings.memory_dir:
        return Path(settings.memory_dir).absolute()
    file = file_of(address_of(settings.database_url.get_secret_value()))
    return Path(f"{file.removesuffix('.db')}.memory" if file else FOLDER).absolute()
