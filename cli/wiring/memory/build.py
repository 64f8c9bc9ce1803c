"""Builds what builds the memory: the store's cases, the vault, the Sent folder, the stored tickets."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.memory.notes import must_be_on, notes_of
from cli.wiring.store import command_store, failpoint_of
from integrations.sql.store import SqlStore
from triage.config.mailboxes import specs_of
from triage.config.settings import Settings
from triage.domain.ports import Failpoint
from triage.policy.memory.reconcile import TicketState
from triage.services.memory.build.actions import Actions
from triage.services.memory.build.mails import CaseMails, SentFolder, SentLetters, SentMail
from triage.services.memory.build.reading import ReadingStage
from triage.services.memory.build.reconciling import Reconciling
from triage.services.memory.build.service import BuildService
from triage.services.memory.build.writing import Writing


@asynccontextmanager
async def open_builds(settings: Settings) -> AsyncIterator[BuildService]:
    """Open the service behind `triage memory build`. Raises `SettingsInvalid` where the memory is off."""
    must_be_on(settings)
    async with AsyncExitStack() as later, command_store(settings) as store:
        yield builds_of(settings, store, LiveConfig(settings), failpoint_of(settings), later)


def builds_of(
    settings: Settings, store: SqlStore, live: LiveConfig, failpoint: Failpoint, later: AsyncExitStack
) -> BuildService:
    """Return the service; `later` stops and closes what it uses."""
    from cli.wiring.memory.build_agents import agents_of, price_of

    clock, notes = store.clock, notes_of(settings)
    chosen = agents_of(settings, store, live, notes, failpoint, later)
    mails = CaseMails(store=store.memory_builds, outgoing=sent_of(settings, store, live, later))
    service = BuildService(
        store=store.memory_builds,
        reading=ReadingStage(store=store.memory_builds, reader=chosen.reader, failpoint=failpoint),
        writing=Writing(store=store.memory_builds, notes=notes, failpoint=failpoint, writer=chosen.writer),
        actions=Actions(notes=notes, domains=lambda: live.current()[1].domains, clock=clock, planner=chosen.planner),
        reconciling=Reconciling(
            notes=notes, mails=mails, tickets=_states(store), clock=clock, reconciler=chosen.reconciler
        ),
        clock=clock,
        model=chosen.model,
        price=partial(price_of, settings),
        every=timedelta(hours=settings.memory_build_hours),
    )
    later.push_async_callback(service.stop)
    return service


def sent_of(settings: Settings, store: SqlStore, live: LiveConfig, later: AsyncExitStack) -> SentMail:
    """Return the Sent folder of our mailbox, else our own letters."""
    from cli.wiring.letters import folders_of, sender_address
    from cli.wiring.mail import isolated_reader

    letters = SentLetters(letters=store.letters, address=sender_address(settings).address)
    folders = folders_of(settings, specs_of(settings, live.config.mailboxes))
    if folders is None:
        return letters
    reader = isolated_reader()
    later.push_async_callback(reader.close)
    return SentFolder(folders=folders, reader=reader, otherwise=letters)


def _states(store: SqlStore) -> Callable[[Sequence[str]], Awaitable[Sequence[TicketState]]]:
    async def states(keys: Sequence[str]) -> Sequence[TicketState]:

        found = await store.tickets.tickets(keys)
        return tuple(
            TicketState(key=one.key, status=one.status, done=not one.open, changed=one.updated)
            for one in found
            if one.updated
        )

    return states
