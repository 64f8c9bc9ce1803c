"""Runs `triage doctor` once after an upgrade, in a process of its own, and has people told what it finds anew."""

from importlib.metadata import version
from typing import TYPE_CHECKING

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.errors import StoreDown
from triage.domain.operations.checks import Finding
from triage.domain.operations.errors import ChecksFailed

if TYPE_CHECKING:
    from triage.services.channels.notices import Notices


async def report_upgrade(notices: "Notices") -> None:
    """Run the checks of `triage doctor` when a version runs here for the first time, and send notices of what it found.

    Errors of the checks themselves are only logged.
    """
    from loguru import logger

    from cli.wiring.doctor import findings

    try:
        if await notices.is_new(version("triage")):
            await notices.tell_new([_notice(one) async for one in findings() if one.state != "ok"])
    except (StoreDown, ChecksFailed, OSError, ValueError) as e:
        logger.bind(error=str(e)).warning("upgrade.not_looked")


def _notice(finding: Finding) -> Notice:
    """Return the notice of a finding. Its words may hold numbers that change, so its name and state are the key."""
    return Notice(
        kind=NoticeKind.UPGRADE,
        severity=NoticeSeverity.FAILURE if finding.state == "fail" else NoticeSeverity.WARNING,
        text=f"{finding.what}: {finding.text}",
        cure=finding.cure or "triage doctor shows all of it.",
        key=f"doctor {finding.what} {finding.state}",
    )
