"""The Email Reader: turns a batch of mails into observations, by rules or by a model."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from triage.domain.memory.notes import MemoryMail, Observation
from triage.policy.memory.observations import observe


class EmailReader(Protocol):
    """Reads mails; knows nothing of the vault. Raises what a model raises."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> tuple[Observation, ...]:
        """Return what these mails say; answers of a model are counted as this run's."""


class RuleReader:
    """Reads by rules, without a model."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> tuple[Observation, ...]:
        """Return what these mails say, in their order."""
        del run
        return await asyncio.to_thread(lambda: tuple(one for mail in mails for one in observe(mail)))
