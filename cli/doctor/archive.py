"""Checks the archive of raw mails."""

from collections.abc import AsyncIterator

from cli.doctor.findings import Finding, many
from cli.wiring.operations import open_archiving
from triage.config.settings import Settings


async def archive(settings: Settings) -> AsyncIterator[Finding]:
    """Store something there, read it, and remove it; nothing where there is no archive and never was."""
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
