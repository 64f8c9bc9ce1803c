"""Recognises the sender's name in a text, in alphabets with and without blanks between words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from integrations.mime.reply.attribution import ADDRESS

LONGEST_NAME: Final = 10
"""Words of a line that begins with a name: `Ada Byron (she/her), Head of Analysis`."""
BEGINNING: Final = 6
"""Words among which the name stands: `i. A. Dr. med. Ada Byron`."""

_HAN: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_SHORT: Final = re.compile(r"[^\W\d_]{2,}")
"""Names are short, too: `Gunnar Ek`."""
_WITHIN: Final = re.compile(rf"(?<=[{_HAN}])\s+(?=[{_HAN}])")
_HAN_WORD: Final = re.compile(rf"[{_HAN}]+")
_DIGIT: Final = re.compile(r"\d")
_ASIDE: Final = re.compile(r"[(\[/][^()\[\]]*[)\]]?")
"""`(Support)`, `/Sales/Example` behind a name."""


@dataclass(frozen=True, slots=True)
class Names:
    """The words of a sender's name and mailbox, in small letters."""

    shown: frozenset[str] = frozenset()
    """Words of the name that stands before the address."""
    all: frozenset[str] = frozenset()
    """These and the words of the mailbox."""
    joined: frozenset[str] = frozenset()
    """Names without blanks between their words, in alphabets that need none."""
    address: str = ""
    """The sender's own address, in small letters."""

    def __bool__(self) -> bool:
        return bool(self.all or self.joined)

    def are_in(self, text: str) -> bool:
        """Tell whether a text has any part of the name."""
        return not self.all.isdisjoint(_words(text)) or self._joined_in(text)

    def own(self, lines: Sequence[str]) -> bool:
        """Tell whether lines have the sender's own address: with his name it is a signature, whatever stands above it."""
        return bool(self.address) and any(self.address in map(str.casefold, ADDRESS.findall(line)) for line in lines)

    def hold(self, line: str) -> bool:
        """Tell whether a line is a name of the sender's and nothing else."""
        words = _words(_ASIDE.sub("", line))
        if len(line.split()) > BEGINNING or _DIGIT.search(line):
            return False
        return (bool(words) and words <= self.all) or bool(_HAN_WORD.search(line) and self._is_joined(line))

    def begin(self, line: str) -> bool:
        """Tell whether a short line begins with the name in full."""
        parts = line.split()
        if len(parts) > LONGEST_NAME:
            return False
        found = _SHORT.findall(ADDRESS.sub("", " ".join(parts[:BEGINNING])))
        words = {word.casefold() for word in found if not word[0].islower()}  # "the mail system" names nobody
        return len(words & self.all) > 1 or bool(self.shown and self.shown <= words) or self._joined_in(line)

    def _joined_in(self, text: str) -> bool:
        return bool(self.joined) and any(name in _WITHIN.sub("", text) for name in self.joined)

    def _is_joined(self, line: str) -> bool:
        bare = _WITHIN.sub("", line.strip())
        return any(name.startswith(bare) or bare == name for name in self.joined)


NO_NAMES: Final = Names()


def names_of(sender: str) -> Names:
    """Return the names in `Ada Byron <ada.byron@example.com>`."""
    name, _, rest = sender.rpartition("<")
    name = _ASIDE.sub("", name)
    address = rest.partition(">")[0].strip().casefold()
    mailbox = address.partition("@")[0]
    joined = frozenset(filter(lambda one: len(one) > 1, _HAN_WORD.findall(_WITHIN.sub("", name))))
    shown = _HAN_WORD.sub(" ", name)
    return Names(frozenset(_SHORT.findall(shown.casefold())), _words(shown) | _words(mailbox), joined, address)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
