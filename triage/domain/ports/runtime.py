"""Clock, failpoints and the notifier."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.operations.limits import Allowance, Permit


class Clock(Protocol):
    """The time, which tests can control; called by whatever waits or writes dates. Raises nothing."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Wait this many seconds."""


class Failpoint(Protocol):
    """Called by adapters and the runner at named points; the crash harness ends the process there. Raises nothing."""

    def __call__(self, name: str) -> None:
        """The process has reached the point of this name, and done nothing after it."""


def no_failpoint(name: str) -> None:
    """The failpoint of normal operation: it does nothing."""
    del name


class Notifier(Protocol):
    """Wakes workers. Called by the intake and the services, which notify, and by the worker, which waits.

    Carries ids only: a lost call costs time, never work. Raises nothing.
    """

    async def notify(self, case: str) -> None:
        """Announce work on a case. Never raises: workers find due cases in the database anyway."""

    async def wait(self, seconds: float) -> str | None:
        """The case of the next notification; None after this many seconds."""

    async def close(self) -> None:
        """Close connections."""


class Leadership(Protocol):
    """Elects the one process that performs a duty; called by the leader service.

    Looks at no clock of this host. A process that dies or hangs loses its duties within seconds; until it notices, two may
    believe to have one, so that what they do must bear being done twice. Raises `StoreDown`; then nothing is held.
    """

    async def hold(self, duty: str) -> bool:
        """Take the duty if no process has it, or keep it; return whether this process has it now."""

    async def release(self, duty: str) -> None:
        """Give it up, so that another process can take it at once."""

    async def close(self) -> None:
        """Give up everything."""


class RequestLimits(Protocol):
    """Limits towards one server that all processes share; called by adapters before each of their requests. Raises nothing."""

    @property
    def processes(self) -> int:
        """How many processes share the limits, as far as known: each keeps to its part while the others cannot be asked."""

    async def take(self, allowances: Sequence[Allowance], pauses: Sequence[str], patience: float) -> Permit | None:
        """Take a token of every limit unless one of the scopes is paused (`pauses`) or the wait is longer than `patience` seconds.

        None: the others cannot be asked.
        """

    async def hold(self, scope: str, seconds: float, why: str) -> None:
        """Tell all processes that the server wants no request of this scope for so long."""

    async def close(self) -> None:
        """Close connections."""
