"""Ports: what Triage asks of databases, Jira, models and mailboxes; each docstring says who calls it and which errors it raises.

Every port may raise its `…Down` (a `Transient`) when the other side does not answer.
"""

from triage.domain.ports.knowledge import ArticleFiles, ArticleSource, ArticleStore, Library, SourceReadings
from triage.domain.ports.leased_case import (
    CaseApprovals,
    CaseHistory,
    CaseStore,
    Journal,
    LeasedCase,
    Ledger,
    Threads,
    Throttle,
)
from triage.domain.ports.letters import LetterStore, MailFolders, Outbox
from triage.domain.ports.mail import (
    Mailbox,
    Mailboxes,
    MailDirectory,
    MailGrants,
    MailReader,
    MailViewer,
    SignatureCheck,
    TokenProvider,
    TokenSeal,
)
from triage.domain.ports.memory import BuildStore, MemoryMails, NoteIndex, Vault
from triage.domain.ports.model import Model
from triage.domain.ports.operations import (
    AnswerLog,
    AuditLog,
    DeedLog,
    Figures,
    ForgetStore,
    Insights,
    MailArchive,
    McpLog,
    ObjectStore,
    TicketCopies,
    TokenStore,
    TraceExport,
    TrackerClaims,
    WebhookPost,
    WebhookStore,
)
from triage.domain.ports.people.accounts import AccountStore, IdentityProvider, PasswordHash, SessionStore
from triage.domain.ports.people.calendar import Calendar, Contacts
from triage.domain.ports.people.channels import Commands, NoticeStore, Notify, TicketNotes, Troubles
from triage.domain.ports.runtime import Clock, Failpoint, Leadership, Notifier, RequestLimits, no_failpoint
from triage.domain.ports.store import Archive, CaseLists, Decisions, Inbox, Jobs, KillSwitch, StoreHealth, ViewStore
from triage.domain.ports.support import CaseDialogue, Dialogues
from triage.domain.ports.ticket_index import PeopleIndex, Progress, TicketFeed, TicketIndex, TicketStore
from triage.domain.ports.tracker import (
    Comments,
    Metadata,
    People,
    Sprints,
    TicketReader,
    TicketWriter,
    TrackerView,
)
