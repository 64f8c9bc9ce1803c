"""The answers so far: values of the file, changes, and discovered facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from triage.config.settings import Isolated, Settings, read
from triage.config.variables import variables
from triage.domain.conversation import Json
from triage.domain.mailboxes import MailServers

JIRA: Final = ("JIRA_", "ENABLE_", "MAX_MAIL_BYTES")
MAILBOX: Final = ("IMAP_", "AUTH", "TRUSTED_HOPS", "MAIL_OAUTH")
MODEL: Final = ("OPENAI_", "ANTHROPIC_")
LETTERS: Final = ("SMTP_", "MAIL_FROM", "DRAFTS_FOLDER", "SENT_FOLDER", *MAILBOX)
"""Prefixes of the variables that each part's test reads; errors elsewhere in the file do not stop it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Held in memory alone until it is written: an interrupted wizard leaves no secret behind."""

    kept: Mapping[str, str] = field(default_factory=dict)
    """The variables of the present file."""
    changes: Mapping[str, str | None] = field(default_factory=dict)
    """What is written; None takes a line out."""
    cloud: bool = True
    """Jira's deployment."""
    projects: Mapping[str, str] = field(default_factory=dict)
    """Names of the projects that our account sees, by key."""
    hinted: str = ""
    """The project that the pasted address shows."""
    address: str = ""
    """The mailbox's address, also where its user name is another."""
    servers: MailServers = field(default_factory=MailServers)
    folders: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    """Values of fields that Jira demands, for triage.yaml."""

    def __getitem__(self, name: str) -> str:
        """Return a variable's value after writing; empty if it is not set."""
        return (self.changes[name] if name in self.changes else self.kept.get(name)) or ""

    def having(self, **values: str) -> "Draft":
        """Set variables, or take them out where the value is empty; a secret's `_FILE`, which would win, goes as well."""
        given: dict[str, str | None] = {name: value or None for name, value in values.items()}
        files = dict.fromkeys(f"{name}_FILE" for name in values if f"{name}_FILE" in self.kept)
        return replace(self, changes={**self.changes, **given, **files})

    def without(self, *prefixes: str) -> "Draft":
        """Forget the changes of a part."""
        return replace(self, changes={name: v for name, v in self.changes.items() if not name.startswith(prefixes)})

    def settings(self, *prefixes: str) -> Settings:
        """Return the settings with these variables alone. Raises `SettingsInvalid`."""
        names = [name for name in variables() if name.startswith((*prefixes, "TRIAGE_CONFIG"))]
        return read(Isolated, **{name: self[name] for name in names if self[name]})
