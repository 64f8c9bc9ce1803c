"""The services that API and console ask, and their limits."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, datetime

from triage.domain.mail import Message
from triage.domain.operations.machine import Machine
from triage.services.approvals import ApprovalService
from triage.services.case_lists.bulk import BulkService
from triage.services.case_lists.inbox import InboxService
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService
from triage.services.casework.amending import AmendService
from triage.services.casework.dry_runs import DryRuns
from triage.services.casework.eval_cases import EvalCases
from triage.services.casework.mail_views import MailViews
from triage.services.casework.merging import MergeService
from triage.services.health import HealthService
from triage.services.installation.rulebook import Rulebook
from triage.services.installation.self_check import SelfCheck
from triage.services.knowledge.articles import ArticleService
from triage.services.knowledge.editor import ArticleEditor
from triage.services.letters.service import LetterService
from triage.services.memory.ask import AskService
from triage.services.memory.board import BoardService
from triage.services.memory.build.service import BuildService
from triage.services.memory.notes import NoteService
from triage.services.operations.agents import Permission
from triage.services.operations.audit import AuditService, EventFeed
from triage.services.operations.insights import InsightsService
from triage.services.operations.stats import StatsService
from triage.services.operations.status import StatusService
from triage.services.operations.tokens import TokenService
from triage.services.operations.webhooks import WebhookService
from triage.services.routing.route_tester import RouteTester
from triage.services.routing.rule_trial import RuleTrial
from triage.services.support.chat import ChatService
from triage.services.support.conversations import ConversationService


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemServices:
    """What pages about Triage itself ask; built by `cli/wiring/web/system.py`."""

    status: StatusService
    machine: Callable[[], Machine]
    """Returns the facts of this moment; takes a look at disk and files."""
    rulebook: Callable[[], Rulebook]
    """Returns rules and agents as they are now."""
    rule_trial: RuleTrial
    check: SelfCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryServices:
    """What pages and API ask about the team's memory; built by `cli/wiring/memory/ask.py`."""

    notes: NoteService
    board: BoardService
    ask: AskService
    builds: BuildService
    today: Callable[[], date]


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportServices:
    """What pages ask about the support hub; built by `cli/wiring/support/services.py`."""

    conversations: ConversationService
    chat: ChatService
    now: Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebContext:
    """All services that console and API ask; built by `cli/wiring/web/context.py`."""

    tokens: TokenService
    reports: CaseReports
    cases: CaseService
    mails: MailViews
    """Shows mails to people."""
    dry_runs: DryRuns | None
    """None: Jira is not set, so that nothing can be decided."""
    eval_cases: EvalCases
    inbox: InboxService
    bulk: BulkService
    approvals: ApprovalService | None
    """None: Jira is not set, so that nothing can be decided."""
    amending: AmendService | None
    """None: Jira is not set; so for merges."""
    merging: MergeService | None
    letters: LetterService
    read: Callable[[bytes], Awaitable[Message]]
    """Parses a posted mail in a process of its own. Raises `NotAMail`, `MailUnreadable`, `ReaderDown`."""
    route_tester: Callable[[], RouteTester]
    """Returns it with the routing rules as they are now."""
    max_mail_bytes: int
    health: HealthService
    stats: StatsService
    insights: InsightsService
    audit: AuditService
    permissions: Callable[[], tuple[Permission, ...]]
    """Returns those of the agents as they are now."""
    events: EventFeed
    webhooks: WebhookService
    articles: ArticleService
    editor: ArticleEditor
    system: SystemServices
    """What pages about Triage itself ask."""
    memory: MemoryServices | None
    """None without ENABLE_MEMORY."""
    support: SupportServices | None
    """None without ENABLE_SUPPORT."""
    stop: asyncio.Event
    """Set when the service ends: streams end with it."""
    requests_per_minute: int
    """Requests that one token may make; each process counts its own."""
    tracker_url: str
    """Where people open tickets; empty: nowhere."""
