"""Clock, failpoints and the notifier."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time, so that tests can hold it."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass."""


class Failpoint(Protocol):
    """Called at named points of the way; the crash harness kills the process there."""

    def __call__(self, name: str) -> None:
        """The process has come to this point, nothing behind it has happened."""


def no_failpoint(name: str) -> None:
    """The landmark of everyday life: nothing happens there."""
    del name


class Notifier(Protocol):
    """Wakes workers; rung by whoever makes work, waited on by the worker. Carries ids only: losing a ring costs time, never work."""

    async def notify(self, case: str) -> None:
        """There is work. Never raises: the sweep finds what was not rung."""

    async def wait(self, seconds: float) -> str | None:
        """The case that somebody has rung for; None when so much time has passed."""

    async def close(self) -> None:
        """Let connections go."""
