"""Clock, failpoints and the notifier."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time, so that tests can hold it; called by whatever waits or dates. Raises nothing."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""


class Failpoint(Protocol):
    """Called by adapters and the runner at named points; the crash harness ends the process there. Raises nothing."""

    def __call__(self, name: str) -> None:
        """The process has come to this point, nothing behind it has happened."""


def no_failpoint(name: str) -> None:
    """The failpoint of everyday use: nothing happens there."""
    del name


class Notifier(Protocol):
    """Wakes workers. Called by the intake and the services, which notify, and by the worker, which waits.

    Carries ids only: a lost call costs time, never work. Raises nothing.
    """

    async def notify(self, case: str) -> None:
        """There is work. Never raises: the sweep finds what was not rung."""

    async def wait(self, seconds: float) -> str | None:
        """The case that somebody has rung for; None when so much time has passed."""

    async def close(self) -> None:
        """Let connections go."""
