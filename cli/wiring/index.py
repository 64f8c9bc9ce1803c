"""Builds the search index over the stored tickets, in a folder of this host."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.wiring.jira import opened_tracker
from cli.wiring.store import command_store
from triage.config.settings import Settings
from triage.config.triage_yaml import load_config
from triage.domain.ports import TicketFeed
from triage.policy.ticket.index_entry import VERSION, entry_of
from triage.services.ticket_index_sync import TicketIndexSync

if TYPE_CHECKING:
    from integrations.search_index.index import TantivyIndex

FOLDER: Final = "ticket-index"


def index_of(settings: Settings, feed: TicketFeed, *, read_only: bool = False) -> "TantivyIndex":
    """Build the index over a store; a dry run only reads it, or has a temporary one where there is none."""
    from integrations.search_index.index import TantivyIndex

    folder = folder_of(settings)
    if read_only and not (folder and folder.exists()):
        folder, read_only = None, False
    return TantivyIndex(feed, entry_of, VERSION, folder, read_only=read_only)


@asynccontextmanager
async def open_syncs(settings: Settings) -> AsyncIterator[Mapping[str, TicketIndexSync]]:
    """Open the syncs of the store with Jira, by project, and of this host's index. Raises `SettingsInvalid` without Jira."""
    config = load_config(settings.triage_config)
    async with opened_tracker(settings, config) as tracker, command_store(settings) as store:
        index = index_of(settings, store.tickets)
        yield {
            key: TicketIndexSync(tracker=view, store=store.tickets, index=index, clock=store.clock)
            for key, view in tracker.views().items()
        }
        await index.close()


def folder_of(settings: Settings) -> Path | None:
    """Return the folder: beside a SQLite file, else below TICKET_INDEX_DIR; None for a database in memory.

    Each database has a folder of its own, since one host may work for several.
    """
    from integrations.sql.database.engine import address_of
    from integrations.sql.database.sqlite import file_of

    address = address_of(settings.database_url.get_secret_value())
    file = file_of(address)
    if address.get_backend_name() == "sqlite" and (file is None or not settings.ticket_index_dir):
        return Path(f"{file.removesuffix('.db')}.index").absolute() if file else None
    place = f"{address.host}:{address.port}/{Path(file).absolute() if file else address.database}"
    name = hashlib.sha256(place.encode()).hexdigest()[:12]
    return Path(settings.ticket_index_dir or FOLDER).absolute() / name
