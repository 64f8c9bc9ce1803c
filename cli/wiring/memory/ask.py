"""Builds what people ask of the memory and do with it: answers, and the board of actions."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.index import index_of
from cli.wiring.intake import IntakeContext
from cli.wiring.jira import tracker_of
from cli.wiring.memory.notes import must_be_on, notes_of
from cli.wiring.store import command_store
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.domain.memory.answers import Job
from triage.domain.memory.builds import BuildKind
from triage.domain.ports import TicketIndex
from triage.domain.text.counts import many
from triage.services.approvals import ApprovalService
from triage.services.memory.board import BoardService
from triage.services.memory.notes import NoteService
from triage.services.memory.worded_answers import WordedAnswers

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.services.memory.ask import AskService, Run, Worded
    from triage.services.memory.build.service import BuildService
    from web.context import MemoryServices


def ask_of(
    settings: Settings,
    store: SqlStore,
    live: LiveConfig,
    index: TicketIndex,
    notes: NoteService,
    later: AsyncExitStack,
) -> "AskService":
    """Return the service of answers; `later` closes the connections of its model."""
    from cli.wiring.letters import sender_address
    from cli.wiring.support.knowledge import library_of
    from triage.services.memory.ask import AskService
    from triage.services.memory.build.mails import CaseMails, SentLetters

    config = live.config
    return AskService(
        clock=store.clock,
        archive=store.archive,
        notes=notes,
        mails=CaseMails(
            store=store.memory_builds,
            outgoing=SentLetters(letters=store.letters, address=sender_address(settings).address),
        ),
        tickets=store.tickets,
        index=index,
        domains=lambda: live.current()[1].domains,
        projects=(settings.jira_project_key,) if settings.jira_project_key else (),
        library=library_of(store.articles) if config.knowledge.sources else None,
        worded=worded_of(settings, store, live, notes, later),
    )


def worded_of(
    settings: Settings, store: SqlStore, live: LiveConfig, notes: NoteService, later: AsyncExitStack
) -> "Worded | None":
    """Return the Query agent; None where no model of its profile can be asked: answers are quotations."""
    from cli.wiring.agents.models import Models
    from cli.wiring.memory.agents import memory_agents
    from cli.wiring.operations import spending_of

    agents, models = memory_agents(), Models(settings, providers=live.config.providers)
    profile = agents.profiles["query"]
    model = models(profile)
    if model is None:
        return None
    later.push_async_callback(models.close)
    return WordedAnswers(
        model=model,
        profile=profile,
        tools=agents.toolbox,
        notes=notes,
        log=store.answer_log,
        used_up=spending_of(settings, store).used_up,
        clock=store.clock,
        nonce=lambda: secrets.token_hex(4),
    ).answer


@asynccontextmanager
async def open_ask(settings: Settings) -> "AsyncIterator[AskService]":
    """Open the service behind `triage ask`. Raises `SettingsInvalid` where the memory is off."""
    must_be_on(settings)
    async with command_store(settings) as store, AsyncExitStack() as later:
        index = index_of(settings, store.tickets, read_only=True)
        later.push_async_callback(index.close)
        yield ask_of(settings, store, LiveConfig(settings), index, notes_of(settings), later)


def memory_services_of(
    context: IntakeContext,
    live: LiveConfig,
    approvals: ApprovalService | None,
    app: "App | None",
    later: AsyncExitStack,
) -> "MemoryServices":
    """Return the services of the memory that console and API use; `later` closes what they open."""
    from cli.wiring.memory.build import builds_of
    from web.context import MemoryServices

    settings, store = context.settings, context.store
    builds = builds_of(settings, store, live, context.failpoint, later)
    notes, index = notes_of(settings), index_of(settings, store.tickets, read_only=True)
    later.push_async_callback(index.close)

    board = BoardService(
        notes=notes,
        archive=store.archive,
        order=approvals.order if approvals else None,
        issue_types=issue_types_of(context, live, app, later),
    )
    ask = ask_of(settings, store, live, index, notes, later)
    ask.run = jobs_of(builds, notes)
    return MemoryServices(notes=notes, board=board, ask=ask, builds=builds, today=lambda: store.clock.now().date())


def jobs_of(builds: "BuildService", notes: NoteService) -> "Run":
    """Return what begins the job that a message orders."""

    async def run(job: Job, by: str) -> str:
        if job is Job.DEDUPLICATE:
            return f"Merged into others that say the same: {many(len(await notes.deduplicate(by)), 'note')}."
        build = await builds.start(BuildKind(job.value), by)
        return f"{build.kind} {build.id} has begun; `triage memory build --status` says how far it is."

    return run


def issue_types_of(
    context: IntakeContext, live: LiveConfig, app: "App | None", later: AsyncExitStack
) -> Callable[[], Awaitable[Sequence[str]]] | None:
    """Return what asks Jira for the types of its tickets; None where it is not set."""
    if not context.settings.jira_ready:
        return None
    if app is not None:
        view = app.tracker
    else:
        tracker = tracker_of(context.settings, context.failpoint, live.config)
        later.push_async_callback(tracker.close)
        view = tracker.view()

    async def types() -> Sequence[str]:
        return (await view.metadata.project()).issue_types

    return types
