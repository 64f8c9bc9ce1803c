"""Outgoing webhooks: who receives outcomes, and each delivery."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A URL that receives the outcomes of cases."""

    id: int = 0
    url: str
    secret: str = field(default="", repr=False)
    """`whsec_…`: signs every delivery; shown once."""
    made_by: str
    made_at: datetime
    ended_at: datetime | None = None
    """None: it is active."""
    trouble: str = ""
    """Why it was switched off, or the last error."""


class DeliveryState(StrEnum):
    """State of a delivery."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One outcome for one webhook; delivered at least once under one id."""

    id: int
    webhook: int
    case: str
    payload: str
    """JSON."""
    state: DeliveryState
    attempts: int
    due_at: datetime
    made_at: datetime
    trouble: str

    @property
    def message_id(self) -> str:
        """The same for every attempt, so that a receiver can tell repetitions."""
        return f"msg_{self.id}"
