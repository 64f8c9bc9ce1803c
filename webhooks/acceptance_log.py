"""Logs accepted mails: those of one commit in one line.

Writing a line takes longer than proving that a mail is authentic, and mails that share a commit are answered together.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from loguru import logger

LONGEST: Final = 50
"""Requests of one line: the log shows no more members of a list."""


class AcceptanceLog:
    """What is still to be logged, by provider: the cases of each request, and its bytes."""

    def __init__(self) -> None:
        self._kept: dict[str, list[tuple[Sequence[str], int]]] = {}

    def add(self, provider: str, cases: Sequence[str], size: int) -> None:
        """The mails of one request have become these cases."""
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
