"""Ports of calendars and directories of people."""

from typing import Protocol

from triage.domain.calendar.contacts import Contact
from triage.domain.calendar.periods import Period


class Calendar(Protocol):
    """When those who must come to a meeting are busy; called by the calendar tools.

    Raises `SourceDown` where the calendar cannot be read: what is unknown is never free.
    """

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """The busy periods that overlap `within`, in UTC; repetitions are expanded, cancelled and free entries left out."""


class Contacts(Protocol):
    """A directory of people; called by the contact tool. Raises `SourceDown`."""

    async def find(self, address: str) -> Contact | None:
        """The contact of an address, else that of its domain, else None."""
