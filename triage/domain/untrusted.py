"""Two types of text that do not mix: `Untrusted`, which somebody else wrote, and `Prompt`, which a model may read as instructions."""

from dataclasses import dataclass
from typing import Final, NewType

Untrusted = NewType("Untrusted", str)
"""Text from a mail, a ticket or an article: readable as `str`, never a `Prompt`."""

NOTHING: Final = Untrusted("")
"""The empty text."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text that a model may read as instructions; made only in `policy/text/untrusted.py`, which fences untrusted text."""

    text: str

    def __add__(self, other: "Prompt") -> "Prompt":
        """Two prompts, one after the other."""
        return Prompt(self.text + other.text)
