"""People outside the project, as our directories know them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person or an organisation that writes to us."""

    address: str = ""
    """In lower case; empty where only the organisation is known."""
    name: str = ""
    organisation: str = ""
    level: str = ""
    """What the organisation is to us: `gold`, `trial`."""
    contract: str = ""
    note: str = ""
    source: str = ""
    """The directory that has this entry."""
