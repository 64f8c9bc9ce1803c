"""What a check of the installation has found."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    state: State
    text: str
    cure: str = ""
    """What a person can do; may contain lines to paste."""
