"""Logs accepted mails, those of one commit in one line.

Writing a log line takes longer than verifying a mail, and mails that share a commit are answered together.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from loguru import logger

LONGEST: Final = 50
"""Requests per line; the log truncates longer lists."""


class AcceptanceLog:
    """Collects accepted requests by provider (case ids and size in bytes) until the event loop's next turn."""

    def __init__(self) -> None:
        self._kept: dict[str, list[tuple[Sequence[str], int]]] = {}

    def add(self, provider: str, cases: Sequence[str], size: int) -> None:
        """Log one accepted request of `size` bytes, soon."""
        if not self._kept:
            asyncio.get_running_loop().call_soon(self._write)
        self._kept.setdefault(provider, []).append((cases, size))

    def _write(self) -> None:
        kept, self._kept = self._kept, {}
        for provider, requests in kept.items():
            for start in range(0, len(requests), LONGEST):
                some = requests[start : start + LONGEST]
                cases, size = [case for cases, _ in some for case in cases], sum(size for _, size in some)
                logger.bind(provider=provider, cases=cases, bytes=size).info("webhook.accepted")
