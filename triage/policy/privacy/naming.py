"""Tells whether a short text names a person: by an address, by a full name, or by a note that was made of his mails."""

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Final

from triage.policy.thread.fingerprint import canonical

_ADDRESS: Final = re.compile(r"[^\s<>()\[\]{}\"'\\,;:/]+@[^\s<>()\[\]{}\"'\\,;:/]+")
_WORD: Final = re.compile(r"[^\W_]+")


def names_person(address: str, senders: Collection[str], notes: Collection[str] = ()) -> Callable[[str], bool]:
    """Return the test for the person of `address`, whose mails came from `senders` (`Ada Moreau <ada@example.com>`).

    A name counts if it has two words or more, in any order, also where a note's name has it: `people/ada-moreau`.
    """
    mine = canonical(address)
    full = [words for sender in senders if len(words := _words(sender.rpartition("<")[0])) > 1]

    def named(text: str) -> bool:
        if any(canonical(found.rstrip(".")) == mine for found in _ADDRESS.findall(text)):
            return True
        return any(note in text for note in notes) or _holds(full, text)

    return named


def _holds(full: Collection[frozenset[str]], text: str) -> bool:
    words = _words(text) if full else frozenset()
    return any(name <= words for name in full)


def _words(text: str) -> frozenset[str]:
    """Return the words without accents, as names of notes have them."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return frozenset(_WORD.findall(bare.casefold()))
