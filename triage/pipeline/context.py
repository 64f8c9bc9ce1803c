"""The services of the steps: ports, which `cli/wiring` chooses, this case's records, and the configured rules."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from triage.agent.profiles import Profile
from triage.agent.toolbox import Toolbox
from triage.config.letters.texts import LetterTexts
from triage.config.support.rules import SupportSettings
from triage.domain.cases import Case
from triage.domain.ports import (
    Calendar,
    CaseApprovals,
    CaseDialogue,
    CaseHistory,
    CaseStore,
    Clock,
    Contacts,
    Failpoint,
    Journal,
    Ledger,
    Library,
    MailReader,
    Model,
    PeopleIndex,
    SignatureCheck,
    Threads,
    Throttle,
    TicketIndex,
    TicketStore,
    TrackerView,
    no_failpoint,
)
from triage.effects.letter_writer import LetterWriter
from triage.toolsets.context import Rules

REPLIES: Final = "replies"
"""Feature: letters about arriving mails are written."""
SUPPORT: Final = "support"
"""Feature: the support hub answers mails of the route `support`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The ports, profiles and rules for one case."""

    cases: CaseStore
    journal: Journal
    ledger: Ledger
    threads: Threads
    throttle: Throttle
    approvals: CaseApprovals
    history: CaseHistory
    tracker: TrackerView
    """The tracker as the project of the case's route has it."""
    ticket_store: TicketStore
    index: TicketIndex
    people_index: PeopleIndex
    reader: MailReader
    model: Callable[[Profile], Model | None] | None
    """Returns a profile's model; None if no model is configured, so that the playbook decides."""
    toolbox: Toolbox
    profiles: Mapping[str, Profile]
    clock: Clock
    secret: bytes = field(repr=False)
    """Key of the marks."""
    signatures: SignatureCheck | None = None
    """None: only the mail servers check DKIM."""
    calendar: Calendar | None = None
    """None: no calendar is configured."""
    contacts: Contacts | None = None
    """None: no directory is configured."""
    library: Library | None = None
    """None: the knowledge base has no source."""
    texts: LetterTexts | None = None
    """The texts of letters; None where no letter about a mail is on."""
    letters: LetterWriter | None = None
    """None: letters are switched off."""
    support: SupportSettings | None = None
    """None without ENABLE_SUPPORT."""
    dialogue: CaseDialogue | None = None
    """The conversation that the case is part of; None: none is kept."""
    projects: Mapping[str, TrackerView] = field(default_factory=dict)
    """The trackers of all projects by key; `tracker` is one of them."""
    rules: Rules = field(default_factory=Rules)
    budget_used_up: Callable[[], Awaitable[bool]] | None = None
    """Whether models have cost as much as they may this month; None: there is no cap."""
    answers: Callable[[Case, str], Awaitable[str | None]] | None = None
    """Carries out a mail that answers a letter to an approver, by the letter's effect; None: approvers get none."""
    failpoint: Failpoint = no_failpoint

    def within(self, project: str) -> Self:
        """Return the services whose tracker is that of this project; itself if there is none of this key."""
        view = self.projects.get(project)
        return replace(self, tracker=view) if view else self

    @property
    def features(self) -> frozenset[str]:
        """What is switched on of that which steps need."""
        on = ((REPLIES, self.letters is not None and self.texts is not None), (SUPPORT, self.support is not None))
        return frozenset(name for name, is_on in on if is_on)
