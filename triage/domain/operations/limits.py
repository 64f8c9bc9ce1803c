"""Rate limits towards one server that all processes keep together."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many requests of one scope at once, and so many more each second."""

    scope: str
    """What is limited, such as `POST api/3/issue`."""
    burst: float
    rate: float
    """Per second."""


@dataclass(frozen=True, slots=True)
class Permit:
    """When a request may go."""

    wait: float
    """Seconds from now on."""
    granted: bool
    """The request has its place, and goes after the wait; else nothing was taken, and it asks again then."""
    why: str = ""
    """Why the server wants no request now; empty if only the rate is used up."""
