"""Opens the store alone, so that a listing loads no adapter for Jira, models, mail or queues."""

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
from triage.domain.ports import Failpoint, no_failpoint
from triage.services.case_reports import CaseReports

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore


@asynccontextmanager
async def open_reports(settings: Settings) -> AsyncIterator[CaseReports]:
    """The cases alone, to be read."""
    set_up_log(settings, service=False)
    async with reports_at(settings.database_url.get_secret_value()) as reports:
        if reports is not None:
            yield reports
            return
    async with opened_store(settings, no_failpoint) as store:
        yield CaseReports(archive=store.archive)


@asynccontextmanager
async def reports_at(url: str) -> AsyncIterator[CaseReports | None]:
    """The cases of a database as it is; None where it is not there yet, or has tables of another version."""
    from integrations.sql.archive import archive_at

    async with archive_at(url) as archive:
        yield CaseReports(archive=archive) if archive else None


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


def backup_to(settings: Settings, file: Path) -> int:
    """How many cases were copied. Raises `FileExistsError`, and `SettingsInvalid` where the database has its own tool."""
    from integrations.sql.database.backup import copy_to, sqlite_file

    source = sqlite_file(settings.database_url.get_secret_value())
    if source is None:
        raise SettingsInvalid((f'PostgreSQL: pg_dump --format=custom --file={file} "$DATABASE_URL"',))
    if file.exists():
        raise FileExistsError(file)
    return copy_to(source, file)


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
