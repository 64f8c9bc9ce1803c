"""Opens only the store, so that listings do not import adapters for Jira, models, mail or queues."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from integrations.loguru_log import configure
from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import Failpoint, Leadership, no_failpoint
from triage.services.case_reports import CaseReports

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


@asynccontextmanager
async def open_reports(settings: Settings) -> AsyncIterator[CaseReports]:
    """Open the case reports, read-only."""
    set_up_log(settings, service=False)
    async with reports_at(settings.database_url.get_secret_value()) as reports:
        if reports is not None:
            yield reports
            return
    async with opened_store(settings, no_failpoint) as store:
        yield CaseReports(archive=store.archive)


@asynccontextmanager
async def reports_at(url: str) -> AsyncIterator[CaseReports | None]:
    """Open the reports of a database without changing it; None if it is missing or has another schema version."""
    from integrations.sql.archive import archive_at

    async with archive_at(url) as archive:
        yield CaseReports(archive=archive) if archive else None


@asynccontextmanager
async def opened_store(
    settings: Settings, failpoint: Failpoint, *, dry_run: bool = False, about: str | None = None
) -> "AsyncIterator[SqlStore]":
    """Open the store; a dry run gets a copy, with the mail of the case `about` if given."""
    from integrations.system_clock import SystemClock

    url = settings.database_url.get_secret_value()
    if dry_run:
        from integrations.sql.dry_run import dry_store

        async with dry_store(url, SystemClock(), about) as copy:
            yield copy
        return
    from integrations.sql.store import open_store

    store = await open_store(url, SystemClock(), failpoint, min_free=settings.min_free_bytes, server_time=True)
    try:
        yield store
    finally:
        await store.close()


def leadership_of(settings: Settings, *, dry_run: bool = False) -> Leadership:
    """Return the locks that decide which process has a duty; nothing is opened before the first question."""
    from integrations.sql.database.backup import sqlite_file
    from integrations.sql.leadership.file_locks import FileLocks

    url = settings.database_url.get_secret_value()
    if dry_run or not url.startswith("postgresql"):
        return FileLocks(None if dry_run else sqlite_file(url))
    from integrations.sql.leadership.advisory_locks import AdvisoryLocks

    return AdvisoryLocks(url)


def backup_to(settings: Settings, file: Path) -> int:
    """Copy the store and return the number of cases. Raises `FileExistsError`, and `SettingsInvalid` for PostgreSQL."""
    from integrations.sql.database.backup import copy_to, sqlite_file

    source = sqlite_file(settings.database_url.get_secret_value())
    if source is None:
        raise SettingsInvalid((f'PostgreSQL: pg_dump --format=custom --file={file} "$DATABASE_URL"',))
    if file.exists():
        raise FileExistsError(file)
    return copy_to(source, file)


def failpoint_of(settings: Settings) -> Failpoint:
    """Return a failpoint that kills the process at TRIAGE_CRASH_AT (crash tests only), else one that does nothing."""
    if not settings.crash_at:
        return no_failpoint

    def kill(name: str) -> None:
        if name == settings.crash_at:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill


def set_up_log(settings: Settings, *, service: bool) -> None:
    """Log to stderr with all secrets masked; commands that are no service log warnings only."""
    level = "WARNING" if settings.log_level == "INFO" and not service else settings.log_level
    secrets = [value.get_secret_value() for value in vars(settings).values() if isinstance(value, SecretStr)]
    configure(level, as_json=settings.log_json, secrets=tuple(filter(None, secrets)))
