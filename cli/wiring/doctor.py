"""Runs `triage doctor` in a process of its own: its checks open stores and set up logs as a command does."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Final

from triage.config.settings import ALONE
from triage.domain.operations.checks import Finding
from triage.domain.operations.errors import ChecksFailed

EXITS: Final = frozenset({0, 1, 2})
"""Exit codes with which `triage doctor` has told all it has to."""


async def findings(*options: str) -> AsyncIterator[Finding]:
    """Yield the findings as they are made. Raises `ChecksFailed` if the doctor breaks off."""
    pipe = asyncio.subprocess.PIPE
    doctor = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", *words(*options), stdout=pipe, stderr=pipe
    )
    noise = asyncio.create_task(doctor.stderr.read() if doctor.stderr else asyncio.sleep(0, b""))
    try:
        while doctor.stdout and (line := await doctor.stdout.readline()):
            yield Finding(**json.loads(line))
        if await doctor.wait() not in EXITS:
            raise ChecksFailed((await noise).decode(errors="replace").strip().rpartition("\n")[2])
    finally:
        noise.cancel()
        if doctor.returncode is None:
            doctor.kill()
            await doctor.wait()


def words(*options: str) -> tuple[str, ...]:
    """Return the command's words; it reads the settings that this process has read."""
    alone = ALONE.get()
    return (*(("--env", str(alone)) if alone else ()), "doctor", "--lines", *options)
