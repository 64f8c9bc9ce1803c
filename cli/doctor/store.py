"""Checks the database and the archive of raw mails."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding, many

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def database(settings: "Settings") -> AsyncIterator[Finding]:
    """Report whether the database takes mails, has room and is of this version, and what in it needs a person."""
    from cli.wiring.intake import open_intake

    async with open_intake(settings) as context:
        await context.health.check()
        counts = await context.reports.counts()
        pause, missing = await context.health.pause(), await context.health.missing_indexes()
        no_room, newer = await context.health.no_room(), await context.health.newer_tables()
    kind = settings.database_url.get_secret_value().partition(":")[0]
    yield Finding("database", "ok", f"{kind}, {many(sum(counts.values()), 'case')}")
    if newer:
        detail = f"a newer version of Triage has made its tables (revision {newer}): this one reads those of the next version, not later ones"
        yield Finding(
            "version", "warn", detail, "install the newer version again, or restore the backup made before it"
        )
    if no_room:
        cure = "make room on the database's disk, or set a smaller MIN_FREE_BYTES"
        yield Finding("room", "fail", f"no mail is taken: {no_room}", cure)
    if pause:
        detail = f"{pause.by} has stopped all writing since {pause.since:%Y-%m-%d %H:%M} UTC{f': {pause.why}' if pause.why else ''}"
        yield Finding("pause", "warn", detail, "triage resume")
    if missing:
        detail = "each search of the inbox reads every case, 0.2 s where there are 100,000: its index is missing"
        cure = "\n".join(("in psql, in this database, as a superuser:", *(f"{one};" for one in missing)))
        yield Finding("searches", "warn", detail, cure)
    if counts.get("dead"):
        yield Finding("cases", "warn", f"{counts['dead']} need a person: triage cases --state dead")


async def archive(settings: "Settings") -> AsyncIterator[Finding]:
    """Store, read and remove a test object in the archive of raw mails. Yields nothing if there is no archive and never was one."""
    from cli.wiring.operations import open_archiving

    async with open_archiving(settings) as archiving:
        kept = await archiving.kept()
        if settings.archive_to or kept:
            await archiving.test()
            days = settings.archive_after_days
            yield Finding(
                "archive",
                "ok",
                f"{many(kept, 'raw mail')} in {settings.archive_to}, more go there after {many(days, 'day')}",
            )
