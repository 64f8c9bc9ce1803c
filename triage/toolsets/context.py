"""The first argument of every tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from triage.config.dispositions.table import DispositionTable
from triage.config.team import Assignment
from triage.domain.calendar.periods import WorkingHours
from triage.domain.cases import Case
from triage.domain.ports import Calendar, Clock, Contacts, Library, PeopleIndex, TicketIndex, TicketStore, TrackerView
from triage.effects.letter_writer import LetterWriter
from triage.effects.writer import EffectWriter
from triage.policy.ticket.why_panel import Links


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The case of a run, the ports that its tools read, and the writer of their effects."""

    case: Case
    tracker: TrackerView
    """For reading; tools write through `effects`."""
    ticket_store: TicketStore
    index: TicketIndex
    people_index: PeopleIndex
    effects: EffectWriter
    clock: Clock
    dispositions: DispositionTable = field(default_factory=DispositionTable)
    assignment: Assignment | None = None
    """None: smart assignment is off."""
    component_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What mails call the components, by the component's name in lower case."""
    calendar: Calendar | None = None
    """None: no calendar is configured."""
    hours: WorkingHours = field(default_factory=WorkingHours)
    contacts: Contacts | None = None
    """None: no directory is configured."""
    library: Library | None = None
    """None: the knowledge base has no source."""
    account: str = ""
    """Whose articles are found beside those for everybody."""
    links: Links = field(default_factory=Links)
    """Where people read and correct a case."""
    may_be_from: float = 0.3
    """Probability from which a ticket may be the same matter (MAY_BE_DUPLICATE_FROM)."""
    words_alone: bool = False
    """Somebody searches by words of his own: how probable a ticket is about the same matter as a mail cannot be said."""
    language: str = "en"
    """The team's: of headings in tickets."""
    notes: tuple[str, ...] = ()
    """What the guard reduced or left out of the call."""
    letters: LetterWriter | None = None
    """None: letters are switched off."""
    accepted: str = ""
    """Who has accepted the call; empty: nobody was asked."""
    sequence: str = "1"
    """Number of the call among those of its kind: part of an effect's key."""
