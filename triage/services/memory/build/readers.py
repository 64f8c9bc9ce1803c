"""The Email Reader: turns a batch of mails into observations, by rules or by a model."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from triage.domain.memory.notes import MemoryMail, Observation
from triage.policy.memory.observations import observe


@dataclass(frozen=True, slots=True)
class MailBatch:
    """What was read of a batch of mails."""

    observations: tuple[Observation, ...] = ()
    by_rules: bool = False
    """A model was to read them, and its answer was of no use or the month's budget is spent."""


class EmailReader(Protocol):
    """Reads mails; knows nothing of the vault. Raises what a model raises."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
        """Return what these mails say; answers of a model are counted as this run's."""


class RuleReader:
    """Reads by rules, without a model."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
        del run
        return MailBatch(await asyncio.to_thread(lambda: tuple(one for mail in mails for one in observe(mail))))
