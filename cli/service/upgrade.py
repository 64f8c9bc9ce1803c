"""Runs `triage doctor` once after an upgrade, in a process of its own, and has people told what it finds anew."""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from triage.domain.channels.notices import Notice, NoticeKind, Severity
from triage.domain.errors import StoreDown

if TYPE_CHECKING:
    from triage.services.channels.notices import Notices


async def tell_of_upgrade(notices: "Notices") -> None:
    """Look and tell, if this version runs here for the first time. A doctor that cannot run is not told of."""
    from loguru import logger

    try:
        if await notices.is_new(version("triage")):
            await notices.tell_new([_notice(one) for one in await _findings() if one["state"] != "ok"])
    except (StoreDown, OSError, ValueError) as e:
        logger.bind(error=str(e)).warning("upgrade.not_looked")


async def _findings() -> list[dict[str, Any]]:
    """Return what `triage doctor` finds. Raises `ValueError` if it says nothing that can be read."""
    from triage.config.settings import ALONE

    alone = ALONE.get()
    words = (*(("--env", str(alone)) if alone else ()), "doctor", "--json")
    doctor = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        told, _ = await doctor.communicate()
    finally:
        if doctor.returncode is None:
            doctor.kill()
            await doctor.wait()
    found: list[dict[str, Any]] = json.loads(told)
    return found


def _notice(finding: dict[str, Any]) -> Notice:
    """Return the notice of a finding. Its words may hold numbers that change, so its name and state are the key."""
    what, state = str(finding["what"]), str(finding["state"])
    return Notice(
        kind=NoticeKind.UPGRADE,
        severity=Severity.FAILURE if state == "fail" else Severity.WARNING,
        text=f"{what}: {finding['told']}",
        cure=str(finding.get("cure") or "triage doctor shows all of it."),
        key=f"doctor {what} {state}",
    )
