"""Opens only the store, so that listings do not import adapters for Jira, models, mail or queues."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from cli.console import screen
from integrations.loguru_log import configure
from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid
from triage.services.case_reports import CaseReports

if TYPE_CHECKING:
    from integrations.sql.store import SqlStore
    from triage.domain.ports import Clock, Failpoint, Leadership, ObjectStore


@asynccontextmanager
async def open_reports(settings: Settings) -> AsyncIterator[CaseReports]:
    """Open the case reports, read-only."""
    set_up_log(settings, service=False)
    _name_new_file(settings)
    objects = objects_of(settings)
    try:
        async with reports_at(settings.database_url.get_secret_value(), objects) as reports:
            if reports is not None:
                yield reports
                return
    finally:
        await objects.close()
    async with opened_store(settings) as store:
        yield CaseReports(archive=store.archive)


@asynccontextmanager
async def reports_at(url: str, objects: "ObjectStore | None" = None) -> AsyncIterator[CaseReports | None]:
    """Open the reports of a database without changing it; None if it is missing or has another schema version."""
    from integrations.sql.archive import archive_at

    async with archive_at(url, objects) as archive:
        yield CaseReports(archive=archive) if archive else None


@asynccontextmanager
async def command_store(settings: Settings) -> "AsyncIterator[SqlStore]":
    """Open the store for a command that is no service: its log has warnings alone."""
    set_up_log(settings, service=False)
    _name_new_file(settings)
    async with opened_store(settings) as store:
        yield store


def _name_new_file(settings: Settings) -> None:
    """Say which file is made, so that nobody who asks in another folder takes the empty database for his own."""
    from integrations.sql.database.engine import address_of
    from integrations.sql.database.sqlite import file_of

    file = file_of(address_of(settings.database_url.get_secret_value()))
    if file and not Path(file).exists():
        new = f"{Path(file).absolute()} is new and empty; DATABASE_URL names another one"
        screen(error=True).print(f"triage: no database is here yet: {new}", soft_wrap=True)


@asynccontextmanager
async def opened_store(
    settings: Settings, *, dry_run: bool = False, about: str | None = None
) -> "AsyncIterator[SqlStore]":
    """Open the store; a dry run gets a copy, with the mail of the case `about` if given."""
    from integrations.system_clock import SystemClock

    objects = objects_of(settings)
    try:
        async with _store_over(settings, objects, SystemClock(), dry_run=dry_run, about=about) as store:
            yield store
    finally:
        await objects.close()


@asynccontextmanager
async def _store_over(
    settings: Settings,
    objects: "ObjectStore",
    clock: "Clock",
    *,
    dry_run: bool,
    about: str | None,
) -> "AsyncIterator[SqlStore]":
    url = settings.database_url.get_secret_value()
    if dry_run:
        from integrations.sql.dry_run import dry_store

        async with dry_store(url, clock, about, objects) as copy:
            yield copy
        return
    from integrations.sql.store import open_store

    store = await open_store(
        url, clock, failpoint_of(settings), min_free=settings.min_free_bytes, server_time=True, objects=objects
    )
    try:
        yield store
    finally:
        await store.close()


def objects_of(settings: Settings) -> "ObjectStore":
    """Return the archive of raw mails; nothing is opened before the first question."""
    place = settings.archive_to
    if not place:
        from integrations.objects.nowhere import NoObjects

        return NoObjects()
    if not place.startswith("s3:"):
        from integrations.objects.folder import FolderObjects

        return FolderObjects(Path(place))
    from integrations.objects.s3 import S3Account, S3Objects

    region, parts = settings.s3_region, urlsplit(place)
    account = S3Account(key_id=settings.s3_key_id, secret=settings.s3_secret_key.get_secret_value(), region=region)
    endpoint = settings.s3_endpoint or f"https://s3.{region}.amazonaws.com"
    return S3Objects(endpoint, parts.netloc, parts.path, account)


def leadership_of(settings: Settings, *, dry_run: bool = False) -> "Leadership":
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


def failpoint_of(settings: Settings) -> "Failpoint":
    """Return a failpoint that kills the process at TRIAGE_CRASH_AT (crash tests only), else one that does nothing."""
    from triage.domain.ports import no_failpoint

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
