"""Two types of text that do not mix: `Untrusted`, which somebody else wrote, and `Prompt`, which a model may read as instructions."""

from dataclasses import dataclass
from typing import Final, NewType

Untrusted = NewType("Untrusted", str)
"""Words from a mail, a ticket or an article. A `str` for reading, never a `Prompt`."""

NOTHING: Final = Untrusted("")
"""No words."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text a model may read as ours. Made in `policy/text/untrusted.py` only, which fences what is not."""

    text: str

    def __add__(self, other: "Prompt") -> "Prompt":
        """Two prompts, one after the other."""
        return Prompt(self.text + other.text)
