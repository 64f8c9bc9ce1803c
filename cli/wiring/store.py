"""Opens the store alone, so that a listing loads no adapter for Jira, models, mail or queues."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pydantic import SecretStr

from integrations.loguru_log import configure
from triage.config.settings import Settings
from triage.domain.ports import Archive, Failpoint, no_failpoint

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


@asynccontextmanager
async def open_archive(settings: Settings) -> AsyncIterator[Archive]:
    """The cases alone, to be read."""
    from integrations.sql.archive import archive_at

    set_up_log(settings, service=False)
    async with archive_at(settings.database_url.get_secret_value()) as found:
        if found is not None:
            yield found
            return
    async with opened_store(settings, no_failpoint) as store:
        yield store.archive


@asynccontextmanager
async def opened_store(
    settings: Settings, failpoint: Failpoint, *, dry_run: bool = False, about: str | None = None
) -> "AsyncIterator[SqlStore]":
    """The store while it is open; a dry run has a copy, with the mail of the case that it is about."""
    from integrations.system_clock import SystemClock

    url = settings.database_url.get_secret_value()
    if dry_run:
        from integrations.sql.dry_run import dry_store

        async with dry_store(url, SystemClock(), about) as copy:
            yield copy
        return
    from integrations.sql.store import open_store

    store = await open_store(url, SystemClock(), failpoint, min_free=settings.min_free_bytes)
    try:
        yield store
    finally:
        await store.close()


def failpoint_of(settings: Settings) -> Failpoint:
    """Nothing, or for crash tests: the end of the process at a named point."""
    if not settings.crash_at:
        return no_failpoint

    def kill(name: str) -> None:
        if name == settings.crash_at:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill


def set_up_log(settings: Settings, *, service: bool) -> None:
    """Logs to stderr, every secret of the settings masked. A command that answers on the screen only warns."""
    level = "WARNING" if settings.log_level == "INFO" and not service else settings.log_level
    secrets = [value.get_secret_value() for value in vars(settings).values() if isinstance(value, SecretStr)]
    configure(level, as_json=settings.log_json, secrets=tuple(filter(None, secrets)))
