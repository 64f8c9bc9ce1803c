"""Tests the answers of the set-up against the real Jira, mailbox, model or mail server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from triage.domain.conversation import Json
from triage.domain.mailboxes import MailServer
from triage.domain.operations.checks import Finding
from triage.services.setup.asking import Asker
from triage.services.setup.draft import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Facts of a Jira before a project is chosen."""

    found: bool
    """A Jira answers there, though perhaps not to strangers."""
    reported: bool
    """It reported its deployment (Cloud or Data Center)."""
    cloud: bool
    let_in: bool
    projects: Mapping[str, str]
    """Names by key."""
    findings: tuple[Finding, ...]
    """About the server, then about the login."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A field of new tickets that Jira demands and that nothing fills."""

    name: str
    choices: tuple[str, ...]
    """The values that it takes; none: any."""
    number: bool = False
    many: bool = False
    """It takes a list."""

    def value(self, answer: str) -> Json:
        """Convert an answer for triage.yaml. Raises `ValueError` if a number is expected."""
        one: Json = float(answer) if self.number else answer
        return [one] if self.many else one


class Trials(Protocol):
    """Called by the questions; `cli/setup/trials.py` answers by the checks of `triage doctor`."""

    async def entrance(self, draft: Draft, site: str) -> Entrance:
        """Look at one Jira with the login of the draft, if it has one."""

    async def demands(self, draft: Draft) -> tuple[tuple[Finding, ...], tuple[Demand, ...]]:
        """Return remarks about the project, and required fields that no setting fills."""

    async def folders(self, draft: Draft, ask: Asker) -> tuple[str, ...]:
        """Log in, after somebody has signed in where only tokens open the mailbox, and return its folders.

        Raises `SettingsInvalid`, `GrantRefused`, `ProviderDown`, `StoreDown`, `MailboxDown`, `MailboxDenied`.
        """

    async def mailbox(self, draft: Draft) -> tuple[tuple[Finding, ...], Draft]:
        """Open the folder, and learn from its newest mails which server's checks prove senders."""

    async def model(self, draft: Draft) -> tuple[Finding, ...]:
        """Ask the model for one word."""

    async def model_names(self, url: str, key: str, seconds: float = 0.0) -> tuple[str, ...]:
        """Return the models that a server offers, none if it does not tell them in time; 0: the usual time."""

    async def letters(self, draft: Draft) -> tuple[Finding, ...]:
        """Log in at the mail server; where that works, send a letter to ourselves and see it arrive in the mailbox."""

    async def reach_smtp(self, server: MailServer) -> None:
        """Connect to a mail server without login. Raises `MailboxDown`, `MailboxDenied`."""
