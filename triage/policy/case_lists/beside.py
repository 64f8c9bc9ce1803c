"""Shortens the reason of a case for a line that shows its state and ticket beside it."""

import re
from typing import Final

from triage.policy.text.word_patterns import ended

_FIRST: Final = re.compile(r"Created (?P<new>\S+?)(?: \((?P<written>.*)\))?|(?P<old>\S+): (?P<done>.*)")
"""The first sentence of a reason: what became of which ticket."""
_COMMAND: Final = re.compile(r" A person decides: triage correct .*")
"""What a shell is told; a page has a button for it."""


def beside(reason: str, state: str, ticket: str) -> str:
    """Return the reason without what the state and the ticket say."""
    reason = _COMMAND.sub("", reason)
    first, _, rest = reason.partition(". ")
    found = _FIRST.fullmatch(first.removesuffix("."))
    if found is None or ticket not in {found["new"], found["old"]}:
        return reason
    kept = found["written"] or found["done"] or ""
    if kept in {"", state}:
        return beside(rest, state, ticket)
    return f"{ended(kept[:1].upper() + kept[1:])} {rest}".rstrip()
